//go:build !windows

package tui

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// prepare makes the output ready; the returned function undoes it.
func prepare(*os.File) func() { return nil }

// watchSize tells on c when the size has changed, until stop is called.
func watchSize(beside *sides, c chan<- struct{}) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGWINCH)
	end := make(chan struct{})
	gone := make(chan struct{})
	beside.apart(func() {
		for {
			select {
			case <-signals:
				select {
				case c <- struct{}{}:
				default: // it is told already
				}
			case <-end:
				return
			}
		}
	}, func() { close(gone) })
	return func() {
		signal.Stop(signals)
		close(end)
		<-gone
	}
}

// suspend stops this process and its group until the shell continues them. A
// group that no shell looks after is not stopped; then it returns at once.
func suspend() {
	const stopTime = 200 * time.Millisecond
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if syscall.Kill(0, syscall.SIGTSTP) != nil {
		return
	}
	select {
	case <-continued:
	case <-time.After(stopTime):
	}
}

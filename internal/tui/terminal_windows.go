package tui

import (
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// prepare makes the output understand escape sequences; the returned function
// undoes it.
func prepare(f *os.File) func() {
	if f == nil {
		return nil
	}
	h := windows.Handle(f.Fd())
	var mode uint32
	if windows.GetConsoleMode(h, &mode) != nil {
		return nil
	}
	_ = windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING|windows.DISABLE_NEWLINE_AUTO_RETURN) //nolint:errcheck // an old console shows what it can
	return func() { _ = windows.SetConsoleMode(h, mode) }                                                              //nolint:errcheck // as above
}

// watchSize tells on c when the size may have changed: this system has no
// signal for it.
func watchSize(beside *sides, c chan<- struct{}) (stop func()) {
	ticker := time.NewTicker(500 * time.Millisecond)
	end := make(chan struct{})
	gone := make(chan struct{})
	beside.apart(func() {
		for {
			select {
			case <-ticker.C:
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
		ticker.Stop()
		close(end)
		<-gone
	}
}

// suspend does nothing: there is no job control.
func suspend() {}

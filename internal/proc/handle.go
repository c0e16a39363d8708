package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

// The times of an end. Together they keep a call that ended within about a
// second of its leader's end.
const (
	// drainFor is how long the leader's children may go on after its end
	// before they count as left behind.
	drainFor = 150 * time.Millisecond
	// graceful is how long a tree has between TERM and KILL when it is ended
	// early, graceLeft when it was left behind.
	graceful  = 500 * time.Millisecond
	graceLeft = 200 * time.Millisecond
	// insist bounds how long KILL is repeated, and then how long the leader's
	// end is waited for.
	insist = time.Second
	// lastRead is how long the pipes are read after everything was ended.
	lastRead = 20 * time.Millisecond
)

// ErrNoCommand says that a Spec has no program to run.
var ErrNoCommand = errors.New("start command: no program given")

// Handle is a command that was started. All methods may be called from any
// goroutine.
type Handle struct {
	cmd     *exec.Cmd
	tree    *tree
	mark    string // in the environment of everything it starts
	out     *output
	begun   time.Time
	feed    *os.File      // write end of the leader's input, nil when that is closed
	fed     chan struct{} // closed when nothing more is written to feed by this package
	stop    chan struct{} // closed by Interrupt
	stopped sync.Once
	done    chan struct{} // closed when result stands
	result  Result
}

// Start starts a command and returns at once. The command and its tree are
// ended when the context is; a command that shall outlive a turn gets a
// context of its own. The error says that nothing was started.
func Start(ctx context.Context, s Spec) (*Handle, error) {
	if len(s.Argv) == 0 {
		return nil, ErrNoCommand
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("start %s: %w", s.Argv[0], err)
	}
	h := &Handle{stop: make(chan struct{}), done: make(chan struct{}), tree: newTree()}
	// The context is not given to exec: it would end the leader alone, and
	// this package ends trees.
	h.cmd = exec.Command(s.Argv[0], s.Argv[1:]...) //nolint:noctx // see above
	h.cmd.Dir = s.Dir
	mark := h.tree.mark()
	h.cmd.Env = environment(s, mark)
	h.tree.configure(h.cmd)

	out, ends, err := openOutput(s)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", s.Argv[0], err)
	}
	h.out = out
	h.cmd.Stdout, h.cmd.Stderr = ends[0], ends[1]
	feed, err := h.input(s)
	if err == nil {
		h.tree.holds(ends[:])
		watch.begin(mark)
		h.begun = time.Now()
		if err = h.tree.start(h.cmd); err != nil {
			watch.forget(mark, 0)
		}
	}
	closeAll(ends[:]...)
	if f, ok := h.cmd.Stdin.(*os.File); ok {
		closeAll(f)
	}
	if err != nil {
		closeAll(out.ends[:]...)
		closeAll(feed)
		return nil, fmt.Errorf("start %s: %w", s.Argv[0], err)
	}
	watch.leads(mark, h.cmd.Process.Pid)
	h.mark = mark
	out.drain(s.peer)
	h.feed, h.fed = feed, make(chan struct{})
	if s.peer || feed == nil {
		close(h.fed)
	} else {
		go func() {
			defer close(h.fed)
			_, _ = feed.Write(s.Stdin) // a program need not read its input
			closeAll(feed)
		}()
	}
	go h.supervise(ctx, s.Timeout)
	return h, nil
}

// input sets what the leader reads: nothing, or a pipe whose write end is
// returned.
func (h *Handle) input(s Spec) (*os.File, error) {
	if s.Stdin == nil && !s.peer {
		return nil, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	h.cmd.Stdin = r
	return w, nil
}

// supervise waits for whatever ends the command first and sees to it that
// nothing of it is left.
func (h *Handle) supervise(ctx context.Context, timeout time.Duration) {
	left := make(chan time.Time, 1)
	go func() {
		h.tree.await(h.cmd)
		left <- time.Now()
	}()
	var limit <-chan time.Time
	if timeout > 0 {
		t := time.NewTimer(timeout)
		defer t.Stop()
		limit = t.C
	}
	var at time.Time
	select {
	case at = <-left:
	case <-limit:
		h.result.TimedOut = true
	case <-ctx.Done():
		h.result.TimedOut = errors.Is(ctx.Err(), context.DeadlineExceeded)
		h.result.Interrupted = !h.result.TimedOut
	case <-h.stop:
		h.result.Interrupted = true
	}
	gone := true
	if at.IsZero() {
		h.tree.end(graceful)
		at, gone = h.leave(left)
		h.result.Left = h.tree.left()
	} else {
		h.settle()
	}
	h.result.Duration = at.Sub(h.begun)
	if h.feed != nil {
		_ = h.feed.SetWriteDeadline(time.Now()) // a survivor may hold the other end
		closeAll(h.feed)
	}
	<-h.fed
	h.out.finish()
	if !gone {
		// Nobody can say when, so this waits for it behind the result: a
		// process has one parent, and that parent takes it from the list.
		go func() {
			<-left
			h.reap()
		}()
		h.result.Exit, h.result.Signal = status(nil)
		close(h.done)
		return
	}
	h.reap()
	h.result.Exit, h.result.Signal = status(h.cmd.ProcessState)
	close(h.done)
}

// leave gives a leader that was ended a moment to go. One that is another
// user's (sudo), or waits for a disk that does not answer, cannot be ended; it
// is not waited for.
func (h *Handle) leave(left <-chan time.Time) (at time.Time, gone bool) {
	limit := time.NewTimer(insist)
	defer limit.Stop()
	select {
	case at = <-left:
		return at, true
	case <-limit.C:
		return time.Now(), false
	}
}

// reap takes the leader, which has ended, from the process list.
func (h *Handle) reap() {
	watch.forget(h.mark, h.cmd.Process.Pid)
	_ = h.cmd.Wait() // its state tells how it ended; its error says the same
	h.tree.close()
}

// settle gives what the leader started a moment to end by itself, then ends
// it.
func (h *Handle) settle() {
	deadline := time.NewTimer(drainFor)
	defer deadline.Stop()
	ended := h.out.ended
	pause := 2 * time.Millisecond
	for {
		left := h.tree.count()
		if left == 0 && ended == nil {
			return
		}
		next := time.NewTimer(pause)
		pause *= 2
		select {
		case <-ended:
			ended = nil
		case <-next.C:
		case <-deadline.C:
			next.Stop()
			if left = h.tree.count(); left > 0 {
				h.result.Survivors = left
				h.tree.end(graceLeft)
				h.result.Left = h.tree.left()
			}
			return
		}
		next.Stop()
	}
}

// Wait returns how the command ended, once it has. What it printed is copied
// each time, so that a Handle holds it once.
func (h *Handle) Wait() Result {
	<-h.done
	r := h.result
	h.out.fill(&r)
	return r
}

// Drop forgets what a command printed that has ended; Output and Wait tell
// how much it was.
func (h *Handle) Drop() {
	<-h.done
	h.out.drop()
}

// Done is closed when the command and everything it started has ended, or what
// is left of it is known to be out of reach (see Result.Left).
func (h *Handle) Done() <-chan struct{} { return h.done }

// Interrupt ends the command and its whole tree; it does not wait.
func (h *Handle) Interrupt() { h.stopped.Do(func() { close(h.stop) }) }

// Output returns what both streams printed from an offset in bytes on, the
// offset to ask for next, and how many bytes in between were not kept.
func (h *Handle) Output(since int64) (data []byte, next, lost int64) {
	h.out.mu.Lock()
	defer h.out.mu.Unlock()
	data, lost = h.out.all.since(since)
	return data, h.out.all.total, lost
}

// Pid is the process id of the leader.
func (h *Handle) Pid() int { return h.cmd.Process.Pid }

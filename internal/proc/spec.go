package proc

import (
	"context"
	"time"
)

// Spec says what to run. The zero value of every field but Argv works.
type Spec struct {
	// Argv is the program and its arguments; Shell makes one from a command
	// line.
	Argv []string
	// Dir is the working folder; empty means that of this process.
	Dir string
	// Env is added to Environ; a later value wins.
	Env []string
	// Stdin is what the program reads; nil means that its input is closed.
	Stdin []byte
	// Timeout ends the whole tree; zero means no limit but the context.
	Timeout time.Duration
	// Out is told live what both streams print, in order of arrival, from one
	// goroutine and never after Run or Wait returned. No character and no
	// escape sequence is torn between two calls. It must not keep the slice. A
	// slow Out slows the program down.
	Out func([]byte)
	// peer says that the caller talks with the command through its streams.
	peer bool
	// MaxOutput is how many bytes are kept of each stream, first and last
	// halves; zero means 1 MiB.
	MaxOutput int
	// Merged says that nobody asks which stream something came by: only
	// Result.Output is kept, Stdout and Stderr stay empty.
	Merged bool
}

// Result is how a command ended.
type Result struct {
	// Exit is the exit code, -1 when a signal ended it.
	Exit int
	// Signal is the name of the signal that ended it, empty when none did.
	Signal string
	// Stdout and Stderr are what was kept of each stream, Output of both in
	// order of arrival; where bytes were cut a line says how many.
	Stdout, Stderr, Output []byte
	// Truncated is the number of bytes of Output that were not kept.
	Truncated int64
	// Duration is from start to the end of the leader.
	Duration time.Duration
	// TimedOut says that Spec.Timeout or the deadline of the context ended it,
	// Interrupted that the context or Interrupt did.
	TimedOut, Interrupted bool
	// Survivors is the number of processes that outlived the leader and were
	// ended with it.
	Survivors int
	// Left are the processes that could not be ended, such as another user's.
	Left []Remnant
}

// Remnant is a process that a command left running because it cannot be ended
// from here.
type Remnant struct {
	PID int
	// User is its owner, a name or a number; empty where that is not known.
	User string
}

// Run runs a command to its end. The error says that it could not be started;
// a command that ran has a Result whatever became of it.
func Run(ctx context.Context, s Spec) (Result, error) {
	h, err := Start(ctx, s)
	if err != nil {
		return Result{}, err
	}
	return h.Wait(), nil
}

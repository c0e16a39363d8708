package headless

import (
	"context"
	"errors"
	"fmt"
	"io"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/llm"
	"assent/internal/tui/ink"
)

// Host is what a headless run needs of a conversation.
type Host interface {
	Do(ctx context.Context, c host.Command) error
	Events() *event.Cursor
}

// Format is an output format.
type Format string

// The formats.
const (
	Text       Format = "text"
	JSON       Format = "json"
	StreamJSON Format = "stream-json"
)

// Formats lists the valid formats.
func Formats() []string { return []string{string(Text), string(JSON), string(StreamJSON)} }

// Exit codes of product.md.
const (
	ExitOK          = 0
	ExitError       = 1
	ExitUsage       = 2
	ExitLimit       = 3
	ExitQuestion    = 4
	ExitInterrupted = 130
)

// Options are the parameters of a run.
type Options struct {
	Prompt string
	Images []llm.Image
	Format Format
	// Out gets the answer or the JSON, Err everything for people.
	Out, Err io.Writer
	// Shared says that both end in one place, as a terminal is: a line of the
	// answer is ended there before anything for people.
	Shared bool
}

// printer shows events in one format.
type printer interface {
	event(e event.Event) error
	// end is called once, after the last event.
	end() error
}

// Run submits the prompt, prints until the turn is done and returns the exit
// code. When ctx ends the turn is cancelled, and Run still waits for its end,
// so that the log is whole and no child process is left. An error means that
// the output could not be written or the host failed; the turn is cancelled
// then.
func Run(ctx context.Context, h Host, o Options) (int, error) {
	cursor := h.Events()
	defer cursor.Close()
	p := newPrinter(o)
	if err := h.Do(ctx, host.Submit{Text: o.Prompt, Images: o.Images}); err != nil {
		return ExitError, err
	}
	code, err := follow(ctx, h, cursor, p)
	if err != nil {
		return ExitError, err
	}
	if err := p.end(); err != nil {
		return ExitError, fmt.Errorf("write the result: %w", err)
	}
	return code, nil
}

// follow prints until Done. A failed write cancels the turn: nobody reads on.
func follow(ctx context.Context, h Host, cursor *event.Cursor, p printer) (int, error) {
	// The turn must be followed to its end also when ctx is done.
	reading := context.WithoutCancel(ctx)
	stop := context.AfterFunc(ctx, func() {
		// The host is closed at the latest by its owner, which ends the events.
		_ = h.Do(reading, host.Cancel{})
	})
	defer stop()
	var failed error
	for {
		events, err := cursor.Next(reading)
		if errors.Is(err, event.ErrClosed) {
			return ExitError, errors.New("the conversation ended before its turn was done")
		}
		if err != nil {
			return ExitError, err
		}
		for _, e := range events {
			if failed == nil {
				if err := p.event(e); err != nil {
					failed = fmt.Errorf("write the output: %w", err)
					_ = h.Do(reading, host.Cancel{})
				}
			}
			if done, ok := e.(event.Done); ok {
				return ExitCode(done.Reason), failed
			}
		}
	}
}

// ExitCode is the exit code of a Done reason.
func ExitCode(reason string) int {
	switch reason {
	case "stop":
		return ExitOK
	case "max_steps", "max_cost", "timeout":
		return ExitLimit
	case "question":
		return ExitQuestion
	case "cancelled":
		return ExitInterrupted
	}
	return ExitError
}

func newPrinter(o Options) printer {
	switch o.Format {
	case StreamJSON:
		return &lines{out: o.Out}
	case JSON:
		return &object{out: o.Out, people: people{err: o.Err}}
	default:
		t := &text{out: o.Out, answer: stream{clean: ink.Clean}, people: people{err: o.Err}}
		if o.Shared {
			t.err = aside{t, o.Err}
		}
		return t
	}
}

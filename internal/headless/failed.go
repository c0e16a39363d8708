package headless

import (
	"fmt"
	"io"

	"assent/internal/event"
	"assent/internal/llm"
)

// Failed tells in the format of a run that it ended before its turn could
// begin, so that a script reads of it where it reads of all else. As text
// there is nothing to tell.
func Failed(o Options, f llm.Failure) error {
	if o.Format != StreamJSON && o.Format != JSON {
		return nil
	}
	o.Err = io.Discard // the error itself reaches the user
	p := newPrinter(o)
	for _, e := range []event.Event{
		event.Error{Message: f.Message, Kind: f.Kind, Retryable: f.Retryable},
		event.Done{Reason: "error"},
	} {
		if err := p.event(e); err != nil {
			return fmt.Errorf("write the output: %w", err)
		}
	}
	if err := p.end(); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return nil
}

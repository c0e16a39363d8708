package app

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"assent/internal/amount"
	"assent/internal/engine"
	"assent/internal/llm"
)

// A server that is not there does not come in the time that a busy one needs:
// it is tried once more, soon.
const (
	refusedTries = 2
	refusedWait  = time.Second
)

// line is a model as the user meets it: what is only a matter of where the
// model is found is decided here.
type line struct {
	engine.Model
	// tries is how often a server that refuses connections is tried in a row; 0
	// leaves that to the engine.
	tries int
	// demo says that the model is the demo's script.
	demo     bool
	provider string // its name

	refused int
}

// lined puts a model behind what the run asks for.
func (c *conversation) lined(l loaded, m engine.Model) engine.Model {
	to := &line{Model: m, demo: c.flags.demo, provider: l.Provider}
	if l.Retry.Tries == 0 {
		to.tries = refusedTries
	}
	return to
}

// Stream sends a request.
func (l *line) Stream(ctx context.Context, req llm.Request, emit func(llm.Chunk)) (llm.Reply, error) {
	reply, err := l.Model.Stream(ctx, req, emit)
	var f *llm.Failure
	if !errors.As(err, &f) {
		l.refused = 0
		return reply, err
	}
	told := *f
	switch {
	case l.demo && f.Kind == llm.KindProvider:
		return l.over(req, emit), nil
	case l.tries > 0 && errors.Is(err, syscall.ECONNREFUSED):
		if l.refused++; l.refused < l.tries {
			told.RetryAfter = refusedWait
			break
		}
		told.Retryable = false
		told.Message = fmt.Sprintf("%s (given up after %s)", f.Message, amount.Of(l.refused, "try", "tries"))
		l.refused = 0
	default:
		l.refused = 0
	}
	return reply, &told
}

// demoOver is the last word of the demo's script, as often as it is asked.
const demoOver = "The demo is over: its script has no more words. Set up a provider (`assent config set provider NAME`, or `/provider`) and start `assent` in a project of yours."

// over answers in the place of a script that has ended: that is no error.
func (l *line) over(req llm.Request, emit func(llm.Chunk)) llm.Reply {
	emit(llm.TextDelta{Text: demoOver})
	return llm.Reply{Parts: []llm.Part{llm.Text{Text: demoOver}}, Stop: llm.StopEnd, Provider: l.provider, Model: req.Model}
}

// Window is what the server was found to serve, in tokens, 0 when that is not
// known.
func (l *line) Window() int {
	if s, ok := l.Model.(interface{ Window() int }); ok {
		return s.Window()
	}
	return 0
}

package provider

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"strings"

	"assent/internal/llm"
	"assent/internal/wireview"
)

// maxLearning bounds how often one request is changed and sent again.
const maxLearning = 8

// Exchange is what the conversations of all wires have in common: it sends a
// request, each time changed by what the server refused of it, until the
// server takes it. It serves one request at a time.
type Exchange struct {
	endpoint *Endpoint
	view     *wireview.View
	refused  *Quarantine
	sent     wireview.Body // the last request
	// taken says that the server took a request, the last one of epoch; anew says
	// why the next one renders again what it saw.
	taken bool
	epoch int
	anew  string
	told  map[string]bool // notices, each told once
}

// Dialect is what a wire adds to an exchange; every function may be nil.
type Dialect struct {
	Codec wireview.Codec
	// Request names the resource; its body is rendered.
	Request Request
	// Notice is what the user should know of the request that was rendered
	// last; nil for nothing. It is told once.
	Notice func() *llm.Warning
	// Ready has the last word on a body that is about to be sent.
	Ready func(ctx context.Context, body wireview.Body) (wireview.Body, error)
	// Stale tells a refusal of what the server made itself, beyond
	// [BadReasoning]. The view is restarted without it, once.
	Stale func(err error) bool
	// Learn takes from a refusal what to send differently and tells it; false
	// when there is nothing new, so that no loop is endless.
	Learn func(err error) bool
}

// NewExchange returns the exchange of a conversation. tag is the provider's
// name on its opaque data, see [wireview.New].
func NewExchange(e *Endpoint, tag string) *Exchange {
	return &Exchange{endpoint: e, view: wireview.New(tag), refused: &Quarantine{}, told: map[string]bool{}}
}

// Refused is what the server refused of the conversation's items and tools;
// codecs render what is left.
func (x *Exchange) Refused() *Quarantine { return x.refused }

// Rerender makes the next request be rendered anew and says why, as in "the
// server wants its reasoning back".
func (x *Exchange) Rerender(why string) {
	x.anew = why
	x.view.Rerender()
}

// Parts returns the gathering of one response, its calls named uniquely in the
// conversation.
func (x *Exchange) Parts(emit func(llm.Chunk)) *Parts { return NewParts(emit, x.callID) }

// callID is the server's id where it is new to the conversation, one of ours
// where there is none.
func (x *Exchange) callID(id string) string {
	if id == "" {
		id = "call_" + strings.ToLower(rand.Text()[:16])
	}
	return x.view.Unique(id)
}

// Send makes the request and returns the answer's stream. The error is a
// *llm.Failure or the context's.
func (x *Exchange) Send(ctx context.Context, req llm.Request, d Dialect, emit func(llm.Chunk)) (*Stream, error) {
	restarted := false
	for tries := 0; ; tries++ {
		stream, err := x.once(ctx, req, d, emit)
		var f *llm.Failure
		switch {
		case err == nil:
			x.refused.Accepted(req)
			x.taken, x.epoch = true, req.Epoch
			return stream, nil
		case ctx.Err() != nil, !errors.As(err, &f), tries >= maxLearning:
			return nil, err
		case !restarted && (BadReasoning(err) || d.Stale != nil && d.Stale(err)):
			restarted = true
			emit(llm.Warning{Text: x.endpoint.Name() + " no longer accepts the model's earlier reasoning (" + cause(err) + "); going on without it"})
			x.anew = "the server refused its earlier reasoning"
			x.view.Restart()
		case d.Learn != nil && d.Learn(err):
		case x.isolate(err, req, emit):
		default:
			return nil, err
		}
	}
}

// once makes one request.
func (x *Exchange) once(ctx context.Context, req llm.Request, d Dialect, emit func(llm.Chunk)) (*Stream, error) {
	body, broken, err := render(x.view, req, d.Codec, emit)
	if err != nil {
		return nil, err
	}
	if why := cmp.Or(broken, x.anew); why != "" && x.taken && x.epoch == req.Epoch {
		emit(llm.Rebuilt{Reason: why})
	}
	x.anew = ""
	if d.Notice != nil {
		if w := d.Notice(); w != nil && !x.told[w.Text] {
			x.told[w.Text] = true
			emit(*w)
		}
	}
	if d.Ready != nil {
		if body, err = d.Ready(ctx, body); err != nil {
			return nil, err
		}
	}
	x.sent = body
	r := d.Request
	r.Body, r.Notify = body, emit
	return x.endpoint.Post(ctx, r)
}

// isolate leaves one bad image or tool out; false when the refusal is about
// none.
func (x *Exchange) isolate(err error, req llm.Request, emit func(llm.Chunk)) bool {
	told := x.refused.Learn(err, req, x.sent.Bytes)
	if told == "" {
		return false
	}
	emit(llm.Warning{Text: x.endpoint.Name() + " " + told})
	x.Rerender("the server refused an image or a tool")
	return true
}

// DropEffort answers a refusal of the word for effort that was sent: the first
// makes the nearest word be sent instead. It returns false when the refusal is
// about something else, or the nearest was refused as well.
func (x *Exchange) DropEffort(err error, model, word string, emit func(llm.Chunk)) bool {
	if !effortRefused(err, word) || !x.endpoint.refuseEffort(model, word, err) {
		return false
	}
	emit(llm.Warning{Text: x.endpoint.Name() + " refused the effort " + word + " for " + model + "; going on with the nearest that it takes"})
	return true
}

// Drop leaves a parameter out from now on and tells it; false when it is out
// already, or empty.
func (x *Exchange) Drop(model, param string, emit func(llm.Chunk)) bool {
	if param == "" || !x.endpoint.Refuse(model, param) {
		return false
	}
	emit(llm.Warning{Text: x.endpoint.Name() + " refused the parameter " + param + " for " + model + "; going on without it"})
	return true
}

// cause is the server's own text of a refusal, shortened.
func cause(err error) string {
	var api *APIError
	if errors.As(err, &api) {
		return clip(api.Message, 200)
	}
	return "no reason given"
}

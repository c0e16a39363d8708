package openai

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"assent/internal/llm"
	"assent/internal/provider"
)

// Client is one server that speaks one or both wires. It is shared by all
// conversations and safe for concurrent use.
type Client struct {
	endpoint *provider.Endpoint
	native   *native // the server's own API beside the wire, nil when it has none
	name     string
	host     string
	wires    []provider.Wire

	mu     sync.Mutex
	spoken map[string]int // the wire in use by model, 0 until the server refused it
}

// New returns the client of a server; it makes no connection. Of several wires
// the first is spoken; where the server refuses the shape of a request, another
// one takes over for the model, in all conversations of the client, until that
// one is refused.
func New(o provider.Options, wires ...provider.Wire) (*Client, error) {
	e, err := provider.NewEndpoint(o, provider.Bearer)
	if err != nil {
		return nil, err
	}
	c := &Client{endpoint: e, name: o.Name, wires: wires}
	base, err := url.Parse(strings.TrimSpace(o.BaseURL))
	if err != nil {
		return nil, err
	}
	c.host = base.Hostname()
	base.Path = strings.TrimSuffix(strings.TrimRight(base.Path, "/"), "/v1")
	if c.native, err = newNative(o, base.String(), e.Local()); err != nil {
		return nil, err
	}
	return c, nil
}

// Conversation begins a conversation with the server.
func (c *Client) Conversation() *Conversation {
	conv := &Conversation{client: c}
	for _, w := range c.wires {
		if w == provider.WireResponses {
			conv.wires = append(conv.wires, newResponses(c))
		} else {
			conv.wires = append(conv.wires, newChat(c))
		}
	}
	return conv
}

// Models lists the ids of the models that the server reports.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	return c.endpoint.ModelIDs(ctx, provider.Request{Version: "v1", Path: "/models"})
}

// speaker is a conversation on one wire.
type speaker interface {
	// Stream returns with answered false when the server refused the request
	// before it began to answer.
	Stream(ctx context.Context, req llm.Request, emit func(llm.Chunk)) (reply llm.Reply, answered bool, err error)
	// name of the wire for people.
	name() string
}

// wire is which of the wires is in use for a model.
func (c *Client) wire(model string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.spoken[model]
}

// speak makes a wire the one in use for a model.
func (c *Client) speak(model string, wire int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.spoken == nil {
		c.spoken = map[string]int{}
	}
	c.spoken[model] = wire
}

// Conversation is one history with one server. It has one request at a time.
type Conversation struct {
	client *Client
	wires  []speaker
	// took is the wire that took the last request, which was one of a model in an
	// epoch; nil before the first.
	took *taken
}

// taken is a request that a server took.
type taken struct {
	model       string
	epoch, wire int
}

// takes notes that a wire took a request.
func (c *Conversation) takes(req llm.Request, wire int) {
	c.took = &taken{req.Model, req.Epoch, wire}
}

// moved tells that a request goes out on another wire than those before it in
// its epoch, and so in other bytes; also where another conversation of the
// client learned that it must.
func (c *Conversation) moved(req llm.Request, wire int, emit func(llm.Chunk)) {
	if t := c.took; t != nil && t.model == req.Model && t.epoch == req.Epoch && t.wire != wire {
		emit(llm.Rebuilt{Reason: c.client.name + " is asked on the " + c.wires[wire].name() + " API from now on"})
		c.takes(req, wire) // told once
	}
}

// Stream asks for one response. The error is a *llm.Failure or the context's.
func (c *Conversation) Stream(ctx context.Context, req llm.Request, emit func(llm.Chunk)) (llm.Reply, error) {
	if emit == nil {
		emit = func(llm.Chunk) {}
	}
	now := c.client.wire(req.Model)
	c.moved(req, now, emit)
	reply, answered, err := c.wires[now].Stream(ctx, req, emit)
	if err == nil || answered {
		c.takes(req, now)
	}
	if err == nil || answered || len(c.wires) == 1 || !shapeRefused(err) {
		return reply, err
	}
	// The fall is the client's: a summary has a conversation of its own, and would
	// be refused anew. It counts only where the next wire does better: a request that
	// both refuse is at fault itself, and the first refusal names why.
	other, told := (now+1)%len(c.wires), false
	tell := func() {
		if !told {
			told = true
			emit(llm.Warning{Text: c.client.name + " refused the " + c.wires[now].name() + " API for " + req.Model + "; going on with " + c.wires[other].name()})
			c.moved(req, other, emit)
		}
	}
	reply, answered, next := c.wires[other].Stream(ctx, req, func(ch llm.Chunk) {
		switch ch.(type) {
		case llm.TextDelta, llm.ReasoningDelta, llm.CallStart:
			tell()
		case llm.Warning, llm.Waiting, llm.Rebuilt:
		}
		emit(ch)
	})
	if next != nil && !answered && shapeRefused(next) {
		return reply, err
	}
	tell()
	c.takes(req, other)
	c.client.speak(req.Model, other)
	return reply, next
}

// shapeRefused tells a refusal of the request's form, which another wire may
// not meet.
func shapeRefused(err error) bool {
	f, ok := failure(err)
	return ok && f.Kind == llm.KindProvider && !f.Retryable && slices.Contains([]int{
		http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed,
		http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusNotImplemented,
	}, f.Status)
}

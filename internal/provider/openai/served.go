package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"assent/internal/provider"
	"assent/internal/wireview"
)

// The servers that say with which window they serve a model: two presets, and
// what is found behind the preset for any server at an address of this machine.
const (
	ollama   = "ollama"
	lmstudio = "lmstudio"
	llamacpp = "llama.cpp"
	custom   = "custom-openai"
)

// askTime bounds each question about the window: the answer is at hand, or the
// server is busy and shall not keep the user waiting twice.
const askTime = 2 * time.Second

// native is the API that servers of this machine have beside the wire.
type native struct {
	endpoint *provider.Endpoint
	// kind is the server's, "" while it is not known. A name that says nothing
	// of it makes the server be asked, once.
	kind atomic.Pointer[string]
}

// newNative returns the API beside the wire of a server that may have one, nil
// for others.
func newNative(o provider.Options, base string, local bool) (*native, error) {
	if o.Name != ollama && o.Name != lmstudio && (o.Name != custom || !local) {
		return nil, nil //nolint:nilnil // none is no error
	}
	o.BaseURL = base
	if key := o.Key; key != nil {
		// A refusal here is no reason to renew a credential.
		o.Key = func(ctx context.Context, _ bool) (string, error) { return key(ctx, false) }
	}
	e, err := provider.NewEndpoint(o, provider.Bearer)
	if err != nil {
		return nil, err
	}
	n := &native{endpoint: e}
	if o.Name == ollama || o.Name == lmstudio {
		n.kind.Store(&o.Name)
	}
	return n, nil
}

// window returns the window with which a model is served, 0 when the server
// does not say, and whether that is sure to stay. The error is only a
// context's.
func (n *native) window(ctx context.Context, model string) (tokens int, sure bool, err error) {
	switch n.server(ctx) {
	case lmstudio:
		tokens, sure = n.studio(ctx, model)
	case ollama:
		tokens, sure = n.ollama(ctx, model), true
	case llamacpp:
		tokens, sure = n.llama(ctx), true
	default:
		sure = ctx.Err() == nil
	}
	return tokens, sure, ctx.Err()
}

// server tells which server it is, by the first question that it answers; ""
// when it answers none.
func (n *native) server(ctx context.Context) string {
	if kind := n.kind.Load(); kind != nil {
		return *kind
	}
	ctx, stop := context.WithTimeout(ctx, askTime) // for all three
	defer stop()
	kind := ""
	if n.llama(ctx) > 0 {
		kind = llamacpp
	} else if _, answers := n.running(ctx); answers {
		kind = ollama
	} else if list, _ := n.loaded(ctx); slices.ContainsFunc(list, studioModel.told) {
		kind = lmstudio
	}
	n.kind.Store(&kind)
	return kind
}

// ollama asks for a model that is loaded, else for what the model's own
// parameters say, else loads it, as the request would do anyway, and asks
// again: what a server does without any of them depends on the machine.
func (n *native) ollama(ctx context.Context, model string) int {
	find := func() (int, bool) {
		list, ok := n.running(ctx)
		for _, m := range list {
			if sameModel(m.Name, model) || sameModel(m.Model, model) {
				return m.Window, true
			}
		}
		return 0, !ok
	}
	tokens, done := find()
	if done || ctx.Err() != nil {
		return tokens
	}
	name := wireview.AppendString([]byte(`{"model":`), model)
	var shown struct{ Parameters string }
	if n.ask(ctx, provider.Call{Version: "api", Path: "/show", Body: small(append(name, '}'))}, &shown) {
		if tokens = parameter(shown.Parameters, "num_ctx"); tokens > 0 {
			return tokens
		}
	}
	s, err := n.endpoint.Post(ctx, provider.Call{Version: "api", Path: "/generate", Body: small(append(name, `,"stream":false}`...))})
	if err != nil {
		return 0
	}
	for _, err := range s.Events() {
		_ = err // what it says does not matter: it is asked again
		break
	}
	tokens, _ = find()
	return tokens
}

// runningModel is a model that an Ollama server has loaded.
type runningModel struct {
	Name, Model string
	Window      int `json:"context_length"`
}

// running lists the models that an Ollama server has loaded; false when it is
// none.
func (n *native) running(ctx context.Context) ([]runningModel, bool) {
	var ps struct{ Models *[]runningModel }
	if !n.get(ctx, "api", "/ps", &ps) || ps.Models == nil {
		return nil, false
	}
	return *ps.Models, true
}

// Running lists the models that a server of this machine has loaded, as far as
// it says.
func (c *Client) Running(ctx context.Context) (ids []string) {
	if c.native == nil {
		return nil
	}
	switch c.native.server(ctx) {
	case ollama:
		list, _ := c.native.running(ctx)
		for _, m := range list {
			ids = append(ids, m.Name)
		}
	case lmstudio:
		list, _ := c.native.loaded(ctx)
		for _, m := range list {
			if m.Window > 0 {
				ids = append(ids, m.ID)
			}
		}
	}
	return ids
}

// parameter finds a number in the text of a model's parameters, a name and a
// value on each line.
func parameter(text, name string) int {
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == name {
			if v, err := strconv.Atoi(f[1]); err == nil && v > 0 {
				return v
			}
		}
	}
	return 0
}

// llama asks a llama.cpp server: it serves one model, with a window for each of
// its slots. 0 when it is none.
func (n *native) llama(ctx context.Context) int {
	var props struct {
		Default struct {
			Window int `json:"n_ctx"`
		} `json:"default_generation_settings"`
	}
	n.get(ctx, "props", "", &props)
	return props.Default.Window
}

// studioModel is a model of an LM Studio server.
type studioModel struct {
	ID     string
	Window int `json:"loaded_context_length"`
	Most   int `json:"max_context_length"`
}

// told reports whether the entry is of such a server, and not of one that lists
// its models under any address.
func (m studioModel) told() bool { return m.Window > 0 || m.Most > 0 }

// loaded lists the models of an LM Studio server; false when it is none.
func (n *native) loaded(ctx context.Context) ([]studioModel, bool) {
	var list struct{ Data *[]studioModel }
	if !n.get(ctx, "api", "/v0/models", &list) || list.Data == nil {
		return nil, false
	}
	return *list.Data, true
}

// studio asks an LM Studio server. It loads a model at its first request, and
// says the window only then.
func (n *native) studio(ctx context.Context, model string) (tokens int, sure bool) {
	list, ok := n.loaded(ctx)
	if !ok {
		return 0, true
	}
	for _, m := range list {
		if m.ID == model {
			return m.Window, m.Window > 0
		}
	}
	return 0, false
}

// get reads a document of the server's own API; false when there is none.
func (n *native) get(ctx context.Context, version, path string, doc any) bool {
	return n.ask(ctx, provider.Call{Version: version, Path: path}, doc)
}

// ask reads the answer to a small question, within the time for it.
func (n *native) ask(ctx context.Context, c provider.Call, doc any) bool {
	ctx, stop := context.WithTimeout(ctx, askTime)
	defer stop()
	if c.Body == nil {
		text, err := n.endpoint.Get(ctx, c)
		return err == nil && json.Unmarshal(text, doc) == nil
	}
	s, err := n.endpoint.Post(ctx, c)
	if err != nil {
		return false
	}
	for ev, err := range s.Events() {
		return err == nil && json.Unmarshal(ev.Data, doc) == nil
	}
	return false
}

// grow says how a user gives the server a larger window.
func (n *native) grow() string {
	kind := ""
	if k := n.kind.Load(); k != nil {
		kind = *k
	}
	switch kind {
	case lmstudio:
		return "load the model with a larger context length in LM Studio"
	case llamacpp:
		return "start the server with a larger one (llama-server -c 32768)"
	}
	return "give the server a larger one (OLLAMA_CONTEXT_LENGTH=32768 ollama serve, or num_ctx in the model's Modelfile)"
}

// sameModel compares names; "latest" need not be written.
func sameModel(a, b string) bool {
	return a != "" && strings.TrimSuffix(a, ":latest") == strings.TrimSuffix(b, ":latest")
}

// small is a body of a few bytes.
type small []byte

// Len is the number of bytes.
func (b small) Len() int64 { return int64(len(b)) }

// Reader reads from the beginning.
func (b small) Reader() io.Reader { return bytes.NewReader(b) }

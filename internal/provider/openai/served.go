package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"assent/internal/llm"
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

// mostUnheard is how often a server that gives no answer is asked: one that is
// busy, loads its model or is not started yet may answer the next time, and one
// that never does shall not cost askTime with every request.
const mostUnheard = 3

// native is the API that servers of this machine have beside the wire.
type native struct {
	endpoint *provider.Endpoint
	// kind is the server's, nil while it is not known and "" when it is another.
	// A name that says nothing of it makes the server be asked.
	kind atomic.Pointer[string]
	// unheard counts the questions about a window that had no answer at all.
	unheard atomic.Int32
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
	kind, failed := n.server(ctx)
	switch kind {
	case lmstudio:
		tokens, sure, failed = n.studio(ctx, model)
	case ollama:
		tokens, failed = n.ollama(ctx, model)
		sure = true
	case llamacpp:
		tokens, failed = n.llama(ctx)
		sure = true
	default:
		sure = true
	}
	if ctx.Err() == nil && unheard(failed) {
		sure = n.unheard.Add(1) >= mostUnheard
	}
	return max(tokens, 0), sure, ctx.Err() // less than none is nothing said
}

// server tells which server it is, by the first question that it answers; ""
// when it answers none. The error says that it may be another time.
func (n *native) server(ctx context.Context) (string, error) {
	if kind := n.kind.Load(); kind != nil {
		return *kind, nil
	}
	ctx, stop := context.WithTimeout(ctx, askTime) // for all three
	defer stop()
	kind := ""
	tokens, isLlama := n.llama(ctx)
	var isOllama, isStudio error
	if tokens > 0 {
		kind = llamacpp
	} else if _, isOllama = n.running(ctx); isOllama == nil {
		kind = ollama
	} else {
		var list []studioModel
		if list, isStudio = n.loaded(ctx); slices.ContainsFunc(list, studioModel.told) {
			kind = lmstudio
		}
	}
	if kind == "" {
		for _, err := range []error{isLlama, isOllama, isStudio} {
			if unheard(err) {
				return "", err
			}
		}
	}
	n.kind.Store(&kind)
	return kind, nil
}

// unheard reports whether a question had no answer, and not one that says no:
// nothing was reached, the server is busy, or the wait was given up.
func unheard(err error) bool {
	if failure := (*llm.Failure)(nil); errors.As(err, &failure) {
		return failure.Retryable || failure.Kind == llm.KindNetwork
	}
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// ollama asks for a model that is loaded, else for what the model's own
// parameters say, else loads it, as the request would do anyway, and asks
// again: what a server does without any of them depends on the machine.
func (n *native) ollama(ctx context.Context, model string) (int, error) {
	find := func() (tokens int, found bool, err error) {
		list, err := n.running(ctx)
		for _, m := range list {
			if sameModel(m.Name, model) || sameModel(m.Model, model) {
				return m.Window, true, nil
			}
		}
		return 0, false, err
	}
	tokens, found, err := find()
	if found || err != nil {
		return tokens, err
	}
	name := wireview.AppendString([]byte(`{"model":`), model)
	var shown struct{ Parameters string }
	if n.ask(ctx, provider.Request{Version: "api", Path: "/show", Body: small(append(name, '}'))}, &shown) == nil {
		if tokens = parameter(shown.Parameters, "num_ctx"); tokens > 0 {
			return tokens, nil
		}
	}
	s, err := n.endpoint.Post(ctx, provider.Request{Version: "api", Path: "/generate", Body: small(append(name, `,"stream":false}`...))})
	if err != nil {
		return 0, err
	}
	for _, err := range s.Events() {
		_ = err // what it says does not matter: it is asked again
		break
	}
	tokens, _, err = find()
	return tokens, err
}

// runningModel is a model that an Ollama server has loaded.
type runningModel struct {
	Name, Model string
	Window      int `json:"context_length"`
}

// errOther says that an answer is not that of the server that was asked for.
var errOther = errors.New("it is another server")

// running lists the models that an Ollama server has loaded; an error when it
// is none.
func (n *native) running(ctx context.Context) ([]runningModel, error) {
	var ps struct{ Models *[]runningModel }
	if err := n.get(ctx, "api", "/ps", &ps); err != nil {
		return nil, err
	}
	if ps.Models == nil {
		return nil, errOther
	}
	return *ps.Models, nil
}

// Running lists the models that a server of this machine has loaded, as far as
// it says.
func (c *Client) Running(ctx context.Context) (ids []string) {
	if c.native == nil {
		return nil
	}
	switch kind, _ := c.native.server(ctx); kind {
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
func (n *native) llama(ctx context.Context) (int, error) {
	var props struct {
		Default struct {
			Window int `json:"n_ctx"`
		} `json:"default_generation_settings"`
	}
	err := n.get(ctx, "props", "", &props)
	return props.Default.Window, err
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

// loaded lists the models of an LM Studio server; an error when it is none.
func (n *native) loaded(ctx context.Context) ([]studioModel, error) {
	var list struct{ Data *[]studioModel }
	if err := n.get(ctx, "api", "/v0/models", &list); err != nil {
		return nil, err
	}
	if list.Data == nil {
		return nil, errOther
	}
	return *list.Data, nil
}

// studio asks an LM Studio server. It loads a model at its first request, and
// says the window only then.
func (n *native) studio(ctx context.Context, model string) (tokens int, sure bool, err error) {
	list, err := n.loaded(ctx)
	if err != nil {
		return 0, true, err
	}
	for _, m := range list {
		if m.ID == model {
			return m.Window, m.Window > 0, nil
		}
	}
	return 0, false, nil
}

// get reads a document of the server's own API.
func (n *native) get(ctx context.Context, version, path string, doc any) error {
	return n.ask(ctx, provider.Request{Version: version, Path: path}, doc)
}

// ask reads the answer to a small question, within the time for it.
func (n *native) ask(ctx context.Context, c provider.Request, doc any) error {
	ctx, stop := context.WithTimeout(ctx, askTime)
	defer stop()
	text, err := n.answer(ctx, c)
	if ctx.Err() != nil {
		return ctx.Err() // in whatever words the wire has for it
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(text, doc)
}

func (n *native) answer(ctx context.Context, c provider.Request) ([]byte, error) {
	if c.Body == nil {
		return n.endpoint.Get(ctx, c)
	}
	s, err := n.endpoint.Post(ctx, c)
	if err != nil {
		return nil, err
	}
	for ev, err := range s.Events() {
		return ev.Data, err
	}
	return nil, errOther
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

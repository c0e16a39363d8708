package app

import (
	"context"
	"net/http"
	"sync"
	"time"

	"assent/internal/config"
	"assent/internal/credential"
	"assent/internal/engine"
	"assent/internal/provider"
	"assent/internal/provider/anthropic"
	"assent/internal/provider/gemini"
	"assent/internal/provider/openai"
	"assent/internal/provider/script"
)

// client is a connection to a provider that conversations share.
type client interface {
	// Models lists the ids that the server reports.
	Models(ctx context.Context) ([]string, error)
}

// models are the lines to model servers of one process.
type models struct {
	catalogue *provider.Catalogue
	http      *http.Client
	limits    provider.Limits

	mu    sync.Mutex
	lines map[route]reached // those that were opened
	// reported is what servers said they offer, by preset and address.
	reported map[route][]string
}

// route is where a line leads and who asks there.
type route struct {
	preset, baseURL string
	key             *credential.Source
}

// reached is a server that a line leads to. Its conversations share what was
// learned of it: which wire and which parameters it takes.
type reached struct {
	lister       client
	conversation func() engine.Model
}

// newModels prepares what all providers share.
func (a *App) newModels(l loaded) (*models, error) {
	transport, err := provider.NewTransport(provider.TransportOptions{Env: a.get, Proxy: l.Proxy, CAFile: l.CAFile})
	if err != nil {
		return nil, &UsageError{err}
	}
	return &models{
		catalogue: provider.NewCatalogue(overrides(l.Models)),
		http:      &http.Client{Transport: transport},
		limits:    provider.Limits{Idle: time.Duration(l.Retry.IdleSeconds) * time.Second},
	}, nil
}

func (m *models) facts(c choice) provider.Facts {
	return m.catalogue.Lookup(c.preset.Name, c.model)
}

// options are the adapter's options of a choice.
func (m *models) options(c choice) provider.Options {
	o := provider.Options{
		Name: c.preset.Name, BaseURL: c.baseURL, KeyHint: c.keyHint(), HTTP: m.http, Limits: m.limits,
		Facts: func(model string) provider.Facts { return m.catalogue.Lookup(c.preset.Name, model) },
	}
	if c.key != nil {
		o.Key = c.key.Get
	}
	return o
}

// open returns a line to the chosen model for one conversation after another:
// the one that was opened before, where there is one.
func (m *models) open(c choice) (lister client, conversation func() engine.Model, err error) {
	if c.preset.Wires[0] == provider.WireScript { // its model is a file, which plays from the beginning
		return m.dial(c)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	at := route{c.preset.Name, c.baseURL, c.key}
	if l, ok := m.lines[at]; ok {
		return l.lister, l.conversation, nil
	}
	if lister, conversation, err = m.dial(c); err != nil {
		return nil, nil, err
	}
	if m.lines == nil {
		m.lines = map[route]reached{}
	}
	m.lines[at] = reached{lister, conversation}
	return lister, conversation, nil
}

// dial makes a line; it makes no connection.
func (m *models) dial(c choice) (lister client, conversation func() engine.Model, err error) {
	switch c.preset.Wires[0] {
	case provider.WireAnthropic:
		cl, err := anthropic.New(m.options(c))
		if err != nil {
			return nil, nil, &UsageError{err}
		}
		return cl, func() engine.Model { return cl.Conversation() }, nil
	case provider.WireGemini:
		cl, err := gemini.New(m.options(c))
		if err != nil {
			return nil, nil, &UsageError{err}
		}
		return cl, func() engine.Model { return cl.Conversation() }, nil
	case provider.WireScript:
		player, err := script.Open(c.model)
		if err != nil {
			return nil, nil, &UsageError{err}
		}
		return nil, func() engine.Model { return player.Conversation() }, nil
	default:
		cl, err := openai.New(m.options(c), c.preset.Wires...)
		if err != nil {
			return nil, nil, &UsageError{err}
		}
		return cl, func() engine.Model { return cl.Conversation() }, nil
	}
}

// overrides translates the config's facts of models.
func overrides(from map[string]config.Model) map[string]provider.Override {
	to := make(map[string]provider.Override, len(from))
	for id, m := range from {
		o := provider.Override{ContextWindow: m.ContextWindow, MaxOutput: m.MaxOutput, Thinking: m.Thinking, Images: m.Images}
		if m.Price != nil {
			o.Price = &provider.PriceOverride{Input: m.Price.Input, Output: m.Price.Output, CacheRead: m.Price.CacheRead, CacheWrite: m.Price.CacheWrite}
		}
		to[id] = o
	}
	return to
}

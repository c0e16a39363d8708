package app

import (
	"context"
	"net/http"
	"os"
	"strings"
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

// choice is a provider and a model with all that is needed to reach it.
type choice struct {
	preset  provider.Preset
	baseURL string
	model   string
	key     *credential.Source // nil when the server takes none
	// keyFrom says where the key comes from, for people; "" without one.
	keyFrom string
}

// client is a connection to a provider that conversations share.
type client interface {
	// Models lists the ids that the server reports.
	Models(ctx context.Context) ([]string, error)
}

// choose resolves provider, base URL, key and model. The error is a
// *UsageError that says what to set.
func (a *App) choose(l loaded, catalogue *provider.Catalogue) (choice, error) {
	name := l.Provider
	if name == "" {
		name = a.firstWithKey(l)
	}
	if name == "" {
		return choice{}, usagef("%w: set %s, or run `assent config set provider NAME`; `assent demo` works without", errNoProvider, strings.Join(a.keyVariables(), ", "))
	}
	preset, err := provider.FindPreset(name)
	if err != nil {
		return choice{}, &UsageError{err}
	}
	c := choice{preset: preset, baseURL: preset.BaseURL}
	// What the user's file says beside another provider does not belong to
	// this one: a key must not go to a server it was not meant for.
	own := l.FileProvider == "" || l.FileProvider == name
	mine := func(field string) bool { return own || !fromFile(l, field) }
	if l.BaseURL != "" && mine("baseUrl") {
		c.baseURL = l.BaseURL
	}
	if c.baseURL == "" && name != "script" {
		return choice{}, usagef("the provider %s needs an address: give --base-url, set ASSENT_BASE_URL or baseUrl in your config", name)
	}
	if mine("model") {
		c.model = l.Model
	}
	if c.model == "" {
		c.model = catalogue.Default(name)
	}
	if err := a.credential(&c, l, own); err != nil {
		return choice{}, err
	}
	if c.model == "" {
		return choice{}, usagef("no model is set for %s: give --model ID, set ASSENT_MODEL or model in your config (`assent models %s` lists them)", name, name)
	}
	return c, nil
}

// fromFile reports whether a field's value is a config file's.
func fromFile(l loaded, field string) bool {
	return strings.HasPrefix(l.Source[field], l.paths.File()+":") ||
		strings.HasPrefix(l.Source[field], config.ProjectFile(l.root)+":")
}

// firstWithKey is the provider when nobody named one: the first preset that
// has a key.
func (a *App) firstWithKey(l loaded) string {
	for _, p := range provider.Presets() {
		if p.KeyEnv != "" && a.get(p.KeyEnv) != "" {
			return p.Name
		}
	}
	switch {
	case l.BaseURL != "":
		return "custom-openai"
	case l.APIKey != "" || len(l.Credential) > 0:
		return provider.Presets()[0].Name
	}
	vault := credential.NewVault(nil, l.paths.State)
	for _, p := range provider.Presets() {
		if p.KeyEnv == "" {
			continue
		}
		if key, _, err := vault.Get(p.Name); err == nil && key != "" {
			return p.Name
		}
	}
	return ""
}

func (a *App) keyVariables() []string {
	var names []string
	for _, p := range provider.Presets() {
		if p.KeyEnv != "" {
			names = append(names, p.KeyEnv)
		}
	}
	return names
}

// credential finds the key: ASSENT_API_KEY, the vendor's variable, the user's
// config, the credential command, the stored keys.
func (a *App) credential(c *choice, l loaded, own bool) error {
	if c.preset.Name == "script" {
		if c.model == "" {
			return usagef("the script provider plays a file: give --model FILE")
		}
		if _, err := os.Stat(c.model); err != nil {
			return usagef("open the script: %w", err)
		}
		return nil
	}
	vault := credential.NewVault(nil, l.paths.State)
	o := credential.Options{Provider: c.preset.Name, Cache: l.paths.State, Vault: vault, Learn: func(key string) { a.mask.Learn(key) }}
	switch {
	case l.APIKey != "" && !fromFile(l, "apiKey"):
		o.Key, c.keyFrom = l.APIKey, l.Source["apiKey"]
	case c.preset.KeyEnv != "" && a.get(c.preset.KeyEnv) != "":
		o.Key, c.keyFrom = strings.TrimSpace(a.get(c.preset.KeyEnv)), c.preset.KeyEnv
	case own && l.APIKey != "":
		o.Key, c.keyFrom = l.APIKey, l.Source["apiKey"]
	case own && len(l.Credential) > 0:
		o.Command, c.keyFrom = l.Credential, "credential command ("+l.Source["credential"]+")"
	case c.preset.Local:
		return nil
	default:
		key, where, err := vault.Get(c.preset.Name)
		switch {
		case err != nil:
			return &UsageError{err}
		case key == "" && c.preset.Keyless:
			return nil
		case key == "":
			return usagef("no key for %s: set %s or ASSENT_API_KEY, or run `assent config set apiKey KEY`", c.preset.Name, c.preset.KeyEnv)
		}
		c.keyFrom = where
	}
	c.key = credential.New(o)
	return nil
}

// models are the lines to model servers of one process.
type models struct {
	catalogue *provider.Catalogue
	http      *http.Client
	limits    provider.Limits
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
		Name: c.preset.Name, BaseURL: c.baseURL, KeyHint: c.preset.KeyHint(), HTTP: m.http, Limits: m.limits,
		Facts: func(model string) provider.Facts { return m.catalogue.Lookup(c.preset.Name, model) },
	}
	if c.key != nil {
		o.Key = c.key.Get
	}
	return o
}

// open returns a line to the chosen model for one conversation after another.
func (m *models) open(c choice) (lister client, conversation func() engine.Model, err error) {
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

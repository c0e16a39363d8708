package provider

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"charm.land/catwalk/pkg/catwalk"
	"charm.land/catwalk/pkg/embedded"
)

// Facts is what is known of a model. Zero means unknown.
type Facts struct {
	// ContextWindow and MaxOutput are in tokens.
	ContextWindow, MaxOutput int
	// Thinking says that the model can think before it answers.
	Thinking bool
	// Efforts are the vendor's words for how hard it may think, least first;
	// empty when the model takes none, or none are known.
	Efforts []string
	// Images says that the model sees pictures.
	Images bool
	// Price is nil when it is not known.
	Price *Price
	// Known says that the catalogue or the user names the model; for any other
	// a false above means unknown, not no: ask Thoughtless and Blind.
	Known bool

	// A user named the model but did not say whether it thinks or sees.
	thinkingUnsaid, imagesUnsaid bool
}

// Thoughtless says that the model is known not to think.
func (f Facts) Thoughtless() bool { return f.Known && !f.Thinking && !f.thinkingUnsaid }

// Blind says that the model is known to see no pictures.
func (f Facts) Blind() bool { return f.Known && !f.Images && !f.imagesUnsaid }

// Override is what the user's config says of a model; nil fields leave what
// the catalogue says.
type Override struct {
	ContextWindow, MaxOutput *int
	Thinking, Images         *bool
	Price                    *PriceOverride
}

// Catalogue answers what is known of models: the embedded catalogue under the
// user's overrides. Reading the embedded part costs some ten milliseconds, so
// it happens at the first question and once. It is safe for concurrent use.
type Catalogue struct {
	overrides map[string]Override
	load      func() []catwalk.Provider
	seen      sync.Map // [2]string{preset, id} → Facts of the embedded part
}

// NewCatalogue returns the catalogue with the user's overrides by model id; an
// override counts whatever the provider.
func NewCatalogue(overrides map[string]Override) *Catalogue {
	return &Catalogue{overrides: overrides, load: sync.OnceValue(embedded.GetAll)}
}

// Lookup returns what is known of a model at a preset. A server on this
// machine is never described by the catalogue: what it loaded is its own.
func (c *Catalogue) Lookup(preset, id string) Facts {
	f := c.remembered(preset, id)
	o, ok := c.overrides[id]
	if !ok {
		return f
	}
	if !f.Known {
		f.Known, f.thinkingUnsaid, f.imagesUnsaid = true, o.Thinking == nil, o.Images == nil
	}
	set(&f.ContextWindow, o.ContextWindow)
	set(&f.MaxOutput, o.MaxOutput)
	set(&f.Thinking, o.Thinking)
	set(&f.Images, o.Images)
	if o.Thinking != nil && !*o.Thinking {
		f.Efforts = nil
	}
	if o.Price != nil {
		f.Price = o.Price.over(f.Price)
	}
	return f
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// Default returns the default model of a preset, empty when it has none.
func (c *Catalogue) Default(preset string) string {
	p, ok := find(preset)
	if !ok || p.catalogue == "" {
		return p.model
	}
	if p.model != "" {
		return p.model
	}
	for _, v := range c.load() {
		if string(v.ID) == p.catalogue {
			return v.DefaultLargeModelID
		}
	}
	return ""
}

// IDs lists the models of a preset that the catalogue and the user name, the
// user's last. It is empty where the catalogue does not describe the server: on
// this machine, or at an address that the user gave.
func (c *Catalogue) IDs(preset string) []string {
	p, ok := find(preset)
	if !ok || p.catalogue == "" {
		return nil
	}
	var ids []string
	for _, v := range c.load() {
		if string(v.ID) != p.catalogue {
			continue
		}
		for _, m := range v.Models {
			if id, ok := strings.CutPrefix(m.ID, p.prefix); ok {
				ids = append(ids, id)
			}
		}
	}
	return append(ids, slices.Sorted(maps.Keys(c.overrides))...)
}

// vendors are asked, in this order, for models behind a custom address.
var vendors = []string{"anthropic", "openai", "gemini", "deepseek", "xai", "groq", "openrouter"}

// remembered is what the embedded catalogue says; adapters ask at every request.
func (c *Catalogue) remembered(preset, id string) Facts {
	key := [2]string{preset, id}
	if f, ok := c.seen.Load(key); ok {
		return f.(Facts)
	}
	f := c.embedded(preset, id)
	c.seen.Store(key, f)
	return f
}

// embedded looks a model up in the embedded catalogue.
func (c *Catalogue) embedded(preset, id string) Facts {
	p, ok := find(preset)
	if !ok || p.Local || p.Name == "script" || id == "" {
		return Facts{}
	}
	from := []string{p.catalogue}
	if p.catalogue == "" {
		from = vendors
	}
	all := c.load()
	for _, name := range from {
		for _, v := range all {
			if string(v.ID) != name {
				continue
			}
			if m, ok := match(v.Models, p.prefix+id); ok {
				return factsOf(m)
			}
		}
	}
	return Facts{}
}

// match finds an id exactly, or up to a date or "-latest" at its end.
func match(models []catwalk.Model, id string) (catwalk.Model, bool) {
	if i := slices.IndexFunc(models, func(m catwalk.Model) bool { return m.ID == id }); i >= 0 {
		return models[i], true
	}
	bare := undated(id)
	if i := slices.IndexFunc(models, func(m catwalk.Model) bool { return undated(m.ID) == bare }); i >= 0 {
		return models[i], true
	}
	return catwalk.Model{}, false
}

// undated cuts "-20250929", "-2025-09-29" and "-latest" off an id.
func undated(id string) string {
	id = strings.TrimSuffix(strings.ToLower(id), "-latest")
	for _, layout := range []string{"-0000-00-00", "-00000000"} {
		n := len(id) - len(layout)
		if n <= 0 {
			continue
		}
		digits := strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return '0'
			}
			return r
		}, id[n:])
		if digits == layout && strings.Contains(id[n:], "20") {
			return id[:n]
		}
	}
	return id
}

func factsOf(m catwalk.Model) Facts {
	return Facts{
		ContextWindow: int(m.ContextWindow),
		MaxOutput:     int(m.DefaultMaxTokens),
		Thinking:      m.CanReason,
		Efforts:       slices.Clone(m.ReasoningLevels),
		Images:        m.SupportsImages,
		Price:         priceOf(m),
		Known:         true,
	}
}

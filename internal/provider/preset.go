package provider

import (
	"fmt"
	"slices"
	"strings"
)

// Preset is a provider that a user can name.
type Preset struct {
	Name string
	// Wires are the protocols it speaks; a later one is tried where the server
	// refuses the shape of the one before.
	Wires []Wire
	// BaseURL is empty where the user must give it.
	BaseURL string
	// KeyEnv is the vendor's own variable for the key; empty when there is none.
	KeyEnv string
	// Keyless says that the server works without a key.
	Keyless bool
	// Local says that it runs on this machine: free, and described by nobody
	// but itself.
	Local bool

	catalogue string // its name in the catalogue
	prefix    string // what the catalogue puts before its ids
	model     string // default model where the catalogue names none
}

// presets in the order in which a key decides the provider.
var presets = []Preset{
	{Name: "anthropic", Wires: []Wire{WireAnthropic}, BaseURL: "https://api.anthropic.com", KeyEnv: "ANTHROPIC_API_KEY", catalogue: "anthropic"},
	{Name: "openai", Wires: []Wire{WireResponses, WireOpenAI}, BaseURL: "https://api.openai.com/v1", KeyEnv: "OPENAI_API_KEY", catalogue: "openai"},
	{Name: "gemini", Wires: []Wire{WireGemini}, BaseURL: "https://generativelanguage.googleapis.com", KeyEnv: "GEMINI_API_KEY", catalogue: "gemini"},
	{Name: "openrouter", Wires: []Wire{WireOpenAI}, BaseURL: "https://openrouter.ai/api/v1", KeyEnv: "OPENROUTER_API_KEY", catalogue: "openrouter"},
	{Name: "groq", Wires: []Wire{WireOpenAI}, BaseURL: "https://api.groq.com/openai/v1", KeyEnv: "GROQ_API_KEY", catalogue: "groq"},
	{Name: "deepseek", Wires: []Wire{WireOpenAI}, BaseURL: "https://api.deepseek.com/v1", KeyEnv: "DEEPSEEK_API_KEY", catalogue: "deepseek"},
	{Name: "xai", Wires: []Wire{WireOpenAI}, BaseURL: "https://api.x.ai/v1", KeyEnv: "XAI_API_KEY", catalogue: "xai"},
	{
		Name: "mistral", Wires: []Wire{WireOpenAI}, BaseURL: "https://api.mistral.ai/v1", KeyEnv: "MISTRAL_API_KEY",
		// The catalogue has this vendor's models only behind a gateway.
		catalogue: "openrouter", prefix: "mistralai/", model: "mistral-medium-latest",
	},
	{Name: "ollama", Wires: []Wire{WireOpenAI}, BaseURL: "http://localhost:11434/v1", Keyless: true, Local: true},
	{Name: "lmstudio", Wires: []Wire{WireOpenAI}, BaseURL: "http://localhost:1234/v1", Keyless: true, Local: true},
	{Name: "custom-openai", Wires: []Wire{WireOpenAI}, Keyless: true},
	{Name: "custom-responses", Wires: []Wire{WireResponses}, Keyless: true},
	{Name: "custom-anthropic", Wires: []Wire{WireAnthropic}, Keyless: true},
	{Name: "custom-gemini", Wires: []Wire{WireGemini}, Keyless: true},
	{Name: "script", Wires: []Wire{WireScript}, Keyless: true, Local: true},
}

// Presets lists the providers in the order in which they are tried.
func Presets() []Preset { return slices.Clone(presets) }

// FindPreset returns a preset; for an unknown name the error lists the valid
// ones.
func FindPreset(name string) (Preset, error) {
	if p, ok := find(name); ok {
		return p, nil
	}
	names := make([]string, len(presets))
	for i, p := range presets {
		names[i] = p.Name
	}
	return Preset{}, fmt.Errorf("unknown provider %q; use one of: %s", name, strings.Join(names, ", "))
}

func find(name string) (Preset, bool) {
	i := slices.IndexFunc(presets, func(p Preset) bool { return p.Name == name })
	if i < 0 {
		return Preset{}, false
	}
	return presets[i], true
}

// KeyHint says where the key of a preset is set, for the text of a failure.
func (p Preset) KeyHint() string {
	if p.KeyEnv == "" {
		return "set ASSENT_API_KEY or apiKey in the config"
	}
	return "set " + p.KeyEnv + " (or ASSENT_API_KEY, or apiKey in the config) to a valid key"
}

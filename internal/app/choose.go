package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"

	"assent/internal/config"
	"assent/internal/credential"
	"assent/internal/host"
	"assent/internal/medium"
	"assent/internal/proc"
	"assent/internal/provider"
)

// choice is a provider and a model with all that is needed to reach it.
type choice struct {
	preset  provider.Preset
	baseURL string
	model   string
	key     *credential.Source // nil when the server takes none
	// keyFrom says where the key comes from, for people; "" without one.
	keyFrom string
	stored  bool // the key is one of the stored ones
}

// commandFrom begins keyFrom where a command prints the key.
const commandFrom = "credential command "

// typedHere is where a key comes from that the user just typed.
const typedHere = "what you typed"

// anyModel stands for a model where none is needed, as to list them.
const anyModel = "any"

// choose resolves provider, base URL, key and model. The error is a
// *UsageError that says what to set.
func (a *App) choose(ctx context.Context, l loaded, catalogue *provider.Catalogue) (choice, error) {
	name := l.Provider
	silent := ""
	if name == "" {
		var err error
		if name, err = a.firstWithKey(ctx, l); errors.Is(err, credential.ErrRing) {
			silent = "; " + err.Error()
		} else if err != nil {
			return choice{}, err
		}
	}
	if foreign, _, ok := strings.Cut(l.Model, "/"); name == "" && ok && l.layer("model") != layerFile && silent == "" {
		return choice{}, &UsageError{&unreadyError{config.Unknown("provider", foreign, Providers()), "; or give --provider NAME, if " + l.Model + " is the id of its model"}}
	}
	if name == "" {
		return choice{}, usagef("%w: set a key (%s), or name a server of this machine, which needs none (`assent --provider ollama`, or lmstudio), or run `assent config set provider NAME`; `assent demo` works without any%s", errNoProvider, strings.Join(a.keyVariables(), ", "), silent)
	}
	preset, err := provider.FindPreset(name)
	if err != nil {
		return choice{}, &UsageError{err}
	}
	c := choice{preset: preset, baseURL: preset.BaseURL}
	if l.BaseURL != "" && l.meant("baseUrl", name) {
		c.baseURL = l.BaseURL
	}
	if c.baseURL == "" && name != "script" {
		return choice{}, &UsageError{&unreadyError{"the provider " + name + " needs an address", ": give --base-url, set ASSENT_BASE_URL or baseUrl in your config"}}
	}
	if l.meant("model", name) {
		c.model = l.Model
	}
	if c.model == "" {
		c.model = catalogue.Default(name)
	}
	if err := a.credential(ctx, &c, l); err != nil {
		return choice{}, err
	}
	if c.model == "" {
		return choice{}, &UsageError{&noModelError{c}}
	}
	return c, nil
}

// layer is where a value came from.
type layer int

const (
	layerSaid layer = iota // a flag, or what the user chose since
	layerEnv
	layerFile
)

func (l loaded) layer(field string) layer {
	from := l.Source[field]
	switch {
	case strings.HasPrefix(from, "ASSENT_"):
		return layerEnv
	case strings.HasPrefix(from, l.paths.File()+":"), strings.HasPrefix(from, config.ProjectFile(l.root)+":"):
		return layerFile
	}
	return layerSaid
}

// meant reports whether a value is meant for a provider. What stands beside
// the name of another provider is that one's, and what stands beside none is
// the one's that the run began with: a key must not go to a server that it was
// not meant for.
func (l loaded) meant(field, name string) bool {
	owner := ""
	switch l.layer(field) {
	case layerSaid:
		return true
	case layerEnv:
		owner = l.EnvProvider
	case layerFile:
		owner = l.FileProvider
	}
	if owner == "" {
		owner = l.begun
	}
	return owner == "" || owner == name
}

// at is the configuration as it is for a provider and a model that the user
// chose since the start; from says where. Without a model it is the
// provider's own.
func (l loaded) at(name, model, from string) loaded {
	l.Source = maps.Clone(l.Source)
	if l.Source == nil {
		l.Source = map[string]string{}
	}
	if name != l.begun {
		if l.layer("baseUrl") == layerSaid {
			l.BaseURL = "" // the flag was for the provider of the start
		}
		if l.layer("model") == layerSaid {
			l.Model = ""
		}
	}
	l.Provider = name
	if model != "" {
		l.Model, l.Source["model"] = model, from
	}
	return l
}

// tried is the configuration with an address and a key that are not stored yet.
func (l loaded) tried(asked host.Models) loaded {
	l.typed, l.setup = strings.TrimSpace(asked.Key), asked.Setup
	if asked.BaseURL != "" {
		l.Source = maps.Clone(l.Source)
		l.BaseURL, l.Source["baseUrl"] = asked.BaseURL, "the set-up"
	}
	return l
}

// vault holds the stored keys. There is one for the whole run, so that a
// keyring that does not answer is waited for once.
func (a *App) vault(l loaded) *credential.Vault {
	a.vaultOnce.Do(func() { a.stored = credential.NewVault(a.env.Keyring, l.paths.State) })
	return a.stored
}

// firstWithKey is the provider when nobody named one: the first preset that
// has a key. The error is the context's, or a keyring's that cannot be used
// where no key is found elsewhere.
//
// A key that belongs to no provider names none: it must not go to one that was
// only guessed.
func (a *App) firstWithKey(ctx context.Context, l loaded) (string, error) {
	if l.APIKey != "" && l.layer("apiKey") == layerEnv && l.BaseURL == "" {
		return "", ownerless("ASSENT_API_KEY")
	}
	for _, p := range provider.Presets() {
		if p.KeyEnv != "" && a.get(p.KeyEnv) != "" {
			return p.Name, nil
		}
	}
	switch {
	case l.BaseURL != "":
		return "custom-openai", nil
	case l.APIKey != "":
		return "", ownerless("apiKey (" + l.Source["apiKey"] + ")")
	case len(l.Credential) > 0 || l.CredentialLine != "":
		return "", ownerless("credential (" + l.Source["credential"] + ")")
	}
	vault := a.vault(l)
	var silent error
	for _, p := range provider.Presets() {
		if p.KeyEnv == "" {
			continue
		}
		key, _, err := vault.Get(ctx, p.Name)
		switch {
		case ctx.Err() != nil:
			return "", context.Cause(ctx)
		case errors.Is(err, credential.ErrRing):
			silent = err // the file may hold a key of the next one
		case err == nil && key != "":
			return p.Name, nil
		}
	}
	return "", silent
}

// ownerless says that a key stands beside no provider.
func ownerless(from string) error {
	return &UsageError{&unreadyError{
		from + " gives a key, and nothing says which provider it is for",
		": give --provider NAME, or set ASSENT_PROVIDER or provider in your config",
	}}
}

// keyHint says where the key that is sent comes from, for the text of a failure;
// where it is stored, the store itself says.
func (c choice) keyHint() string {
	switch from := c.keyFrom; {
	case c.key == nil:
		return "no key was sent: " + c.preset.KeyHint()
	case from == typedHere, c.stored:
		return ""
	case strings.HasPrefix(from, commandFrom):
		return "the key comes from credential " + strings.TrimPrefix(from, commandFrom)
	case strings.Contains(from, ":"):
		return "the key comes from apiKey (" + from + "): put a valid one there"
	default:
		return "the key comes from " + from + ": set it to a valid one"
	}
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

// advised is an error with the flag that mends it.
type advised struct {
	err    error
	advice string
}

// Error says what is wrong and what to give.
func (e *advised) Error() string { return e.err.Error() + e.advice }

// Unwrap is what is wrong.
func (e *advised) Unwrap() error { return e.err }

// unadvised is what is wrong where no flag can be given.
func unadvised(err error) string {
	if missing, ok := unready(err); ok && missing != "" {
		return missing
	}
	if e := (*advised)(nil); errors.As(err, &e) {
		return e.err.Error()
	}
	return err.Error()
}

// credential finds the key: ASSENT_API_KEY, the vendor's variable, the user's
// config, the credential command, the stored keys.
func (a *App) credential(ctx context.Context, c *choice, l loaded) error {
	if c.preset.Name == "script" {
		if c.model == "" {
			return usagef("the script provider plays a file: give --model FILE")
		}
		if _, err := os.Stat(c.model); err != nil {
			return &UsageError{&advised{fmt.Errorf("open the script %s: %w", c.model, medium.Plain(err, "file or folder")), "; give --model FILE"}}
		}
		return nil
	}
	vault := a.vault(l)
	o := credential.Options{Provider: c.preset.Name, BaseURL: c.baseURL, Cache: l.paths.State, Vault: vault, Learn: func(key string) { a.mask.Learn(key) }}
	if !l.setup {
		o.Another = "/provider in the terminal UI stores another"
	}
	switch {
	case l.typed != "":
		o.Key, c.keyFrom = l.typed, typedHere
	case l.APIKey != "" && l.layer("apiKey") == layerEnv && l.meant("apiKey", c.preset.Name):
		o.Key, c.keyFrom = l.APIKey, l.Source["apiKey"]
	case c.preset.KeyEnv != "" && a.get(c.preset.KeyEnv) != "":
		o.Key, c.keyFrom = strings.TrimSpace(a.get(c.preset.KeyEnv)), c.preset.KeyEnv
	case l.APIKey != "" && l.layer("apiKey") == layerFile && l.meant("apiKey", c.preset.Name):
		o.Key, c.keyFrom = l.APIKey, l.Source["apiKey"]
	case (len(l.Credential) > 0 || l.CredentialLine != "") && l.meant("credential", c.preset.Name):
		o.Command, c.keyFrom = l.Credential, commandFrom+"("+l.Source["credential"]+")"
		if l.CredentialLine != "" {
			var err error
			if o.Command, err = proc.Shell(l.CredentialLine); err != nil {
				return usagef("credential (%s): %w", l.Source["credential"], err)
			}
		}
	case c.preset.Local:
		return nil
	default:
		key, where, err := vault.Get(ctx, c.preset.Name)
		switch {
		case errors.Is(err, credential.ErrRing) && c.preset.Keyless:
			return nil
		case err != nil && ctx.Err() != nil:
			return err
		case errors.Is(err, credential.ErrRing):
			return usagef("%w; unlock it, or set %s or ASSENT_API_KEY", err, c.preset.KeyEnv)
		case err != nil:
			return &UsageError{err}
		case key == "" && c.preset.Keyless:
			return nil
		case key == "":
			return &UsageError{&unreadyError{"no key for " + c.preset.Name, ": set " + c.preset.KeyEnv + " or ASSENT_API_KEY, or store one with /provider in the terminal UI (run `assent`)"}}
		}
		c.keyFrom, c.stored = where, true
	}
	c.key = credential.New(o)
	return nil
}

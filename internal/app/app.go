package app

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"assent/internal/config"
	"assent/internal/credential"
	"assent/internal/guard"
	"assent/internal/llm"
	"assent/internal/medium"
	"assent/internal/prompt"
	"assent/internal/provider"
	"assent/internal/redact"
	"assent/internal/tool"
	"assent/internal/trust"
)

// Env is what a run is given from outside.
type Env struct {
	Version string
	In      *os.File
	Out     io.Writer
	Err     io.Writer
	// Lookup reads a variable of the environment.
	Lookup func(string) (string, bool)
	// Interrupted reports whether what ended a context is the user's ctrl+c;
	// nil takes nothing for it.
	Interrupted func(cause error) bool
	// Keyring holds stored keys; nil is the operating system's.
	Keyring credential.Ring
}

// App builds conversations and carries out commands.
type App struct {
	env Env
	// mask knows every key that this process has had in its hands.
	mask *redact.Masker

	vaultOnce sync.Once
	stored    *credential.Vault
}

// New returns the builder; it opens nothing.
func New(e Env) *App { return &App{env: e, mask: redact.New()} }

// Version is the first line of `assent version`.
func Version(v string) string {
	return fmt.Sprintf("assent %s (%s %s/%s)", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// get reads a variable; an unset one is empty.
func (a *App) get(name string) string {
	v, _ := a.env.Lookup(name)
	return v
}

// home is the user's home folder, "" when there is none.
func (a *App) home() string {
	if h := a.get("HOME"); h != "" {
		return h
	}
	return a.get("USERPROFILE")
}

// wide reports whether a root is the home folder or the root of a file system,
// which hold more than a project. The root is a real path and the home folder
// is as the environment spells it, which may be by a link.
func (a *App) wide(root string) bool {
	if root == filepath.VolumeName(root)+string(filepath.Separator) {
		return true
	}
	home, err := filepath.EvalSymlinks(a.home())
	return err == nil && root == home
}

func (a *App) paths() (config.Paths, error) {
	p, err := config.FindPaths(a.env.Lookup, a.home())
	if err != nil {
		return p, &UsageError{err}
	}
	for _, dir := range []string{p.Config, p.Data, p.State} {
		if info, err := os.Stat(dir); err == nil && !info.IsDir() {
			return p, usagef("%s is where assent keeps its files, and it is no folder; set ASSENT_HOME to a folder", dir)
		}
	}
	return p, nil
}

// root is the real path of the workspace that a flag names, the current
// directory without one.
func root(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	real := abs
	if err == nil {
		real, err = filepath.EvalSymlinks(abs)
	}
	var info os.FileInfo
	if err == nil {
		info, err = os.Stat(real)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", usagef("open the workspace %s: there is no such folder; make it, or name another with -C DIR", abs)
	case err != nil:
		return "", usagef("open the workspace %s: %w", abs, medium.Plain(err, "file or folder"))
	case !info.IsDir():
		return "", usagef("open the workspace %s: it is a file; name its folder with -C DIR", abs)
	}
	return real, nil
}

// words are the valid words of config fields.
func (a *App) words() config.Words {
	w := config.Words{
		Agents:   prompt.Agents(),
		ToolSets: []string{tool.EditPlus, tool.Git, tool.Net},
		ToolKeys: offeredNames(), LaterTools: plannedNames,
		Guards: []string{guard.Destructive, guard.Secrets, guard.Protect},
		Proxy:  provider.CheckProxy,
	}
	for _, p := range provider.Presets() {
		w.Providers = append(w.Providers, p.Name)
	}
	for _, l := range llm.Levels() {
		w.Levels = append(w.Levels, string(l))
	}
	return w
}

// loaded is the configuration of a workspace.
type loaded struct {
	config.Config
	paths config.Paths
	root  string
	trust trust.State
	// begun is the provider that the run began with, "" before that is known.
	begun string
	// typed is a key that the user just typed and that is not stored yet.
	typed string
	// setup says that a dialog asks which takes another key.
	setup bool
}

// trustStore is the store of trusted projects.
func trustStore(p config.Paths) *trust.Store { return trust.Open(filepath.Join(p.Data, "trust.json")) }

// load reads the configuration for a workspace with the flags over it.
func (a *App) load(f Flags) (loaded, error) {
	var l loaded
	var err error
	if l.paths, err = a.paths(); err != nil {
		return l, err
	}
	if l.root, err = root(f.Dir); err != nil {
		return l, err
	}
	if l.trust, err = trustStore(l.paths).Look(l.root); err != nil {
		return l, &UsageError{err}
	}
	read := func() (config.Config, error) {
		from := config.Sources{
			User: l.paths.File(), Project: config.ProjectFile(l.root), Root: l.root, Trusted: l.trust.Trusted, NoHooks: f.NoHooks,
			Env: a.env.Lookup, Flags: values(f), Words: a.words(),
		}
		if f.demo { // it is the same for everyone
			from.User, from.Env = "", nil
		}
		return config.Load(from)
	}
	l.Config, err = read()
	// A project may also be trusted by the user's own config.
	if err == nil && !l.trust.Trusted && slices.Contains(l.Trust, l.root) {
		l.trust.Trusted = true
		l.Config, err = read()
	}
	if err != nil {
		return l, &UsageError{err}
	}
	a.masker(l) // from here on nothing that is written down holds its key
	if l.trust.Trusted && !f.NoHooks && slices.Contains(l.trust.Brings, trust.Hooks) {
		return l, usagef("%s: this version runs no hooks yet, and nothing may pass a hook that could not decide; run with --no-hooks, or trust the project no longer (assent trust --revoke)", filepath.Join(l.root, filepath.FromSlash(trust.Hooks)))
	}
	return l, nil
}

// values are the flags that stand for config fields.
func values(f Flags) map[string]string {
	v := map[string]string{}
	add := func(name, value string) {
		if value != "" {
			v[name] = value
		}
	}
	add("agent", f.Agent)
	add("thinking", f.Think)
	add("provider", f.Provider)
	add("baseUrl", f.BaseURL)
	if name, id, ok := strings.Cut(f.Model, "/"); ok && f.Provider == "" && isPreset(name) {
		add("provider", name)
		add("model", id)
	} else {
		add("model", f.Model)
	}
	return v
}

func isPreset(name string) bool {
	_, err := provider.FindPreset(name)
	return err == nil
}

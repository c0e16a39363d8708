package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"assent/internal/config"
	"assent/internal/proc"
	"assent/internal/provider"
)

// finding is one line of the doctor's report.
type finding struct {
	Name string `json:"name"`
	// State is ok, warn, missing or error.
	State  string `json:"state"`
	Detail string `json:"detail"`
}

// Doctor prints what was found: config, keys, programs, terminal, tools. It
// changes nothing and sends nothing. A config that cannot be read is an error
// once everything is printed.
func (a *App) Doctor(ctx context.Context, f Flags, asJSON bool) error {
	var list []finding
	add := func(name, state, format string, args ...any) {
		list = append(list, finding{name, state, fmt.Sprintf(format, args...)})
	}
	add("version", "ok", "%s", Version(a.env.Version))
	l, err := a.load(f)
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			add("config", "error", "%s", strings.TrimSpace(line))
		}
		list = append(list, a.checkPlace(f)...)
	} else {
		list = append(list, a.checkConfig(ctx, l, f)...)
	}
	list = append(list, a.checkPrograms()...)
	add("terminal", "ok", "%s", a.terminalFacts())
	list = append(list, checkTools(asJSON)...)
	if asJSON {
		if err := a.json(list); err != nil {
			return err
		}
	} else {
		rows := [][]string{{"WHAT", "STATE", "DETAIL"}}
		for _, d := range list {
			rows = append(rows, []string{d.Name, d.State, d.Detail})
		}
		if err := a.table(rows...); err != nil {
			return err
		}
	}
	if err != nil {
		return errUnsound
	}
	return nil
}

// errUnsound says what a script is to know of a report with an error in it.
var errUnsound = errors.New("the configuration has faults; `assent config check` lists them")

// checkPlace reports on what does not depend on the config.
func (a *App) checkPlace(f Flags) []finding {
	var list []finding
	if r, err := root(f.Dir); err == nil {
		list = append(list, finding{"workspace", "ok", r + onBranch(r)})
	}
	if p, err := a.paths(); err == nil {
		list = append(list, finding{"sessions", "ok", filepath.Join(p.Data, "sessions")})
	}
	return list
}

// checkTools weighs the tools, for scripts each one.
func checkTools(each bool) []finding {
	var list []finding
	bytes := 0
	all := tools(unwired)
	for _, t := range all {
		spec := t.Spec()
		size := len(spec.Name) + len(spec.Description) + len(spec.Schema)
		bytes += size
		list = append(list, finding{"tool " + t.Name(), "ok", fmt.Sprintf("%s, set %s, %d bytes", t.Effect(), t.Set(), size)})
	}
	if each {
		return list
	}
	return []finding{{"tools", "ok", fmt.Sprintf("%d tools, %d bytes of schemas (--json lists each)", len(all), bytes)}}
}

// checkConfig reports on the configuration that was read.
func (a *App) checkConfig(ctx context.Context, l loaded, f Flags) []finding {
	var list []finding
	add := func(name, state, format string, args ...any) {
		list = append(list, finding{name, state, fmt.Sprintf(format, args...)})
	}
	for _, file := range []struct{ name, path string }{{"config", l.paths.File()}, {"project config", config.ProjectFile(l.root)}} {
		state := "ok"
		if _, err := os.Stat(file.path); err != nil {
			state = "missing"
		}
		add(file.name, state, "%s", file.path)
	}
	for _, h := range l.Held {
		add("project config", "warn", "%s", h)
	}
	for _, note := range l.Idle {
		add("config", "warn", "%s", note)
	}
	switch {
	case l.trust.Trusted:
		add("trust", "ok", "this project is trusted")
	case len(l.trust.Brings) == 0:
		add("trust", "ok", "this project brings nothing that needs trust")
	default:
		add("trust", "warn", "not trusted: %s (assent trust --show)", strings.Join(l.trust.Brings, ", "))
	}
	add("workspace", "ok", "%s%s", l.root, onBranch(l.root))
	add("sessions", "ok", "%s", filepath.Join(l.paths.Data, "sessions"))
	for _, p := range provider.Presets() {
		if p.KeyEnv != "" && a.get(p.KeyEnv) != "" {
			add("key "+p.Name, "ok", "%s=%s", p.KeyEnv, config.Mask(a.get(p.KeyEnv)))
		}
	}
	m, err := a.newModels(l)
	if err != nil {
		add("network", "warn", "%v", err)
		return list
	}
	c, err := a.choose(ctx, l, m.catalogue)
	if err != nil {
		add("provider", "warn", "%v", err)
		return list
	}
	from := "no key needed"
	if c.keyFrom != "" {
		from = "key from " + c.keyFrom
	}
	add("provider", "ok", "%s, model %s, %s, %s", c.preset.Name, c.model, address(c.baseURL), from)
	if facts := m.facts(c); !facts.Known && c.preset.Name != "script" {
		add("model", "warn", "%s is not in the catalogue: its window and price are not known; the field models of the config can say", c.model)
	}
	if _, err := rules(l, f); err != nil {
		add("permission", "warn", "%v", err)
	}
	return list
}

// address is a URL without what may be secret in it.
func address(base string) string {
	if base == "" {
		return "no address"
	}
	shown, _, _ := strings.Cut(config.MaskAddress(base), "?")
	return shown
}

func onBranch(root string) string {
	if b := branch(root); b != "" {
		return " on branch " + b
	}
	return ", no git repository"
}

// terminalFacts are the variables that say how the terminal is drawn for: those
// that are set and do something, and what.
func (a *App) terminalFacts() string {
	name, plain := a.get("TERM"), a.get("NO_COLOR")
	switch {
	case name == "dumb":
		return "TERM=dumb (lines only, as --plain)"
	case name == "":
		name = "TERM is not set"
	default:
		name = "TERM=" + name
	}
	if plain != "" {
		name += ", NO_COLOR=" + plain + " (bold and underline only)"
	}
	return name
}

// checkPrograms looks for the optional programs.
func (a *App) checkPrograms() []finding {
	var list []finding
	for _, p := range []struct{ name, without string }{
		{"git", "the git tools are of no use without it"},
		{"rg", "the built-in searcher is used"},
	} {
		path := proc.Find(p.name)
		if path == "" {
			list = append(list, finding{p.name, "missing", p.without})
			continue
		}
		list = append(list, finding{p.name, "ok", path})
	}
	argv, err := proc.Shell("")
	if err != nil {
		return append(list, finding{"shell", "error", err.Error()})
	}
	return append(list, finding{"shell", "ok", argv[0]})
}

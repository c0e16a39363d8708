package app

import (
	"context"
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
	// State is ok, warn or missing.
	State  string `json:"state"`
	Detail string `json:"detail"`
}

// Doctor prints what was found: config, keys, programs, terminal, tools. It
// changes nothing and sends nothing.
func (a *App) Doctor(_ context.Context, f Flags, asJSON bool) error {
	var list []finding
	add := func(name, state, format string, args ...any) {
		list = append(list, finding{name, state, fmt.Sprintf(format, args...)})
	}
	add("version", "ok", "%s", Version(a.env.Version))
	l, err := a.load(f)
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			add("config", "warn", "%s", strings.TrimSpace(line))
		}
	} else {
		list = append(list, a.checkConfig(l, f)...)
	}
	list = append(list, a.checkPrograms()...)
	add("terminal", "ok", "TERM=%s NO_COLOR=%s", a.get("TERM"), a.get("NO_COLOR"))
	for _, t := range tools(unwired) {
		spec := t.Spec()
		add("tool "+t.Name(), "ok", "%s, set %s, %d bytes", t.Effect(), t.Set(), len(spec.Name)+len(spec.Description)+len(spec.Schema))
	}
	if asJSON {
		return a.json(list)
	}
	rows := [][]string{{"WHAT", "STATE", "DETAIL"}}
	for _, d := range list {
		rows = append(rows, []string{d.Name, d.State, d.Detail})
	}
	return a.table(rows...)
}

// checkConfig reports on the configuration that was read.
func (a *App) checkConfig(l loaded, f Flags) []finding {
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
	c, err := a.choose(l, m.catalogue)
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
	before, rest, ok := strings.Cut(base, "://")
	if !ok {
		return base
	}
	if i := strings.LastIndex(rest, "@"); i >= 0 {
		rest = rest[i+1:]
	}
	rest, _, _ = strings.Cut(rest, "?")
	return before + "://" + rest
}

func onBranch(root string) string {
	if b := branch(root); b != "" {
		return " on branch " + b
	}
	return ", no git repository"
}

// checkPrograms looks for the optional programs.
func (a *App) checkPrograms() []finding {
	var list []finding
	for _, p := range []struct{ name, without string }{
		{"git", "the git tools are of no use without it"},
		{"rg", "the built-in searcher is used"},
		{"bash", "sh is used"},
	} {
		path := proc.Find(p.name)
		if path == "" {
			list = append(list, finding{p.name, "missing", p.without})
			continue
		}
		list = append(list, finding{p.name, "ok", path})
	}
	return list
}

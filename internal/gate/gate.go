package gate

import (
	"context"
	"sync"

	"assent/internal/guard"
	"assent/internal/policy"
	"assent/internal/proc"
	"assent/internal/workspace"
)

// Options builds a Gate. A nil Asker is as Headless: there is nobody to ask.
type Options struct {
	// Workspace is what paths are resolved in and hands reach into.
	Workspace *workspace.Workspace
	// Home is what rules call "~"; empty when they cannot.
	Home  string
	Rules policy.Rules
	// Guards refuse first; nothing lifts what they say.
	Guards []guard.Guard
	// Mode narrows what the agent may do; the zero value does not.
	Mode Mode
	// Yolo folds ask into allow. It lifts neither a guard nor a deny.
	Yolo bool
	// Headless denies what would ask.
	Headless bool
	// Hooks run before a call; nil means that there are none.
	Hooks Hooks
	Asker Asker
	// Procs holds running commands for Interrupt; nil runs none.
	Procs *proc.Table
	// Fetch reaches the hosts that calls were allowed to; nil reaches none.
	Fetch Fetcher
	// Remember makes a rule that the user granted last for this project; nil
	// grants for the session only, and says so to whoever chose the project.
	Remember func(context.Context, policy.Rule) error
	// ConfigHome is XDG_CONFIG_HOME, for git's own ignore rules; empty means
	// .config in Home.
	ConfigHome string
}

// Gate decides calls. It is safe for concurrent use.
type Gate struct {
	*house
	// parent is the gate of the agent that started this one's.
	parent *Gate

	mu   sync.Mutex
	mode Mode
}

// house is what a gate shares with those of its subagents.
type house struct {
	options Options
	// home is where the links of Options.Home lead.
	home    string
	seen    seen
	repeat  repeat
	waiting waiting
	indexes indexes

	mu    sync.Mutex
	rules policy.Rules
}

// New makes a gate.
func New(o Options) *Gate {
	h := &house{options: o, rules: o.Rules, home: o.Home}
	if o.Workspace != nil && o.Home != "" {
		if p, err := o.Workspace.Resolve(o.Home, ""); err == nil {
			h.options.Home, h.home = p.Abs, p.Real
		}
	}
	return &Gate{house: h, mode: o.Mode}
}

// disk answers what a decision must know of the disk.
func (h *house) disk() paths {
	return paths{Workspace: h.options.Workspace, home: h.options.Home, real: h.home, setting: h.setting}
}

// Child is the gate of a subagent: the same rules, guards, hooks, grants and
// asker, narrowed further by a mode of its own. A call must pass the modes of
// all its ancestors, as they are at the time of the call.
func (g *Gate) Child(m Mode) *Gate { return &Gate{house: g.house, parent: g, mode: m} }

// Begin starts a new turn: the repeat guard forgets.
func (g *Gate) Begin() { g.repeat.forget() }

// SetMode changes what the agent may do, from the next decision on.
func (g *Gate) SetMode(m Mode) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.mode = m
}

// modes are the modes that hold, the own one first.
func (g *Gate) modes() []Mode {
	var list []Mode
	for ; g != nil; g = g.parent {
		g.mu.Lock()
		list = append(list, g.mode)
		g.mu.Unlock()
	}
	return list
}

// Rules are the rules in force, with what the user granted for the session.
func (g *Gate) Rules() policy.Rules { return g.current() }

func (h *house) current() policy.Rules {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.rules
}

// add puts the user's grants to the rules.
func (h *house) add(rules ...policy.Rule) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rules = h.rules.With(rules...)
}

// Unreadable says whether the rules keep a tool from reading a path. One that
// cannot be resolved is not read.
func (g *Gate) Unreadable(tool, name string) bool {
	if g.options.Workspace == nil {
		return true
	}
	p, err := g.options.Workspace.Resolve(name, "")
	return err != nil || g.unreadable(tool, p) != nil
}

// unreadable says why a tool may not read a path, nil when it may.
func (h *house) unreadable(tool string, p workspace.Path) *DeniedError {
	return h.unreadableAt(tool, p, h.disk().place(p))
}

// unreadableAt is unreadable of a path that stands for a place.
func (h *house) unreadableAt(tool string, p workspace.Path, at policy.Place) *DeniedError {
	j, denied := h.current().ReadDenied(tool, at)
	if !denied {
		return nil
	}
	return &DeniedError{Path: p.Rel, Secret: j.By == policy.ByDefault, Reason: j.Reason}
}

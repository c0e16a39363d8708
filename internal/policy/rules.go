package policy

import (
	"cmp"
	"slices"
)

// Layer says where a rule comes from, and so what it may lift. Layers are
// read in this order.
type Layer int

// The layers.
const (
	// LayerDefault is built in.
	LayerDefault Layer = iota
	// LayerUser is the user's config.
	LayerUser
	// LayerProject is the config of a project that the user trusted.
	LayerProject
	// LayerUntrusted is the config of a project that nobody trusted: it may
	// tighten, never allow.
	LayerUntrusted
	// LayerAllow is --allow: it lifts no deny of the user's.
	LayerAllow
	// LayerGrant is what the user chose at a prompt ("always"), for a session
	// or a project: it lifts an ask, never a deny.
	LayerGrant
	// LayerDeny is --deny: it wins over everything.
	LayerDeny
)

// Rule is one (tool key, pattern) pair with its verdict.
type Rule struct {
	// Tool is a tool's name; it may hold "*" ("mcp__*").
	Tool string
	// Pattern is matched against subjects. Empty means that the tool's value
	// was a decision, not a table: the rule is about the tool as a whole.
	Pattern string
	Verdict Verdict
	Layer   Layer
	// Source says where the rule stands: file:line, a flag, "session",
	// "default".
	Source string
}

// String writes the rule as --allow and --deny take it: bash(git *).
func (r Rule) String() string {
	if r.Pattern == "" {
		return r.Tool
	}
	return r.Tool + "(" + r.Pattern + ")"
}

// Tool is what rules must know of a tool.
type Tool struct {
	Name   string
	Effect Effect
}

// Options make Rules.
type Options struct {
	Rules []Rule
	// Tools are all tools that there are. A deny of a path in the table of one
	// that writes binds all that write; likewise for reading. The tools of
	// other programs (MCP) need not be listed.
	Tools []Tool
}

// Names of the tools whose tables judge what a shell command does to files.
const (
	readTool  = "read_file"
	writeTool = "write_file"
)

// Rules are ordered rules, ready to decide. The zero value has none, and so
// leaves everything to the defaults. Rules are a value: With gives new ones.
type Rules struct {
	list    []rule
	tools   []Tool
	writers []string
	readers []string
	// writeDenies and readDenies say that some rule denies paths.
	writeDenies, readDenies bool
	// open lifts the layer of secret files; only tests of the other layers can.
	open bool
	// byTool are the places in list of the rules whose key matches a tool, for
	// the tools that are known.
	byTool map[string][]int
}

// rule is a compiled Rule.
type rule struct {
	Rule
	key, pat Pattern
	// own is pat as paths are matched by it, there the same on Windows.
	own, there pathPattern
	// any says that the pattern is a bare wildcard.
	any bool
}

// New compiles rules. They are ordered by layer and then as given.
func New(o Options) Rules {
	r := Rules{tools: o.Tools, writers: []string{writeTool}, readers: []string{readTool}}
	for _, t := range o.Tools {
		switch {
		case t.Effect == Write && t.Name != writeTool:
			r.writers = append(r.writers, t.Name)
		case t.Effect == Read && t.Name != readTool:
			r.readers = append(r.readers, t.Name)
		}
	}
	return r.With(o.Rules...)
}

// With returns the rules with more added, each at the end of its layer.
func (r Rules) With(more ...Rule) Rules {
	list := slices.Clone(r.list)
	for _, m := range more {
		c := rule{Rule: m, key: Compile(m.Tool), pat: Compile(m.Pattern)}
		c.any, c.own, c.there = c.pat.Any(), compilePath(m.Pattern), compilePath(native(m.Pattern))
		if m.Tool == "" {
			c.key = Compile("\x00") // an empty key names no tool
		}
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b rule) int { return cmp.Compare(a.Layer, b.Layer) })
	r.list = list
	r.byTool = make(map[string][]int, len(r.tools)+2)
	for _, t := range r.tools {
		r.byTool[t.Name] = matching(list, t.Name)
	}
	for _, name := range []string{readTool, writeTool} {
		r.byTool[name] = matching(list, name)
	}
	if len(r.writers) == 0 {
		r.writers, r.readers = []string{writeTool}, []string{readTool}
	}
	r.writeDenies, r.readDenies = r.denies(r.writers), r.denies(r.readers)
	return r
}

// matching gives the places of the rules whose key matches a tool.
func matching(list []rule, tool string) []int {
	var out []int
	for i := range list {
		if list[i].key.Match(tool) {
			out = append(out, i)
		}
	}
	return out
}

// All returns the rules in the order in which they are read.
func (r Rules) All() []Rule {
	out := make([]Rule, len(r.list))
	for i := range r.list {
		out[i] = r.list[i].Rule
	}
	return out
}

// denies says whether any rule denies something in a table of these tools.
func (r Rules) denies(tools []string) bool {
	return slices.ContainsFunc(r.list, func(c rule) bool {
		return c.Verdict == Deny && slices.ContainsFunc(tools, c.key.Match)
	})
}

// find returns the rule that decides for a tool, nil when none matches. match
// says whether a rule matches the subject; it is asked for rules whose key
// already matches the tool.
func (r Rules) find(tool string, match func(*rule) bool) *rule {
	var user, current, untrusted *rule
	folded := false
	fold := func() {
		if untrusted != nil && !folded && untrusted.Verdict != Allow && stricter(untrusted.Verdict, verdictOf(current)) {
			current = untrusted
		}
		folded = true
	}
	places, ok := r.byTool[tool]
	if !ok {
		places = matching(r.list, tool)
	}
	for _, i := range places {
		c := &r.list[i]
		if !match(c) {
			continue
		}
		if c.Layer > LayerUntrusted {
			fold()
		}
		switch c.Layer {
		case LayerDefault, LayerUser:
			user, current = c, c
		case LayerProject:
			current = c
		case LayerUntrusted:
			untrusted = c
		case LayerAllow:
			if verdictOf(current) != Deny || verdictOf(user) != Deny {
				current = c
			}
		case LayerGrant:
			if verdictOf(current) != Deny {
				current = c
			}
		case LayerDeny:
			return c
		}
	}
	fold()
	return current
}

// verdictOf is what a rule says; no rule says nothing, which is no deny and
// less strict than ask.
func verdictOf(c *rule) Verdict {
	if c == nil {
		return ""
	}
	return c.Verdict
}

// rank orders verdicts by strictness; an unknown word is the strictest, so
// that a mistake never widens access.
func rank(v Verdict) int {
	switch v {
	case Allow:
		return 1
	case Ask:
		return 2
	case Deny:
		return 3
	case "":
		return 0
	}
	return 4
}

func stricter(a, b Verdict) bool { return rank(a) > rank(b) }

// byDefault is the verdict of an effect that no rule speaks of.
func byDefault(e Effect) Verdict {
	if e == Read || e == State {
		return Allow
	}
	return Ask
}

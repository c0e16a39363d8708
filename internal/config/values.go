package config

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// verdicts are the decisions a rule may hold.
var verdicts = []string{"allow", "ask", "deny"}

func setCredential(c *Config, n node) {
	if n.value.Value.Kind() == '[' {
		if list, ok := n.strings("a word of the command", nil); ok && len(list) > 0 {
			c.Credential, c.CredentialLine = list, ""
		}
		return
	}
	if s, ok := n.str("a command"); ok && strings.TrimSpace(s) != "" {
		c.Credential, c.CredentialLine = nil, s
	}
}

// setPermission reads the ordered tables. A misspelt decision or tool is a
// fault and never widens access.
func setPermission(c *Config, n node) { addRules(c, n, false) }

// setProjects reads what the user granted by project; only the tables of the
// open project count.
func setProjects(c *Config, n node) {
	projects, ok := n.members()
	if !ok {
		return
	}
	for _, p := range projects {
		fields, ok := p.members()
		if !ok {
			continue
		}
		for _, f := range fields {
			if f.name(p) != "permission" {
				f.fault("%s", Unknown("field", f.name(p), []string{"permission"}))
				continue
			}
			into := &Config{}
			if p.name(n) == n.r.sources.Root {
				into = c
			}
			addRules(into, f, true)
		}
	}
}

// addRules appends the pairs of one permission object.
func addRules(c *Config, n node, grant bool) {
	tools, ok := n.members()
	if !ok {
		return
	}
	for _, t := range tools {
		key := t.name(n)
		words := n.r.sources.Words
		if !knownTool(key, words.ToolKeys) && (len(words.LaterTools) == 0 || !knownTool(key, words.LaterTools)) {
			t.fault("%s", Unknown("tool", key, n.r.sources.Words.ToolKeys))
			continue
		}
		if t.value.Value.Kind() != '{' {
			addRule(c, t, Rule{Tool: key, Grant: grant})
			continue
		}
		patterns, ok := t.members()
		if !ok {
			continue
		}
		for _, p := range patterns {
			if p.name(t) == "" {
				p.fault("a pattern may not be empty")
				continue
			}
			addRule(c, p, Rule{Tool: key, Pattern: p.name(t), Grant: grant})
		}
	}
}

// addRule appends one pair; an untrusted project's allow is held back.
func addRule(c *Config, n node, r Rule) {
	verdict, ok := n.oneOf("decision", verdicts)
	if !ok {
		return
	}
	if n.project && verdict == "allow" && !n.r.sources.Trusted {
		n.held(fmt.Sprintf("%s allow waits until you trust this project (assent trust)", r))
		return
	}
	r.Verdict, r.Source, r.Project, r.Trusted = verdict, n.place(), n.project, n.r.sources.Trusted
	c.Permission = append(c.Permission, r)
}

// knownTool reports whether a key names a tool, or may name several.
func knownTool(key string, valid []string) bool {
	return valid == nil || slices.Contains(valid, key) || key == "*" ||
		strings.HasPrefix(key, "mcp__") || strings.Contains(key, "*") && matchesOne(key, valid)
}

func matchesOne(key string, valid []string) bool {
	prefix, suffix, _ := strings.Cut(key, "*")
	return slices.ContainsFunc(valid, func(v string) bool {
		return strings.HasPrefix(v, prefix) && strings.HasSuffix(v, suffix)
	})
}

func setGuards(c *Config, n node) {
	members, ok := n.members()
	if !ok {
		return
	}
	if c.Guards == nil {
		c.Guards = map[string]Guard{}
	}
	for _, m := range members {
		name := m.name(n)
		if valid := n.r.sources.Words.Guards; valid != nil && !slices.Contains(valid, name) {
			m.fault("%s", Unknown("guard", name, valid))
			continue
		}
		if m.value.Value.Kind() != '{' {
			if on, ok := m.boolean("on or off"); ok {
				c.Guards[name] = Guard{Off: !on}
			}
			continue
		}
		parts, ok := m.members()
		if !ok {
			continue
		}
		g := Guard{}
		for _, p := range parts {
			switch p.name(m) {
			case "except":
				g.Except, _ = p.strings("path pattern", nil)
			case "enabled":
				on, _ := p.boolean("on or off")
				g.Off = !on
			default:
				p.fault("%s", Unknown("field", p.name(m), []string{"enabled", "except"}))
			}
		}
		c.Guards[name] = g
	}
}

func setPlugins(c *Config, n node) {
	members, ok := n.members()
	if !ok {
		return
	}
	if c.Plugins == nil {
		c.Plugins = map[string]bool{}
	}
	for _, m := range members {
		name := m.name(n)
		if valid := n.r.sources.Words.Plugins; valid != nil && !slices.Contains(valid, name) {
			m.fault("%s", Unknown("plugin", name, valid))
			continue
		}
		if on, ok := m.boolean("on or off"); ok {
			c.Plugins[name] = on
		}
	}
}

// setMaxSteps keeps the project's cap apart: it tightens that of an agent,
// which is not known here.
func setMaxSteps(c *Config, n node) {
	steps, ok := n.whole("a number of steps", 1)
	switch {
	case !ok:
	case !n.project:
		c.MaxSteps = steps
	case c.MaxSteps > 0 && steps >= c.MaxSteps:
		n.passOver()
	default:
		c.ProjectSteps = steps
	}
}

func setMaxCost(c *Config, n node) {
	cost, ok := n.number("a cost in USD", 0)
	switch {
	case !ok:
	case n.project && c.MaxCostUSD > 0 && (cost == 0 || cost >= c.MaxCostUSD):
		n.passOver()
	default:
		c.MaxCostUSD = cost
	}
}

// setAgent takes a project's agent only where the user chose none: the user's
// may be one that changes nothing.
func setAgent(c *Config, n node) {
	s, ok := n.oneOf("agent", n.r.sources.Words.Agents)
	switch {
	case !ok:
	case n.project && !n.r.sources.Trusted && c.Source["agent"] != "":
		n.held("agent " + s + " waits until you trust this project (assent trust); yours is " + c.Agent)
		n.passOver()
	default:
		c.Agent = s
	}
}

func setRetry(c *Config, n node) {
	members, ok := n.members()
	if !ok {
		return
	}
	for _, m := range members {
		switch m.name(n) {
		case "tries":
			c.Retry.Tries, _ = m.whole("a number of tries", 1)
		case "maxWait":
			c.Retry.MaxWaitSeconds, _ = m.whole("a number of seconds", 0)
		case "idle":
			c.Retry.IdleSeconds, _ = m.whole("a number of seconds", 1)
		default:
			m.fault("%s", Unknown("field", m.name(n), []string{"tries", "maxWait", "idle"}))
		}
	}
}

func setShell(c *Config, n node) {
	members, _ := n.members()
	for _, m := range members {
		switch m.name(n) {
		case "login":
			c.Shell.Login, _ = m.boolean("login")
		default:
			m.fault("%s", Unknown("field", m.name(n), []string{"login"}))
		}
	}
}

func setSessions(c *Config, n node) {
	members, _ := n.members()
	for _, m := range members {
		switch m.name(n) {
		case "keepDays":
			c.Sessions.KeepDays, _ = m.whole("a number of days", 0)
		default:
			m.fault("%s", Unknown("field", m.name(n), []string{"keepDays"}))
		}
	}
}

func setModels(c *Config, n node) {
	members, ok := n.members()
	if !ok {
		return
	}
	if c.Models == nil {
		c.Models = map[string]Model{}
	}
	for _, m := range members {
		model, ok := readModel(m)
		if ok {
			c.Models[m.name(n)] = model
		}
	}
}

// readModel checks each field by hand so that a fault has its line, then
// decodes.
func readModel(n node) (Model, bool) {
	members, ok := n.members()
	if !ok {
		return Model{}, false
	}
	for _, m := range members {
		var good bool
		switch name := m.name(n); name {
		case "contextWindow", "maxOutput":
			_, good = m.whole("a number of tokens", 1)
		case "thinking", "images":
			_, good = m.boolean(name)
		case "price":
			good = checkPrice(m)
		default:
			m.fault("%s", Unknown("field", name, []string{"contextWindow", "maxOutput", "thinking", "images", "price"}))
		}
		ok = ok && good
	}
	var model Model
	if !ok {
		return model, false
	}
	if err := json.Unmarshal(n.standard(), &model); err != nil {
		n.fault("%v", err)
		return model, false
	}
	return model, true
}

func checkPrice(n node) bool {
	members, ok := n.members()
	for _, m := range members {
		if valid := []string{"input", "output", "cacheRead", "cacheWrite"}; !slices.Contains(valid, m.name(n)) {
			m.fault("%s", Unknown("field", m.name(n), valid))
			ok = false
			continue
		}
		_, good := m.number("USD per million tokens", 0)
		ok = ok && good
	}
	return ok
}

package guard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"assent/internal/late"
	"assent/internal/policy"
)

// Manifest is a declarative plugin: rules that refuse.
type Manifest struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	// Appendix is text for the system prompt.
	Appendix string `json:"appendix,omitempty"`
	Deny     []Deny `json:"deny"`
}

// Deny is one refusal rule. It holds for a call of one of the tools of which a
// path matches PathPattern or a command matches CommandPattern (RE2, matched
// anywhere); with neither it holds for every call of the tools.
type Deny struct {
	// Tools are names of tools; a name may hold "*".
	Tools          []string `json:"tools"`
	PathPattern    string   `json:"pathPattern,omitempty"`
	CommandPattern string   `json:"commandPattern,omitempty"`
	Reason         string   `json:"reason"`
}

// Bounds of a manifest.
const (
	mostPattern  = 200
	mostRules    = 200
	mostText     = 2_000
	mostAppendix = 8_000
	mostManifest = 64 << 10
)

var pluginName = late.Regexp(`^[a-z0-9][a-z0-9-]{0,63}$`)

// ParseManifest reads a manifest strictly: unknown or doubled keys, keys in
// another case, patterns that do not compile and empty rules are errors that
// say where and why.
func ParseManifest(data []byte) (Manifest, error) {
	var m Manifest
	if len(data) > mostManifest {
		return m, fmt.Errorf("read the plugin: it is %d bytes long, at most %d are allowed", len(data), mostManifest)
	}
	if err := exactKeys(data); err != nil {
		return m, fmt.Errorf("read the plugin: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return Manifest{}, fmt.Errorf("read the plugin: %w", err)
	}
	if _, err := m.compile(); err != nil {
		return Manifest{}, err
	}
	return m, nil
}

// exactKeys refuses what the decoder would let pass: keys in another case,
// keys that stand twice, and text after the object.
func exactKeys(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	var stack []map[string]bool // nil for a list
	key := true
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if delim, ok := t.(json.Delim); ok {
			switch delim {
			case '{':
				stack, key = append(stack, map[string]bool{}), true
			case '[':
				stack, key = append(stack, nil), false
			default:
				stack = stack[:len(stack)-1]
				key = len(stack) > 0 && stack[len(stack)-1] != nil
			}
			continue
		}
		if len(stack) == 0 {
			return errors.New("it is not an object")
		}
		top := stack[len(stack)-1]
		if top == nil {
			continue
		}
		if name, ok := t.(string); key && ok {
			if top[name] {
				return fmt.Errorf("the key %q stands twice", name)
			}
			if name != strings.ToLower(name) && !slices.Contains([]string{"pathPattern", "commandPattern"}, name) {
				return fmt.Errorf("unknown key %q", name)
			}
			if slices.Contains([]string{"pathpattern", "commandpattern"}, name) {
				return fmt.Errorf("unknown key %q", name)
			}
			top[name] = true
			key = false
			continue
		}
		key = true
	}
}

// Guard makes the guard of a manifest.
func (m Manifest) Guard() (Guard, error) {
	rules, err := m.compile()
	if err != nil {
		return nil, err
	}
	return plugin{name: m.Name, rules: rules}, nil
}

// compile checks a manifest and makes rules of it.
func (m Manifest) compile() ([]pluginRule, error) {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("read the plugin %q: %w", m.Name, fmt.Errorf(format, args...))
	}
	switch {
	case !pluginName().MatchString(m.Name):
		return nil, fail("the name must be small letters, digits and dashes, at most 64")
	case strings.TrimSpace(m.Description) == "" || len(m.Description) > mostText:
		return nil, fail("the description must have 1 to %d bytes", mostText)
	case len(m.Appendix) > mostAppendix:
		return nil, fail("the appendix must have at most %d bytes", mostAppendix)
	case len(m.Deny) == 0 || len(m.Deny) > mostRules:
		return nil, fail("deny must hold 1 to %d rules", mostRules)
	case slices.Contains([]string{Destructive, Secrets, Protect}, m.Name):
		return nil, fail("the name is that of a builtin guard")
	}
	var out []pluginRule
	for i, d := range m.Deny {
		r := pluginRule{reason: d.Reason}
		if strings.TrimSpace(d.Reason) == "" || len(d.Reason) > mostText {
			return nil, fail("deny[%d]: the reason must have 1 to %d bytes", i, mostText)
		}
		if len(d.Tools) == 0 {
			return nil, fail("deny[%d]: tools must name at least one tool", i)
		}
		for _, t := range d.Tools {
			if strings.TrimSpace(t) == "" {
				return nil, fail("deny[%d]: a tool has no name", i)
			}
			r.tools = append(r.tools, policy.Compile(t))
		}
		var err error
		if r.path, err = compilePattern(d.PathPattern); err != nil {
			return nil, fail("deny[%d].pathPattern: %w", i, err)
		}
		if r.command, err = compilePattern(d.CommandPattern); err != nil {
			return nil, fail("deny[%d].commandPattern: %w", i, err)
		}
		out = append(out, r)
	}
	return out, nil
}

func compilePattern(text string) (*regexp.Regexp, error) {
	if text == "" {
		return nil, nil
	}
	if len(text) > mostPattern {
		return nil, fmt.Errorf("it is %d bytes long, at most %d are allowed", len(text), mostPattern)
	}
	return regexp.Compile(text)
}

// pluginRule is a compiled Deny.
type pluginRule struct {
	tools         []policy.Pattern
	path, command *regexp.Regexp
	reason        string
}

type plugin struct {
	name  string
	rules []pluginRule
}

func (p plugin) Name() string { return p.name }

// Check evaluates the rules on the subjects of the call.
func (p plugin) Check(c Call) *Refusal {
	for _, r := range p.rules {
		if !slices.ContainsFunc(r.tools, func(t policy.Pattern) bool { return t.Match(c.Tool) }) {
			continue
		}
		if part, hit := r.hits(c); hit {
			return &Refusal{Guard: p.name, Part: part, Reason: r.reason, Instead: "do it another way, or ask the user"}
		}
	}
	return nil
}

// hits says whether a rule is about a call, and which part of it.
func (r pluginRule) hits(c Call) (string, bool) {
	if r.path == nil && r.command == nil {
		return c.Tool, true
	}
	for _, s := range c.Plan.Subjects {
		switch {
		case s.Kind == policy.KindCommand && r.command != nil:
			for _, text := range policy.CommandTexts(s) {
				if r.command.MatchString(text) {
					return s.Text, true
				}
			}
		case s.Kind == policy.KindPath && r.path != nil:
			names := []string{s.Text}
			if s.File != nil && s.File.Glob {
				list, _ := c.Paths.Expand(s.Text, s.Dir)
				names = append(names, list...)
			}
			for _, name := range names {
				for _, spelling := range c.Paths.Place(name, s.Dir).Spellings {
					if r.path.MatchString(spelling.Rel) || spelling.Abs != "" && r.path.MatchString(spelling.Abs) {
						return s.Text, true
					}
				}
			}
		}
	}
	return "", false
}

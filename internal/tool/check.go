package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"assent/internal/gate"
	"assent/internal/late"
)

// check returns the canonical form of a call's input, or an *InvalidError.
func (t Tool) check(input json.RawMessage) (json.RawMessage, error) {
	bad := func(path, rule string) error { return &InvalidError{t.t.Name, path, rule} }
	canonical, err := gate.Canonical(input)
	if err != nil {
		return nil, bad("", "they are not valid JSON ("+jsonFault(err)+"); send one JSON object")
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(canonical, &members) != nil {
		return nil, bad("", "want one JSON object, got "+kind(canonical))
	}
	s, err := t.t.schema()
	if err != nil {
		return nil, bad("", err.Error())
	}
	if s.resolved == nil {
		return canonical, nil
	}
	if s.ours {
		canonical, err = t.closed(s, members, canonical)
		if err != nil {
			return nil, err
		}
	}
	var args any
	if err := json.Unmarshal(canonical, &args); err != nil {
		return nil, bad("", err.Error())
	}
	if err := s.resolved.Validate(args); err != nil {
		path, rule := explain(err)
		return nil, bad(path, rule)
	}
	return canonical, nil
}

// closed refuses arguments that a schema of ours does not know, and drops
// optional ones that are null: models that think in strict schemas send null
// for what they leave out.
func (t Tool) closed(s *schema, members map[string]json.RawMessage, canonical json.RawMessage) (json.RawMessage, error) {
	dropped := false
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(s.names, name) {
			return nil, &InvalidError{t.t.Name, name, "there is no such argument; valid are " + strings.Join(s.names, ", ")}
		}
		if string(members[name]) == "null" && !slices.Contains(s.root.Required, name) {
			delete(members, name)
			dropped = true
		}
	}
	if !dropped {
		return canonical, nil
	}
	text, err := json.Marshal(members)
	if err != nil {
		return nil, &InvalidError{t.t.Name, "", err.Error()}
	}
	return gate.Canonical(text)
}

// decode reads checked input into a struct; a field that the struct does not
// know is an error.
func decode(input json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(input))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		return nil
	}
	// The schema takes 5.0 for an integer, as some servers write it; the
	// decoder does not.
	d = json.NewDecoder(bytes.NewReader(input))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return fmt.Errorf("read them: %w", err)
	}
	text, again := json.Marshal(whole(v))
	if again != nil {
		return fmt.Errorf("read them: %w", err)
	}
	d = json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if d.Decode(into) != nil {
		return fmt.Errorf("read them: %w", err)
	}
	return nil
}

// whole writes numbers without a fraction as integers.
func whole(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = whole(v[k])
		}
	case []any:
		for i := range v {
			v[i] = whole(v[i])
		}
	case json.Number:
		if f, err := v.Float64(); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return json.Number(strconv.FormatInt(int64(f), 10))
		}
	}
	return v
}

var (
	validating = late.Regexp(`^validating (\S+): `)
	typeRule   = late.Regexp(`^type: (.*) has type "(.*)", want (?:one of )?(.*)$`)
	missing    = late.Regexp(`^required: missing properties: \[(.*)\]$`)
	unexpected = late.Regexp(`^unexpected additional properties \[(.*)\]$`)
	index      = late.Regexp(`\.(\d+)`)
)

// explain turns the validator's message into the path of the value and the
// rule, both in a model's terms.
func explain(err error) (path, rule string) {
	rule = err.Error()
	for {
		m := validating().FindStringSubmatch(rule)
		if m == nil {
			break
		}
		path, rule = m[1], strings.TrimPrefix(rule, m[0])
	}
	switch {
	case typeRule().MatchString(rule):
		m := typeRule().FindStringSubmatch(rule)
		rule = fmt.Sprintf("want %s, got %s (%s)", strings.Trim(m[3], `"`), m[2], short(m[1]))
	case missing().MatchString(rule):
		rule = "missing " + list(missing().FindStringSubmatch(rule)[1])
	case unexpected().MatchString(rule):
		rule = "there is no argument " + list(unexpected().FindStringSubmatch(rule)[1])
	default:
		rule = short(worded(rule))
	}
	return place(path), rule
}

// place turns a schema pointer into the path that a model would write. The
// validator names the schema, so a list's element is [].
func place(pointer string) string {
	if pointer == "root" {
		return ""
	}
	p := strings.ReplaceAll(pointer, "/properties/", ".")
	p = strings.ReplaceAll(p, "/items", "[]")
	p = index().ReplaceAllString(p, "[$1]")
	return strings.TrimPrefix(strings.TrimPrefix(p, "/"), ".")
}

func list(quoted string) string {
	return strings.ReplaceAll(strings.ReplaceAll(quoted, `" "`, `", "`), `"`, "")
}

func short(s string) string {
	const most = 200
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

func jsonFault(err error) string {
	s := err.Error()
	if i := strings.LastIndex(s, ": "); i >= 0 {
		return s[i+2:]
	}
	return s
}

func kind(value json.RawMessage) string {
	switch value[0] {
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't', 'f':
		return "a truth value"
	}
	return "a number"
}

package config

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// members returns the members of an object in order, each with its field path;
// duplicates are faults.
func (n node) members() ([]node, bool) {
	object, ok := n.value.Value.(*hujson.Object)
	if !ok {
		n.unfit("an object")
		return nil, false
	}
	list := make([]node, 0, len(object.Members))
	seen := map[string]bool{}
	for i := range object.Members {
		m := &object.Members[i]
		name := m.Name.Value.(hujson.Literal).String()
		child := n
		child.value = &m.Value
		child.field = name
		if n.field != "" {
			child.field = n.field + "." + name
		}
		if seen[name] {
			child.fault("set twice in one object; keep one")
			continue
		}
		seen[name] = true
		list = append(list, child)
	}
	return list, true
}

// name is the last part of a member's field path below its parent.
func (n node) name(parent node) string {
	if parent.field == "" {
		return n.field
	}
	return n.field[len(parent.field)+1:]
}

// unfit says what kind of value is wanted and what kind stands there. The value
// itself may be a secret.
func (n node) unfit(want string) {
	kinds := map[hujson.Kind]string{'{': "an object", '[': "a list", '"': "a string", '0': "a number", 't': "true", 'f': "false", 'n': "null"}
	n.fault("want %s, got %s", want, kinds[n.value.Value.Kind()])
}

// article puts the article before a noun that has none.
func article(noun string) string {
	switch {
	case strings.HasPrefix(noun, "a "):
		return noun
	case strings.ContainsRune("aeiou", rune(noun[0])):
		return "an " + noun
	}
	return "a " + noun
}

// text returns a string value; what says what it is.
func (n node) str(what string) (string, bool) {
	if l, ok := n.value.Value.(hujson.Literal); ok && l.Kind() == '"' {
		return l.String(), true
	}
	n.unfit(what)
	return "", false
}

// oneOf returns a string that must be one of the valid words; a nil list takes
// any.
func (n node) oneOf(what string, valid []string) (string, bool) {
	want := article(what)
	if valid != nil {
		want += " (" + strings.Join(valid, ", ") + ")"
	}
	s, ok := n.str(want)
	if !ok {
		return "", false
	}
	if valid != nil && !slices.Contains(valid, s) {
		n.fault("%s", Unknown(what, s, valid))
		return "", false
	}
	return s, true
}

// number returns a number of at least low.
func (n node) number(what string, low float64) (float64, bool) {
	l, ok := n.value.Value.(hujson.Literal)
	if !ok || l.Kind() != '0' {
		n.unfit(what)
		return 0, false
	}
	f := l.Float()
	if f < low {
		n.fault("want %s of at least %v, got %v", what, low, f)
		return 0, false
	}
	return f, true
}

// whole returns a whole number of at least low.
func (n node) whole(what string, low int) (int, bool) {
	f, ok := n.number(what, float64(low))
	if ok && f != float64(int(f)) {
		n.fault("want %s without a fraction, got %v", what, f)
		return 0, false
	}
	return int(f), ok
}

// strings returns a list of strings, each one of the valid words unless valid
// is nil.
func (n node) strings(what string, valid []string) ([]string, bool) {
	array, ok := n.value.Value.(*hujson.Array)
	if !ok {
		n.unfit("a list in brackets, each " + article(what))
		return nil, false
	}
	list := []string{}
	for i := range array.Elements {
		child := n
		child.value = &array.Elements[i]
		s, one := child.oneOf(what, valid)
		ok = ok && one
		list = append(list, s)
	}
	return list, ok
}

// boolean returns true or false.
func (n node) boolean(what string) (bool, bool) {
	if l, ok := n.value.Value.(hujson.Literal); ok && (l.Kind() == 't' || l.Kind() == 'f') {
		return l.Bool(), true
	}
	n.unfit(what + " (true or false)")
	return false, false
}

// standard returns the value as standard JSON.
func (n node) standard() json.RawMessage {
	v := n.value.Clone()
	v.Standardize()
	v.Minimize()
	return json.RawMessage(v.Pack())
}

// object returns the value as JSON when it is an object.
func (n node) object() (Raw, bool) {
	if _, ok := n.value.Value.(*hujson.Object); !ok {
		n.unfit("an object")
		return Raw{}, false
	}
	return Raw{n.standard(), n.place(), n.project}, true
}

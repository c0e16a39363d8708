package openai

import (
	"encoding/json"
	"strings"
)

// chatSlot is a call that is being assembled.
type chatSlot struct {
	handle int
	index  *int
	id     string
	name   string
	args   strings.Builder
}

// whole says that the arguments so far are a complete object.
func (s *chatSlot) whole() bool {
	text := strings.TrimSpace(s.args.String())
	return strings.HasPrefix(text, "{") && json.Valid([]byte(text))
}

// call takes in a piece of a call.
func (d *chatDecoder) call(c chatCall) {
	s := d.slot(c)
	if s == nil {
		h := d.parts.Call(c.ID, c.Function.Name)
		s = &chatSlot{handle: h, index: c.Index, id: c.ID, name: c.Function.Name}
		d.calls = append(d.calls, s)
	} else {
		if s.id == "" {
			s.id = c.ID
		}
		if s.name == "" {
			s.name = c.Function.Name
		}
		d.parts.Name(s.handle, c.ID, c.Function.Name)
	}
	switch text, whole := c.args(); {
	case whole:
		s.args.Reset()
		s.args.WriteString(text)
		d.parts.SetArgs(s.handle, text)
	case text != "":
		s.args.WriteString(text)
		d.parts.Hold(len(text))
		d.parts.Args(s.handle, text)
	}
	if len(c.Extra) > 0 && string(c.Extra) != "null" {
		d.parts.SetOpaque(s.handle, kept{Extra: c.Extra}.opaque(d.name, d.model))
	}
}

// slot finds the call that a piece continues, nil when it begins one. Servers
// leave the index out, give every call the same, leave the id out, or repeat
// the name in every piece; so a piece begins a call where it names one and
// cannot belong to the one before.
func (d *chatDecoder) slot(c chatCall) *chatSlot {
	var s *chatSlot
	switch {
	case len(d.calls) == 0:
		return nil
	case c.Index != nil:
		for i := len(d.calls) - 1; i >= 0 && s == nil; i-- {
			if at := d.calls[i].index; at != nil && *at == *c.Index {
				s = d.calls[i]
			}
		}
	case c.ID != "":
		for i := range d.calls {
			if d.calls[i].id == c.ID {
				return d.calls[i]
			}
		}
		s = d.calls[len(d.calls)-1]
	default:
		s = d.calls[len(d.calls)-1]
	}
	if s == nil || begins(c, s) {
		return nil
	}
	return s
}

// begins says that a piece is the first of another call than s.
func begins(c chatCall, s *chatSlot) bool {
	name := c.Function.Name
	switch {
	case name == "":
		return false
	case c.ID != "" && s.id != "":
		return c.ID != s.id
	case s.name == "":
		return false
	case name != s.name:
		return true
	}
	text, whole := c.args()
	return (whole || strings.HasPrefix(strings.TrimSpace(text), "{")) && s.whole()
}

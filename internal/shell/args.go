package shell

import (
	"slices"
	"strconv"

	"mvdan.cc/sh/v3/syntax"
)

// called is a call of what may be a function of the script.
type called struct {
	name string
	args []Word
}

// arguments notes the words that set or a function of the script is given.
func (r *reader) arguments(name string, rest []*syntax.Word) {
	if name == "set" && len(rest) > 0 && staticText(rest[0]) == "--" {
		rest = rest[1:]
	}
	if list := listOf(rest); list != nil && name != "" && len(r.calls) < mostCommands {
		r.calls = append(r.calls, called{name, list})
	}
}

// positionals are the values that $1, $@ and the like may have.
func (r *reader) positionals(name string) []value {
	var out []value
	for _, c := range r.calls {
		if c.name != "set" && !r.names[c.name] || len(out) >= mostValues || slices.ContainsFunc(out, func(v value) bool { return slices.EqualFunc(v.list, c.args, same) }) {
			continue
		}
		switch n := len(name); {
		case name == "@" || name == "*":
			if len(c.args) > 0 {
				out = append(out, listValue(c.args))
			}
		case n == 1 && int(name[0]-'1') < len(c.args):
			w := c.args[name[0]-'1']
			v := value{text: w.Text}
			if !w.Static {
				v.list = []Word{w}
			}
			out = append(out, v)
		}
	}
	return out
}

func same(a, b Word) bool { return a.Static && b.Static && a.Text == b.Text }

// setCall is set, which gives the script its arguments.
func setCall(c *call) outcome {
	for i, w := range c.args {
		if w.Static && w.Text == "--" {
			c.r.calls = append(c.r.calls, called{"set", c.args[i+1:]})
			break
		}
	}
	return statics.look(c)
}

// given notes the arguments of a script that is given to a shell; the first is
// its name.
func (r *reader) given(rest []Word) {
	for i, w := range rest {
		if len(w.Subst) > 0 {
			r.held[strconv.Itoa(i)] = w.Subst
			r.held["@"] = append(r.held["@"], w.Subst...)
		}
	}
	if len(rest) == 0 {
		return
	}
	name := value{text: rest[0].Text}
	if !rest[0].Static {
		name.list = rest[:1]
	}
	v := r.variable("0")
	v.plain = append(v.plain, name)
	if len(rest) > 1 {
		r.calls = append(r.calls, called{"set", rest[1:]})
	}
}

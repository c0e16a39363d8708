package shell

import (
	"path"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// sourceCall is source and ".": a file's commands run in the shell itself.
func sourceCall(c *call) outcome {
	args := c.args
	if len(args) > 0 && args[0].Static && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return c.stays()
	}
	c.read(args[0])
	switch {
	case len(args[0].Subst) > 0:
		c.unknown("what " + c.name + " runs is the output of a command")
		_, known := c.content(args[0])
		c.command().Veiled = args[0].shut && !known
	case InputName(args[0].Text):
		return c.fromName(args[0])
	}
	if text, ok := c.content(args[0]); ok {
		c.r.given(args)
		return c.scriptIn(c.sc, literal(text), c.name)
	}
	return stays(c.sc.dirs)
}

// cdCall is cd and its kin, after which commands run in another folder.
func cdCall(c *call) outcome {
	in := c.sc.dirs
	p := grammar{flags: "LPe@nq", first: true}.parse(c.args)
	if c.name == "popd" {
		if n := len(c.sc.stack); n > 0 && len(p.rest) == 0 {
			to := c.sc.stack[n-1]
			c.sc.stack = c.sc.stack[: n-1 : n-1]
			return outcome{ok: to, fail: in}
		}
		return outcome{ok: dirs{unknown: true}, fail: in}
	}
	if c.name == "pushd" {
		c.sc.stack = append(c.sc.stack[:len(c.sc.stack):len(c.sc.stack)], in)
		if len(p.rest) == 0 || strings.HasPrefix(p.rest[0].Text, "+") || len(p.opts) > 0 {
			return outcome{ok: dirs{unknown: true}, fail: in}
		}
	}
	switch {
	case len(p.rest) == 0 && len(p.opts) > 0 && c.name == "pushd":
		return outcome{ok: dirs{unknown: true}, fail: in}
	case len(p.rest) == 0:
		return outcome{ok: dirs{list: []string{"~"}}, fail: in}
	}
	return outcome{ok: c.into(p.rest[0]), fail: in}
}

// into is the folder that a word leads to.
func (c *call) into(w Word) dirs {
	switch {
	case !w.Static, w.Glob, w.Text == "-", strings.HasPrefix(w.Text, "~+"), strings.HasPrefix(w.Text, "~-"):
		return dirs{unknown: true}
	case w.Text == "":
		return c.sc.dirs
	}
	name := w.Text
	if w.quoted && strings.HasPrefix(name, "~") {
		name = "./" + name
	}
	return c.sc.dirs.enter([]string{path.Clean(name)})
}

// leaves is exit, return, break: what follows in the list is not reached.
func leaves(c *call) outcome {
	switch c.name {
	case "true", ":":
		return outcome{ok: c.sc.dirs}
	case "false":
		return outcome{fail: c.sc.dirs}
	case "break", "continue":
		return c.stays()
	}
	return outcome{}
}

// hashCall is hash -p and enable -f, which give a name another program.
func hashCall(c *call) outcome {
	p := grammar{short: "pf", flags: "*"}.parse(c.args)
	if p.has("p", "f") {
		c.unknown(c.word(p.opts[0].name) + " gives a command another meaning")
	}
	return c.stays()
}

// setterCall is printf -v, read, mapfile, unset, test -v: an index in the name
// that they are given is arithmetic, and some names change what runs.
func setterCall(c *call) outcome {
	c.readsDescriptor()
	for i, w := range c.args {
		if (c.name == "mapfile" || c.name == "readarray") && w.Static && strings.HasPrefix(w.Text, "-C") {
			if len(w.Text) > 2 {
				c.script(literal(w.Text[2:]), c.word("-C"))
			} else if i+1 < len(c.args) {
				c.script(c.args[i+1], c.word("-C"))
			}
		}
		if !c.names(i) {
			continue
		}
		if c.name == "printf" && w.Static {
			if name, text, known := printedInto(c.args); known {
				c.r.give(name, text)
			}
		}
		name, _, index := strings.Cut(strings.TrimPrefix(w.Text, "-v"), "[")
		reads := c.name == "read" || c.name == "mapfile" || c.name == "readarray"
		if reads && len(c.sc.stdin.from) > 0 {
			c.r.held[name] = c.sc.stdin.from
		}
		if reads && c.sc.stdin.text != "" && syntax.ValidName(name) {
			for _, text := range c.readParts(c.sc.stdin.text) {
				c.r.give(name, text)
			}
		}
		switch {
		case !w.Static && w.Head != "-v":
			c.unknown("the name that " + c.name + " is given cannot be known before it runs, and could be one that runs a command")
		case !w.Static, index && (strings.Contains(w.Text, "$(") || strings.IndexByte(w.Text, '`') >= 0):
			c.unknown("an index in " + w.Shown + " runs a command")
			c.r.within(w.Text, c.sc)
		case c.name != "unset" && c.name != "test" && c.name != "[" && c.r.changing(name, c.sc):
			c.unknown(name + " changes what later commands run")
		}
	}
	return c.stays()
}

func (c *call) has(word string) bool {
	for _, w := range c.args {
		if w.Static && w.Text == word {
			return true
		}
	}
	return false
}

// valued are the options of builtins whose value is no name.
var valued = map[string]string{"read": "-d -i -n -N -p -t -u", "mapfile": "-d -n -O -s -u -C -c", "readarray": "-d -n -O -s -u -C -c"}

// names says whether the argument at a place names a variable.
func (c *call) names(i int) bool {
	before := ""
	if i > 0 {
		before = c.args[i-1].Text
	}
	switch c.name {
	case "printf":
		return i == 0 && strings.HasPrefix(c.args[0].Text+c.args[0].Head, "-v") || i == 1 && before == "-v"
	case "test", "[":
		return before == "-v" || before == "-R"
	case "wait":
		return before == "-p"
	case "getopts":
		return i == 1
	}
	return before == "" || !named(valued[c.name], before)
}

// readsDescriptor lets read -u read from the descriptor that it names.
func (c *call) readsDescriptor() {
	for i, w := range c.args {
		value := Word{}
		switch {
		case c.name == "printf" || !w.Static || !strings.HasPrefix(w.Text, "-u"):
			continue
		case len(w.Text) > 2:
			value = literal(w.Text[2:])
		case i+1 < len(c.args):
			value = c.args[i+1]
		}
		if in, ok := c.r.descriptor(value, c.sc); ok {
			inner := *c.sc
			inner.stdin = in
			c.sc = &inner
		}
	}
}

// readParts are the lines of a text, and what read takes of it when it is told
// to end at another character (-d) or after so many (-n, -N).
func (c *call) readParts(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		out = append(out, strings.TrimSpace(line))
	}
	if c.name != "read" {
		return out
	}
	for i, w := range c.args {
		if !w.Static || len(w.Text) < 2 || w.Text[0] != '-' || strings.IndexByte("dnN", w.Text[1]) < 0 {
			continue
		}
		value := w.Text[2:]
		if value == "" && i+1 < len(c.args) {
			value = c.args[i+1].Text
		}
		if w.Text[1] == 'd' {
			if value != "" {
				before, _, _ := strings.Cut(text, value[:1])
				out = append(out, strings.TrimSpace(before))
			}
		} else if n, err := strconv.Atoi(value); err == nil && n > 0 && n < len(text) {
			out = append(out, text[:n])
		}
	}
	return out
}

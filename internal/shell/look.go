package shell

import (
	"strings"
)

// call is a command that is being looked at.
type call struct {
	r     *reader
	sc    *scope
	index int
	name  string
	args  []Word
	// home is where the shell stays while an option moves the program, nil
	// when none does.
	home *dirs
}

// handler looks at what a program does with its arguments.
type handler func(*call) outcome

// look finds out what a command runs, reads and writes.
func (r *reader) look(c *call) outcome {
	c.hosted()
	c.settings()
	if h := find(c.name); h != nil {
		return h(c)
	}
	c.command().Opaque = true
	c.mention()
	if w := c.command().Words[0]; strings.IndexByte(w.Text, '/') >= 0 {
		if text, ok := c.content(w); ok {
			return c.runs(text)
		}
	}
	return c.stays()
}

func (c *call) stays() outcome {
	if c.home != nil {
		return stays(*c.home)
	}
	return stays(c.sc.dirs)
}

func (c *call) command() *Command { return &c.r.out.Commands[c.index] }

func (c *call) unknown(why string) { c.r.setUnknown(c.index, why) }

// word is the command's name followed by an option, for reasons.
func (c *call) word(option string) string { return c.name + " " + option }

func (c *call) read(words ...Word) {
	for _, w := range words {
		c.file(File{}, w)
	}
}

func (c *call) write(words ...Word) {
	for _, w := range words {
		c.file(File{Write: true}, w)
	}
}

func (c *call) writeTree(words ...Word) {
	for _, w := range words {
		c.file(File{Write: true, Tree: true}, w)
	}
}

// file notes a path that stands as an argument.
func (c *call) file(f File, w Word) {
	if w.Static && (w.Text == "-" || w.Text == "") || device(w, f.Write) {
		return
	}
	if w.proc {
		return
	}
	f.Command = c.index
	c.r.touch(f, w, c.sc)
}

// copiers are programs that take whole trees elsewhere.
var copiers = map[string]bool{"aws": true, "gsutil": true, "rclone": true, "s3cmd": true, "azcopy": true, "mc": true, "gcloud": true}

// mention notes the arguments of a program of which nothing is known: it may
// read those that are paths.
func (c *call) mention() {
	tree := copiers[c.name] && (c.has("sync") || c.has("--recursive") || c.has("-r") || c.has("copy") || c.has("rsync"))
	for _, w := range c.args {
		if w.Static && strings.HasPrefix(w.Text, "-") {
			if _, val, ok := strings.Cut(w.Text, "="); ok && val != "" {
				c.file(File{Mention: true}, literal(val))
			}
			continue
		}
		if w.Static && strings.ContainsAny(w.Text, " \n") && !strings.Contains(w.Text, "/") {
			continue // a sentence, not a path
		}
		if w.Static && !w.Glob {
			c.file(File{Mention: true, Tree: tree}, w)
			if _, val, ok := strings.Cut(w.Text, "="); ok && val != "" {
				c.file(File{Mention: true}, literal(val))
			}
		} else if w.Glob {
			c.file(File{Mention: true}, w)
		}
	}
}

// settings notes the files that give variables of the environment to what a
// program runs, which may print them: that option is called the same everywhere.
func (c *call) settings() {
	for i, w := range c.args {
		name, val, set := strings.Cut(w.Text, "=")
		own := c.name == "dotenv" && (name == "-e" || name == "-f")
		switch {
		case !w.Static, !own && !strings.HasPrefix(name, "--env-file"):
		case set:
			c.file(File{Mention: true}, literal(val))
		case i+1 < len(c.args):
			c.file(File{Mention: true}, c.args[i+1])
		}
	}
}

// run lists what a wrapper runs and looks at it. Where it changes the folder
// of the shell itself, the wrapper must pass the outcome on.
func (c *call) run(words []Word, wrapper string, assigns ...Assign) outcome {
	inner := *c.sc
	return c.runIn(&inner, words, wrapper, assigns...)
}

// runIn walks words as a command that this one runs.
func (c *call) runIn(sc *scope, words []Word, wrapper string, assigns ...Assign) outcome {
	if len(words) == 0 || !c.r.step() {
		return c.stays()
	}
	if c.r.depth >= mostDepth {
		c.r.err = ErrTooDeep
		return c.stays()
	}
	c.r.depth++
	defer func() { c.r.depth-- }()
	for _, a := range assigns {
		if len(a.Subst) > 0 {
			c.r.held[a.Name] = a.Subst
		}
	}
	sc.wrapper = wrapper
	return c.r.command(words, assigns, sc, c.r.reserve())
}

// script parses text that a wrapper gives to a shell and walks it. What is not
// static in it cannot be parsed: then the wrapper is unknown.
func (c *call) script(w Word, wrapper string) outcome {
	inner := *c.sc
	return c.scriptIn(&inner, w, wrapper)
}

// scriptIn walks a word as a script that this one runs.
func (c *call) scriptIn(sc *scope, w Word, wrapper string) outcome {
	if !w.Static {
		c.command().Veiled = c.command().Veiled || w.Made && w.shut
		if w.Made || w.open || w.Shown != "" {
			c.unknown("what " + wrapper + " runs cannot be known before it runs")
		}
		c.guess(sc, w, wrapper)
		return outcome{ok: dirs{unknown: true}, fail: dirs{unknown: true}}
	}
	sc.wrapper = wrapper
	before := sc.dirs
	if err := c.r.script(w.Text, sc); err != nil {
		c.unknown("what " + wrapper + " runs cannot be read: " + err.Error())
		c.r.salvage(w.Text, *sc)
		return stays(before)
	}
	return stays(sc.dirs)
}

// guess walks the literal part of a script that is not static, so that what
// is denied in it is seen. It can only add.
func (c *call) guess(sc *scope, w Word, wrapper string) {
	if w.Text == "" {
		return
	}
	if w.fill != nil {
		c.r.given([]Word{literal(wrapper), w.fill.word})
		w.Text = w.fill.script
	}
	sc.wrapper = wrapper
	trial := *sc
	at := len(c.r.out.Commands)
	if c.r.script(w.Text, &trial) != nil {
		return
	}
	for i := at; i < len(c.r.out.Commands); i++ {
		c.r.out.Commands[i].Expansion = true
	}
}

// joined makes one word of many, as shells and eval do with their arguments.
func joined(words []Word) Word {
	if len(words) == 1 {
		return words[0]
	}
	out := Word{Static: true, quoted: true}
	var text, shown strings.Builder
	for i, w := range words {
		if i > 0 {
			text.WriteByte(' ')
			shown.WriteByte(' ')
		}
		text.WriteString(w.Text)
		shown.WriteString(w.Shown)
		if !w.Static && out.Static {
			out.Static, out.Head = false, text.String()
		}
		out.Made, out.open = out.Made || w.Made, out.open || w.open
		out.shut = (i == 0 || out.shut || out.Static && w.shut) && (w.Static || w.shut)
		out.Subst = append(out.Subst, w.Subst...)
	}
	out.Text, out.Shown = text.String(), shown.String()
	return out
}

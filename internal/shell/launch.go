package shell

import (
	"strings"
)

// shells are the programs that read shell text.
var shells = map[string]bool{
	"sh": true, "bash": true, "zsh": true, "dash": true, "ksh": true, "ash": true, "mksh": true, "rbash": true,
	"fish": true, "csh": true, "tcsh": true, "yash": true, "oksh": true, "hush": true, "pwsh": true, "powershell": true,
}

// Launcher says whether a program runs what its arguments or its input say:
// shells, interpreters and wrappers.
func Launcher(base string) bool {
	if _, ok := wrappers[base]; ok && wrappers[base].after == "" {
		return true
	}
	return shells[base] || interpreters[versionless(base)].code != "" || launchers[base]
}

// Shell says whether a program reads shell text.
func Shell(base string) bool { return shells[base] }

// Interpreter says whether a program runs code of a language: a shell or the
// like.
func Interpreter(base string) bool {
	return shells[base] || interpreters[versionless(base)].code != ""
}

var launchers = map[string]bool{
	"eval": true, "env": true, "su": true, "ssh": true, "xargs": true, "parallel": true, "watch": true, "script": true,
	"trap": true, "hyperfine": true, "at": true, "batch": true, "expect": true, "nix-shell": true, "source": true,
	".": true, "concurrently": true, "nodemon": true, "osascript": true, "screen": true, "sshpass": true, "mosh": true,
}

// shellCall is sh, bash and their like: -c and a script, a script file, or a
// script on standard input.
func shellCall(c *call) outcome {
	g := grammar{short: "oO", long: "rcfile init-file", flags: "*", longFlags: "*", first: true}
	if c.name == "fish" {
		g = grammar{short: "cCdo", long: "command init-command", flags: "*", longFlags: "*", first: true}
	}
	args := make([]Word, 0, len(c.args))
	for _, w := range c.args {
		if w.Static && strings.HasPrefix(w.Text, "+") { // +x turns an option off
			w = literal("-" + w.Text[1:])
		}
		args = append(args, w)
	}
	p := g.parse(args)
	if o, ok := p.get("rcfile", "init-file"); ok && o.has {
		c.read(o.val)
		c.unknown(c.name + " " + o.name + " runs a file first")
		if text, ok := c.content(o.val); ok {
			c.script(literal(text), c.name+" "+o.name)
		}
	}
	if p.loose && !p.has("c", "command") {
		c.unknown("an argument of " + c.name + " cannot be known before it runs, and could be a script")
	}
	if o, ok := p.get("C", "init-command"); ok && o.has && c.name == "fish" {
		c.script(o.val, "fish -C")
	}
	switch {
	case p.has("c", "command"):
		c.shellText(p)
		return c.stays()
	case p.has("s"):
		c.r.given(append([]Word{literal(c.name)}, p.rest...))
	case len(p.rest) > 0:
		return c.shellFile(p.rest)
	}
	return c.fromInput()
}

// shellText is a shell with -c: text, and what its parameters are.
func (c *call) shellText(p parsed) {
	var script Word
	rest := p.rest
	if o, ok := p.get("c", "command"); ok && o.has {
		script = o.val
	} else if len(rest) > 0 {
		script, rest = rest[0], rest[1:]
	} else {
		return
	}
	inner, old := *c.sc, c.r.positional
	c.r.positional = old || len(rest) > 1
	c.r.given(rest)
	c.scriptIn(&inner, script, c.name+" -c")
	c.r.positional = old
}

// shellFile is a shell that is given a file, and what its parameters are.
func (c *call) shellFile(words []Word) outcome {
	file := words[0]
	c.read(file)
	if len(file.Subst) > 0 {
		c.unknown("what " + c.name + " runs is the output of a command")
		_, known := c.content(file)
		c.command().Veiled = file.shut && !known
	}
	if InputName(file.Text) {
		return c.fromName(file)
	}
	if text, ok := c.content(file); ok {
		c.r.given(words)
		c.script(literal(text), c.name)
	}
	c.mentionRest(words[1:])
	return c.stays()
}

// fromName is fromInput for an input that is given by a name.
func (c *call) fromName(w Word) outcome {
	if in, ok := c.r.descriptor(w, c.sc); ok {
		inner := *c.sc
		inner.stdin = in
		c.command().PipedFrom = in.from
		named := *c
		named.sc = &inner
		return named.fromInput()
	}
	return c.fromInput()
}

// fromInput walks what a shell reads from its standard input.
func (c *call) fromInput() outcome {
	in := c.sc.stdin
	switch {
	case in.known:
		inner := *c.sc
		inner.stdin = stdin{}
		text := strings.ReplaceAll(in.text, "\x00", "") // which shells skip
		c.scriptIn(&inner, Word{Text: text, Shown: text, Static: true}, c.name)
	case in.some:
		c.command().Veiled = c.command().Veiled || in.shut
		c.unknown("what " + c.name + " runs comes from its input, which cannot be known")
		if in.text != "" {
			inner := *c.sc
			c.guess(&inner, Word{Text: in.text}, c.name)
		}
		c.generated(in.from)
	}
	return c.stays()
}

func (c *call) mentionRest(words []Word) {
	old := c.args
	c.args = words
	c.mention()
	c.args = old
}

func evalCall(c *call) outcome {
	args := c.args
	if len(args) > 0 && args[0].Static && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return c.stays()
	}
	return c.scriptIn(c.sc, joined(args), "eval")
}

func trapCall(c *call) outcome {
	p := grammar{flags: "lpP", first: true}.parse(c.args)
	if len(p.rest) > 0 && !(p.rest[0].Static && (p.rest[0].Text == "-" || p.rest[0].Text == "")) && !p.has("l", "p", "P") {
		c.script(p.rest[0], "trap")
	}
	return c.stays()
}

func aliasCall(c *call) outcome {
	for _, w := range c.args {
		head := w.Text
		if !w.Static {
			head = w.Head
		}
		if i := strings.IndexByte(head, '='); i > 0 {
			c.script(w.after(i+1), "alias")
		}
	}
	return c.stays()
}

// envCall is env: options and assignments, then a command.
func envCall(c *call) outcome {
	g := grammar{short: "uCSP", long: "unset chdir split-string default-signal ignore-signal block-signal argv0", flags: "i0v", longFlags: "ignore-environment null debug", first: true}
	args := c.args
	if len(args) > 0 && args[0].Static && args[0].Text == "-" {
		args = args[1:]
	}
	p := g.parse(args)
	inner := *c.sc
	if o, ok := p.get("C", "chdir"); ok && o.has {
		inner.dirs = c.into(o.val)
	}
	rest := p.rest
	if o, ok := p.get("S", "split-string"); ok && o.has {
		if !o.val.Static || strings.IndexByte(o.val.Text, '$') >= 0 {
			c.unknown("what env -S runs cannot be known before it runs")
		}
		var words []Word
		for _, f := range splitString(o.val.Text) {
			words = append(words, literal(f))
		}
		rest = append(words, rest...)
		again := grammar{short: g.short, long: g.long, flags: g.flags, longFlags: g.longFlags, first: true}.parse(rest)
		rest = again.rest
	}
	rest, assigns := leading(rest)
	if len(rest) == 0 {
		return c.stays()
	}
	c.runIn(&inner, rest, "env", assigns...)
	if p.odd || p.loose {
		c.unknown("an option of env is not known, so that what it runs cannot be told for certain")
	}
	return c.stays()
}

// splitString splits as env -S does: blanks, quotes, backslashes.
func splitString(s string) []string {
	var out []string
	var b strings.Builder
	quote, some := byte(0), false
	for i := 0; i < len(s); i++ {
		ch := s[i]
		switch {
		case ch == '\\' && i+1 < len(s) && quote != '\'':
			i++
			if s[i] == '_' || s[i] == 't' || s[i] == 'n' {
				if quote == 0 {
					out, some = append(out, b.String()), false
					b.Reset()
					continue
				}
				b.WriteByte(' ')
			} else {
				b.WriteByte(s[i])
			}
			some = true
		case quote != 0 && ch == quote:
			quote = 0
		case quote == 0 && (ch == '\'' || ch == '"'):
			quote, some = ch, true
		case quote == 0 && strings.IndexByte(" \t\n\v\f\r", ch) >= 0:
			if some {
				out = append(out, b.String())
			}
			b.Reset()
			some = false
		default:
			b.WriteByte(ch)
			some = true
		}
	}
	if some {
		out = append(out, b.String())
	}
	return out
}

func suCall(c *call) outcome {
	g := grammar{short: "cCsgGwT", long: "command session-command shell group supp-group whitelist-environment", flags: "*", longFlags: "*"}
	p := g.parse(c.args)
	for _, o := range p.opts {
		if o.has && o.is("c", "C", "command", "session-command") {
			c.script(o.val, "su -c")
		}
	}
	if p.loose {
		c.unknown("an argument of su cannot be known before it runs")
	}
	if !p.has("c", "command", "session-command", "C") {
		return c.fromInput()
	}
	return c.stays()
}

// scriptCall is script, which runs a shell or a command and writes what it prints.
func scriptCall(c *call) outcome {
	g := grammar{short: "cEmoBIOTt", long: "command echo logging-format output-limit log-io log-in log-out log-timing timing", flags: "aefqV", longFlags: "append return flush force quiet"}
	p := g.parse(c.args)
	for _, o := range p.opts {
		switch {
		case o.has && o.is("c", "command"):
			c.script(o.val, "script -c")
		case o.has && o.is("B", "I", "O", "T", "log-io", "log-in", "log-out", "log-timing"):
			c.write(o.val)
		}
	}
	if len(p.rest) > 0 {
		c.write(p.rest[0])
	}
	if len(p.rest) > 1 { // BSD: script file command…
		c.run(p.rest[1:], "script")
	} else if !p.has("c", "command") {
		return c.fromInput()
	}
	return c.stays()
}

func watchCall(c *call) outcome {
	p := grammar{short: "nq", long: "interval equexit", flags: "bcdegptxwrC", longFlags: "beep color differences errexit chgexit precise no-title exec no-wrap", first: true}.parse(c.args)
	if p.odd || p.loose {
		c.unknown("an option of watch is not known")
	}
	if len(p.rest) == 0 {
		return c.stays()
	}
	if p.has("x", "exec") {
		c.run(p.rest, "watch")
	} else {
		c.script(joined(p.rest), "watch")
	}
	return c.stays()
}

// sshCall is ssh: a command for another machine, and options that run one here.
func sshCall(c *call) outcome {
	p := grammar{short: "BbcDEeFIiJLlmOoPpQRSWw", flags: "*", first: true}.parse(c.args)
	for _, o := range p.opts {
		switch {
		case o.is("o"):
			c.sshOption(o.val)
		case o.is("F", "i"):
			c.read(o.val)
			if o.is("F") && o.val.Text != "none" && !device(o.val, false) {
				c.unknown("ssh -F takes its options from a file, which can run commands")
			}
		case o.is("E"):
			c.write(o.val)
		}
	}
	if p.loose && len(p.rest) > 0 && !p.rest[0].Static {
		c.unknown("the host of ssh cannot be known before it runs, and could be an option")
	}
	if len(p.rest) < 2 {
		return c.remoteInput()
	}
	// Options may follow the host.
	again := grammar{short: "BbcDEeFIiJLlmOoPpQRSWw", flags: "*", first: true}.parse(p.rest[1:])
	for _, o := range again.opts {
		if o.is("o") {
			c.sshOption(o.val)
		}
	}
	if len(again.rest) == 0 {
		return c.remoteInput()
	}
	inner := *c.sc
	inner.remote, inner.dirs = true, dirs{list: []string{""}}
	c.scriptIn(&inner, joined(again.rest), "ssh")
	return c.stays()
}

func (c *call) remoteInput() outcome {
	inner := *c
	sc := *c.sc
	sc.remote = true
	inner.sc = &sc
	return inner.fromInput()
}

// sshOption looks at -o Name=value for those that run a command here.
func (c *call) sshOption(w Word) {
	name, value := w.Text, ""
	if i := strings.IndexAny(name, "= \t"); i >= 0 {
		name, value = name[:i], strings.TrimLeft(name[i:], "= \t")
	}
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "proxycommand", "localcommand", "knownhostscommand", "permitlocalcommand", "match", "include", "pkcs11provider",
		"securitykeyprovider", "proxyusefdpass", "xauthlocation", "sendenv", "setenv", "remotecommand":
		c.unknown("ssh -o " + name + " runs a command")
		if value != "" && !strings.EqualFold(value, "none") {
			c.script(Word{Text: value, Shown: value, Static: w.Static}, "ssh -o "+name)
		}
	case "":
		if !w.Static {
			c.unknown("an option of ssh cannot be known before it runs")
		}
	}
}

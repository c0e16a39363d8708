package shell

import "strings"

// gitConfigSub looks at git config: a file that is read or written, and pairs
// of a key and a value. Which words are the pair depends on options that are
// easily added, so every two neighbours are looked at, whatever is asked for.
func (c *call) gitConfigSub() {
	p := grammar{short: "ft", long: "file blob type default comment value url", flags: "*", longFlags: "*"}.parse(c.args)
	rest := p.rest
	writes := len(rest) > 1 && rest[0].Text != "get" && rest[0].Text != "list"
	for _, o := range p.opts {
		switch {
		case o.is("f", "file") && o.has:
			c.read(o.val)
			if writes && !strings.Contains(o.val.Text+"/", ".git/") {
				c.write(o.val)
			}
		case o.is("global") && writes:
			c.write(literal("~/.gitconfig"))
		case o.is("system") && writes:
			c.write(literal("/etc/gitconfig"))
		case o.is("rename-section"):
			c.unknown("git config --rename-section gives settings another meaning")
		case o.is("e", "edit"):
			c.unknown("git config --edit runs an editor")
		}
	}
	switch {
	case len(rest) == 0:
		return
	case rest[0].Text == "rename-section":
		c.unknown("git config rename-section gives settings another meaning")
	case rest[0].Text == "edit":
		c.unknown("git config edit runs an editor")
	case len(rest) == 1 && !rest[0].Static && rest[0].Made:
		c.unknown("what git config sets cannot be known before it runs")
	}
	for i := range len(rest) - 1 {
		key, value := rest[i], rest[i+1]
		if key.Static && !strings.Contains(key.Text, ".") {
			continue
		}
		c.gitConfig(Word{
			Text: key.Text + "=" + value.Text, Shown: key.Shown, Static: key.Static && value.Static,
			Head: key.Text + "=" + value.Head, Made: key.Made || value.Made,
		})
	}
}

// gitAlias runs what an alias that the command line itself defines makes of
// the arguments.
func (c *call) gitAlias(value string, args []Word) {
	script, shell := strings.CutPrefix(value, "!")
	if !shell {
		var words []Word
		for _, f := range splitString("git " + value) {
			words = append(words, literal(f))
		}
		c.run(append(words, args...), "git alias")
		return
	}
	w := joined(append([]Word{literal(script)}, args...))
	c.guess(c.sc, w, "git alias")
}

// gitHands are subcommands that run programs or touch files by their
// arguments.
func (c *call) gitHands(sub string, p parsed) {
	switch sub {
	case "merge-index":
		c.unknown("git merge-index runs another program")
		for i, w := range c.args {
			if !strings.HasPrefix(w.Text, "-") {
				c.run(c.args[i:], "git merge-index")
				return
			}
		}
	case "maintenance":
		if len(p.rest) > 0 && (p.rest[0].Text == "start" || p.rest[0].Text == "register") {
			c.unknown("git maintenance " + p.rest[0].Text + " changes what runs later")
		}
	case "update-index":
		// With these options the index says whatever one likes of what is tracked.
		if p.has("add", "remove", "force-remove", "cacheinfo", "index-info", "stdin", "replace", "info-only", "index-version", "split-index", "no-split-index", "unresolve") {
			c.write(literal(".git/index"))
		}
	case "read-tree":
		if o, ok := p.get("index-output"); ok && o.has {
			c.write(o.val)
		} else if p.has("empty") {
			c.write(literal(".git/index"))
		}
	case "interpret-trailers":
		c.read(p.rest...)
		if p.has("in-place") {
			c.write(p.rest...)
		}
	case "merge-file":
		c.read(p.rest...)
		if len(p.rest) > 0 && !p.has("p", "stdout") {
			c.write(p.rest[0])
		}
	case "index-pack", "mailinfo", "pack-objects":
		if sub != "pack-objects" || !p.has("stdout") {
			c.write(p.rest...)
		}
	case "hash-object":
		if p.has("stdin-paths") {
			c.file(File{}, dynamic("paths that git hash-object is given"))
		}
	case "submodule":
		if len(p.rest) > 2 && p.rest[0].Text == "add" {
			c.write(p.rest[2])
		}
	case "bundle":
		if len(p.rest) > 1 && p.rest[0].Text == "create" {
			c.write(p.rest[1])
		}
	}
	for _, o := range p.opts {
		if o.has && gitWrites(sub, o) {
			c.write(o.val)
		}
	}
	if strings.Contains(sub, "/") {
		c.unknown("git " + sub + " runs a program of that path")
	}
}

// gitWrites says whether the value of an option is a place that is written.
func gitWrites(sub string, o option) bool {
	switch sub {
	case "index-pack", "mailsplit":
		if o.is("o") {
			return true
		}
	case "bugreport", "diagnose":
		if o.is("o", "output-directory") {
			return true
		}
	}
	return o.is("object-dir", "build-fake-ancestor", "export-marks")
}

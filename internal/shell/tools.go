package shell

import (
	"slices"
	"strings"
)

// jqCall is jq, of which some options take a name and a file.
func jqCall(c *call) outcome {
	var args []Word
	for i := 0; i < len(c.args); i++ {
		switch w := c.args[i]; w.Text {
		case "--slurpfile", "--rawfile", "--argfile":
			if i+2 < len(c.args) {
				c.read(c.args[i+2])
			}
			i += 2
		case "--arg", "--argjson":
			i += 2
		case "--args", "--jsonargs":
			i = len(c.args)
		default:
			args = append(args, w)
		}
	}
	inner := *c
	inner.args = args
	return programs["jq"].look(&inner)
}

// teeCall is tee: every operand is written like the target of a redirection.
func teeCall(c *call) outcome {
	p := loose("", "output-error").parse(c.args)
	for _, w := range p.rest {
		if w.Static && w.Text == "" || device(w, true) {
			continue
		}
		c.r.touch(File{Write: true, Redirect: true, Command: c.index}, w, c.sc)
		if c.sc.stdin.known && w.Static {
			c.r.keep(w.Text, c.sc, c.sc.stdin.text, p.has("a", "append"))
		}
	}
	return c.stays()
}

// fdCall is fd: -x and -X run commands.
func fdCall(c *call) outcome {
	for i, w := range c.args {
		if w.Static && (w.Text == "-x" || w.Text == "-X" || w.Text == "--exec" || w.Text == "--exec-batch") {
			end := i + 1
			for end < len(c.args) && c.args[end].Text != ";" {
				end++
			}
			words := c.args[i+1 : end]
			given := Word{Made: true, Shown: "{}", Lists: []File{{Path: ".", Tree: true}}, listing: plainRoots(c.args[:i])}
			marked := false
			for _, x := range words {
				marked = marked || strings.Contains(x.Text, "{")
			}
			if !marked {
				words = append(words[:len(words):len(words)], given)
			}
			c.run(substitute(words, "{}", []Word{given}), "fd "+w.Text)
			return c.stays()
		}
		if !w.Static && w.Head == "" && w.Made {
			c.unknown("an argument of fd cannot be known before it runs, and could run a command")
		}
	}
	return c.stays()
}

// goCall is go: options that run other programs on the way.
func goCall(c *call) outcome {
	p := globals["go"].parse(c.args)
	if len(p.rest) == 0 {
		return c.stays()
	}
	c.moved(p.opts, "C")
	if len(p.rest) > 2 && p.rest[1].Text == "-C" {
		c.move(p.rest[2])
	}
	sub := p.rest[0].Text
	f := goFiles{call: c, sub: sub}
	for i, w := range p.rest[1:] {
		head := w.Text
		if !w.Static {
			head = w.Head
			if head == "" && w.Made && !w.listing {
				c.unknown("an argument of go " + sub + " cannot be known before it runs, and could run a command")
			}
		}
		if !strings.HasPrefix(head, "-") {
			continue
		}
		name, value, eq := strings.Cut(strings.TrimLeft(head, "-"), "=")
		next := Word{}
		if eq {
			next = w.after(len(head) - len(value))
		} else if i+2 < len(p.rest) {
			next = p.rest[i+2]
		}
		f.option(name, next)
	}
	f.profile()
	if sub == "run" {
		for _, w := range p.rest[1:] {
			if strings.HasSuffix(w.Text, ".go") {
				c.read(w)
			}
		}
	}
	return c.stays()
}

// goFiles are the files that the options of a subcommand of go name. Profiles
// are written in a folder that another option names.
type goFiles struct {
	*call
	sub      string
	profiles []Word
	place    Word
}

// option looks at one option and the word that may be its value.
func (f *goFiles) option(name string, value Word) {
	if strings.Contains(name, "flags") && strings.Contains(value.Text, "extld") || name == "compiler" {
		f.unknown("go " + f.sub + " -" + name + " runs another program")
	}
	if strings.HasSuffix(name, "flags") && slices.ContainsFunc(strings.FieldsFunc(value.Text, func(r rune) bool { return strings.ContainsRune(" =,\t'\"", r) }), func(t string) bool { return goFlagWrites[t] }) {
		f.unknown("go " + f.sub + " -" + name + " makes the compiler write another file")
	}
	if strings.HasSuffix(name, "flags") && (f.sub == "list" || f.sub == "vet") {
		f.command().Changes = "go " + f.sub + " -" + name + " can have the compiler write files"
	}
	switch name = strings.TrimPrefix(name, "test."); name {
	case "exec", "toolexec", "vettool", "fixtool":
		f.unknown("go " + f.sub + " -" + name + " runs another program")
		f.script(value, "go -"+name)
	case "overlay":
		f.read(value)
		f.unknown("go " + f.sub + " -overlay puts other files in the place of those that are there")
	case "modfile", "pgo":
		f.read(value)
		if strings.HasPrefix(value.Text, "/") || strings.HasPrefix(value.Text, "~") || strings.HasPrefix(value.Text, "..") {
			f.unknown("what go " + f.sub + " -" + name + " names lies elsewhere")
		}
	case "pkgdir":
		f.file(File{Write: true, Tree: true}, value)
	case "coverprofile", "cpuprofile", "memprofile", "blockprofile", "mutexprofile", "trace":
		f.profiles = append(f.profiles, value)
	case "o":
		f.file(File{Write: true, Tree: f.sub == "mod"}, value)
	case "outputdir":
		f.place = value
		f.write(value)
	case "fuzzcachedir", "gocoverdir", "testlogfile":
		f.write(value)
	case "w", "u":
		if f.sub == "env" {
			f.unknown("go env -" + name + " changes what later commands run")
		}
	case "mod":
		if value.Text == "mod" || !value.Static {
			f.write(literal("go.mod"))
		}
	case "http":
		if f.sub == "doc" {
			f.unknown("go doc -http serves pages and gets the program for it")
		}
	case "fix":
		if f.sub == "vet" {
			f.writeTree(literal("."))
		}
	}
}

// goFlagWrites are options of the compiler, the assembler and the linker that
// write a file of a name of their own, or read one.
var goFlagWrites = map[string]bool{
	"-asmhdr": true, "-cpuprofile": true, "-memprofile": true, "-mutexprofile": true, "-blockprofile": true, "-traceprofile": true, "-linkobj": true,
	"-o": true, "-json": true, "-symabis": true, "-gensymabis": true, "-bench": true, "-embedcfg": true, "-importcfg": true, "-extar": true, "-tmpdir": true,
	"-capturehostobjs": true, "-pgoprofile": true,
}

// profile notes the profiles that are written.
func (f *goFiles) profile() {
	for _, w := range f.profiles {
		if f.place.Text != "" && !strings.HasPrefix(w.Text, "/") {
			f.write(Word{Text: f.place.Text + "/" + w.Text, Shown: f.place.Shown + "/" + w.Shown, Static: f.place.Static && w.Static, Made: f.place.Made || w.Made})
		}
		f.write(w)
	}
}

// moved notes that an option makes a program work in another folder, where its
// files are then.
func (c *call) moved(opts []option, names ...string) {
	for _, o := range opts {
		if o.has && o.is(names...) {
			c.move(o.val)
		}
	}
}

func (c *call) move(w Word) {
	inner := *c.sc
	inner.dirs = c.into(w)
	if c.home == nil {
		c.home = &c.sc.dirs
	}
	c.sc = &inner
	c.command().placed(inner.dirs)
}

// makeCall is make: what its targets run is opaque, but options may bring
// commands of their own.
func makeCall(c *call) outcome {
	g := globals["make"]
	g.short, g.first = "CEfIoW", false // options may follow targets; the values of j, l and O may be left out
	p := g.parse(c.args)
	c.moved(p.opts, "C", "directory")
	for _, o := range p.opts {
		switch {
		case o.is("E", "eval"):
			c.unknown(c.name + " --eval runs commands")
		case o.is("f", "file", "makefile") && o.has:
			c.read(o.val)
			if o.val.Text == "-" || o.val.Text == "/dev/stdin" || len(o.val.Subst) > 0 {
				c.unknown("what " + c.name + " runs comes from its input")
			}
			if strings.HasPrefix(o.val.Text, "/") || strings.HasPrefix(o.val.Text, "~") || strings.HasPrefix(o.val.Text, "..") || strings.Contains(o.val.Text, "/../") {
				c.unknown("the recipes of " + c.name + " come from " + o.val.Shown + ", which may lie elsewhere")
			}
		}
	}
	for _, w := range c.args {
		head := w.Text
		if !w.Static {
			head = w.Head
		}
		if strings.HasPrefix(head, "--eval") {
			c.unknown(c.name + " --eval runs commands")
		}
		name, value, ok := strings.Cut(head, "=")
		if ok && (strings.HasSuffix(name, "!") || strings.Contains(value, "$(") || strings.Contains(value, "${") || strings.Contains(w.Text, "$(shell")) {
			c.unknown(w.Shown + " runs what it is given as a command")
			c.suspect(value)
		}
		name = strings.TrimPrefix(strings.TrimRight(name, " :?+!"), "override ")
		if ok && (name == "SHELL" || name == ".SHELLFLAGS" || name == "CC" || name == "MAKE" || name == "MAKEFLAGS") {
			c.unknown(name + " changes what " + c.name + " runs")
		}
	}
	if p.loose {
		c.unknown("an argument of " + c.name + " cannot be known before it runs, and could run a command")
	}
	return c.stays()
}

// sqlCall is a client of a database: its own commands can run a shell.
func sqlCall(c *call) outcome {
	g := grammar{
		short: "cfFhopRTUvdPueDHsSLqiaEWV", long: "command file output log-file host port username dbname execute user password database init eval query input-file init-command",
		flags: "*", longFlags: "*",
	}
	if c.name == "sqlite3" || c.name == "duckdb" {
		g = grammar{short: "c", long: "", flags: "*", longFlags: "*"}
	}
	texts := []string{c.sc.stdin.text}
	for _, w := range c.args {
		texts = append(texts, w.Text)
		if !w.Static && w.Made {
			c.unknown("what " + c.name + " runs cannot be known before it runs")
		}
	}
	p := g.parse(c.args)
	for _, o := range p.opts {
		if o.has && o.is("f", "file", "i", "input-file", "init") {
			c.read(o.val)
			if text, ok := c.content(o.val); ok && c.command().Stdin == "" {
				c.command().Stdin = text
				texts = append(texts, text)
			}
		}
		if o.has && o.is("o", "output", "L", "log-file") && (c.name == "psql") {
			c.write(o.val)
			c.unknown(c.word(o.name) + " writes a file")
		}
	}
	for _, t := range texts {
		for _, mark := range []string{"\\!", "\\copy", "\\o ", "\\o|", "\\g |", "\\w ", "\\i ", "\\setenv", ".shell", ".system", ".output", ".once", ".import", ".read", ".log", "\nsystem ", "to program", "from program", "into outfile", "into dumpfile", "load_file(", "readfile(", "writefile(", "edit(", "load_extension"} {
			if i := strings.Index(strings.ToLower(t), mark); i >= 0 {
				c.unknown(c.name + " runs a command or touches a file by " + strings.TrimSpace(mark))
				if mark == "\\!" || mark == ".shell" || mark == ".system" {
					line, _, _ := strings.Cut(t[i+len(mark):], "\n")
					c.suspect(strings.TrimSpace(line))
				}
			}
		}
	}
	if c.sc.stdin.some && !c.sc.stdin.known {
		c.unknown("what " + c.name + " runs comes from its input, which cannot be known")
	}
	return c.stays()
}

func opensslCall(c *call) outcome {
	for i, w := range c.args {
		switch w.Text {
		case "-in", "-inkey", "-key", "-cert", "-CAfile", "-kfile":
			if i+1 < len(c.args) {
				c.read(c.args[i+1])
			}
		case "-out", "-keyout", "-writerand":
			if i+1 < len(c.args) {
				c.write(c.args[i+1])
			}
		case "-engine", "-provider", "-config":
			c.unknown("openssl " + w.Text + " loads other code")
		}
	}
	if len(c.args) > 1 && !strings.HasPrefix(c.args[len(c.args)-1].Text, "-") {
		c.file(File{Mention: true}, c.args[len(c.args)-1])
	}
	return c.stays()
}

// bunCall is bun, an interpreter and a runner of packages at once.
func bunCall(c *call) outcome {
	if len(c.args) > 0 {
		switch c.args[0].Text {
		case "x", "install", "add", "test", "build", "pm", "remove", "update", "init", "create", "link", "upgrade":
			return packageRunner(c)
		case "run":
			c.command().Opaque = true // a script, or any program
			c.mention()
			return c.stays()
		case "exec":
			c.script(joined(c.args[1:]), "bun exec")
			return c.stays()
		}
	}
	return interpreters["bun"].look(c)
}

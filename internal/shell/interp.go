package shell

import (
	"slices"
	"strconv"
	"strings"
)

// interpreter is a program that runs code of another language.
type interpreter struct {
	// code are the options whose value is code.
	code string
	grammar
	// module is an option whose value names a module; what follows are its
	// arguments.
	module string
	// odd are options that load or change files, reads those that name one.
	odd, reads string
}

var interpreters = map[string]interpreter{
	"python":    {code: "c", grammar: grammar{short: "cWXQm", long: "check-hash-based-pycs", flags: "*", longFlags: "*", first: true}, module: "m"},
	"pypy":      {code: "c", grammar: grammar{short: "cWXQm", flags: "*", longFlags: "*", first: true}, module: "m"},
	"ipython":   {code: "c", grammar: grammar{short: "cm", flags: "*", longFlags: "*", first: true}, module: "m"},
	"node":      {code: "e p eval print", grammar: grammar{short: "eprC", long: "eval print require import loader experimental-loader conditions env-file", flags: "*", longFlags: "*", first: true}, reads: "r require import loader experimental-loader env-file"},
	"nodejs":    {code: "e p eval print", grammar: grammar{short: "epr", long: "eval print require import loader", flags: "*", longFlags: "*", first: true}, reads: "r require import loader"},
	"bun":       {code: "e p eval print", grammar: grammar{short: "epr", long: "eval print preload require", flags: "*", longFlags: "*", first: true}, reads: "r preload require"},
	"tsx":       {code: "e p eval print", grammar: grammar{short: "epr", long: "eval print", flags: "*", longFlags: "*", first: true}},
	"ts-node":   {code: "e p eval print", grammar: grammar{short: "eprPOTC", long: "eval print project", flags: "*", longFlags: "*", first: true}},
	"deno":      {code: "e", grammar: grammar{flags: "*", longFlags: "*", first: true}},
	"perl":      {code: "e E", grammar: grammar{short: "eEIMmxCDFlV", flags: "*", longFlags: "*", first: true}, odd: "i"},
	"ruby":      {code: "e", grammar: grammar{short: "erIECFKTWx", long: "encoding", flags: "*", longFlags: "*", first: true}, odd: "i", reads: "r"},
	"php":       {code: "r B R E run", grammar: grammar{short: "rBREFfcdztS", long: "run process-begin process-code process-end file", flags: "*", longFlags: "*", first: true}, reads: "f F file"},
	"lua":       {code: "e", grammar: grammar{short: "el", flags: "*", first: true}, reads: "l"},
	"luajit":    {code: "e", grammar: grammar{short: "eljO", flags: "*", first: true}, reads: "l"},
	"Rscript":   {code: "e", grammar: grammar{short: "e", flags: "*", longFlags: "*", first: true}},
	"julia":     {code: "e E eval print", grammar: grammar{short: "eEL", long: "eval print load project", flags: "*", longFlags: "*", first: true}, reads: "L load"},
	"osascript": {code: "e", grammar: grammar{short: "els", flags: "*", first: true}},
	"elixir":    {code: "e eval", grammar: grammar{short: "eSrp", long: "eval rpc-eval cookie", flags: "*", longFlags: "*", first: true}},
	"groovy":    {code: "e", grammar: grammar{short: "e", flags: "*", longFlags: "*", first: true}},
	"scala":     {code: "e", grammar: grammar{short: "ei", flags: "*", longFlags: "*", first: true}},
	"guile":     {code: "c", grammar: grammar{short: "cslLx", flags: "*", longFlags: "*", first: true}},
	"racket":    {code: "e", grammar: grammar{short: "etlpr", flags: "*", longFlags: "*", first: true}},
	"sbcl":      {code: "eval", grammar: grammar{long: "eval load script", longFlags: "*"}, reads: "load script"},
	"clojure":   {code: "e eval", grammar: grammar{short: "ei", long: "eval init", flags: "*", longFlags: "*", first: true}},
	"R":         {code: "e", grammar: grammar{short: "ef", flags: "*", longFlags: "*"}, reads: "f"},
	"ghc":       {code: "e", grammar: grammar{short: "e", flags: "*", longFlags: "*"}},
	"tclsh":     {code: "none"}, "wish": {code: "none"}, "expect": {code: "c", grammar: grammar{short: "cf", flags: "*", first: true}, reads: "f"},
	"gnuplot": {code: "e", grammar: grammar{short: "e", flags: "*", longFlags: "*"}},
	"octave":  {code: "eval", grammar: grammar{long: "eval", flags: "*", longFlags: "*"}},
	"matlab":  {code: "r batch", grammar: grammar{short: "r", flags: "*", longFlags: "*"}},
}

// versionless is an interpreter's name without its version: python3.11.
func versionless(name string) string {
	if _, ok := interpreters[name]; ok {
		return name
	}
	return strings.TrimRight(name, "0123456789.-")
}

// look notes the code that an interpreter is given, as an argument, a file or its input.
func (x interpreter) look(c *call) outcome {
	p := x.parse(c.args)
	ran := false
	for _, o := range p.opts {
		switch {
		case x.code != "" && o.has && o.is(strings.Fields(x.code)...):
			c.code(o.val)
			ran = true
		case x.module != "" && o.is(x.module):
			ran = true
		case x.odd != "" && o.is(strings.Fields(x.odd)...):
			c.unknown(c.word(o.name) + " writes the files that it is given")
			for _, w := range p.rest {
				c.write(w)
			}
		case x.reads != "" && o.has && o.is(strings.Fields(x.reads)...):
			c.read(o.val)
		}
	}
	if p.loose {
		c.unknown("an argument of " + c.name + " cannot be known before it runs, and could be code")
	}
	if c.name == "deno" && len(p.rest) > 0 && p.rest[0].Text == "eval" {
		for _, w := range p.rest[1:] {
			c.code(w)
		}
		return c.stays()
	}
	rest := p.rest
	if c.name == "deno" && len(rest) > 0 {
		rest = rest[1:] // run, test and the like
	}
	if len(rest) > 0 && !ran {
		if len(rest[0].Subst) > 0 {
			c.unknown("what " + c.name + " runs is the output of a command")
		}
		if !InputName(rest[0].Text) {
			c.read(rest[0])
			ran = true
		}
		if text, ok := c.content(rest[0]); ok {
			c.code(Word{Text: text, Static: true})
		}
		rest = rest[1:]
	}
	c.mentionRest(rest)
	if !ran && c.sc.stdin.some {
		if c.sc.stdin.known {
			c.code(Word{Text: c.sc.stdin.text, Static: true})
		} else {
			c.unknown("what " + c.name + " runs comes from its input, which cannot be known")
		}
	}
	return c.stays()
}

// code looks at the code given to an interpreter: it is not read, only that of
// which a part cannot be known is told, and the shell commands that stand in
// it as plain text are listed.
func (c *call) code(w Word) {
	if !w.Static && (w.Made || w.Text == "") {
		c.unknown("the code that " + c.name + " runs cannot be known before it runs")
	}
	for _, text := range literals(w.Text) {
		c.file(File{Mention: true}, literal(text))
	}
	for _, text := range shellTexts(versionless(c.name), w.Text) {
		at := len(c.r.out.Commands)
		inner := *c.sc
		inner.wrapper = c.name + " code"
		inner.stdin = stdin{}
		if err := c.r.script(text, &inner); err != nil {
			c.r.out.Commands = c.r.out.Commands[:at]
			continue
		}
	}
	c.speaks(w.Text)
}

// runners are the ways in which code hands text to a shell, by language; the
// first are common to all.
var runners = map[string][]string{
	"":       {"system(", "popen(", "do shell script "},
	"python": {"subprocess.run(", "subprocess.call(", "subprocess.check_call(", "subprocess.check_output(", "subprocess.Popen(", "subprocess.getoutput(", "rmtree(", "os.execvp(", "os.execlp(", "os.spawnvp(", "pty.spawn("},
	"node":   {"execSync(", "exec(", "spawnSync(", "spawn(", "execFileSync(", "execFile(", "rmSync(", "Deno.run(", "$`"},
	"perl":   {"system ", "exec ", "exec(", "qx{", "qx(", "qx/", "`", "rmtree(", "remove_tree("},
	"ruby":   {"system ", "exec ", "exec(", "spawn(", "%x(", "%x{", "`", "rm_rf(", "rm_rf ", "rm_r("},
	"php":    {"shell_exec(", "exec(", "passthru(", "proc_open(", "`"},
}

// deleters are those that delete a tree themselves.
var deleters = map[string]bool{
	"rmSync(": true, "rmtree(": true, "remove_tree(": true, "rm_rf(": true, "rm_rf ": true, "rm_r(": true,
}

// shellTexts are the literal texts that code hands to a shell.
func shellTexts(language, code string) []string {
	var out []string
	switch language {
	case "nodejs", "bun", "deno", "tsx", "ts-node":
		language = "node"
	case "pypy", "ipython":
		language = "python"
	}
	for _, r := range slices.Concat(runners[""], runners[language]) {
		for rest := code; len(out) < 32; {
			i := strings.Index(rest, r)
			if i < 0 {
				break
			}
			rest = rest[i+len(r):]
			text, ok := quotedText(rest, r)
			switch {
			case r == "rmSync(" && !strings.Contains(rest, "recursive"):
				continue
			case deleters[r]:
				text, ok = "rm -r -- "+strconv.Quote(text), true
			}
			if ok && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return out
}

// quotedText is the literal at the start of what follows a runner; a list of
// literals (an argv) is joined.
func quotedText(s, runner string) (string, bool) {
	switch {
	case strings.HasPrefix(runner, "qx"), strings.HasPrefix(runner, "%x"), strings.HasSuffix(runner, "`"):
		closing := strings.NewReplacer("(", ")", "{", "}").Replace(runner[len(runner)-1:])
		return cutAt(s, closing)
	}
	s = strings.TrimPrefix(strings.TrimLeft(s, " \t\n(["), "args=")
	s = strings.TrimLeft(s, " \t\n([")
	if list, ok := strings.CutPrefix(s, "qw"); ok && list != "" { // perl's list of words
		return cutAt(list[1:], strings.NewReplacer("(", ")", "{", "}", "[", "]", "<", ">").Replace(list[:1]))
	}
	var text strings.Builder
	some := false
	for {
		quote, body := opensText(s)
		if quote == "" {
			break
		}
		end := strings.Index(body, quote)
		if end < 0 {
			break
		}
		text.WriteString(body[:end])
		some = true
		s = strings.TrimLeft(body[end+len(quote):], " \t\n")
		switch {
		case strings.HasPrefix(s, ","):
			text.WriteByte(' ')
		case !strings.HasPrefix(s, "+"):
			return text.String(), true
		}
		s = strings.TrimLeft(s[1:], " \t\n[")
	}
	return strings.TrimSpace(text.String()), some
}

// opensText is the quote that a literal begins with, behind the letters that
// python puts in front, and what follows it.
func opensText(s string) (quote, body string) {
	if bare := strings.TrimLeft(s, "fFrRbBuU"); len(s)-len(bare) <= 2 {
		s = bare
	}
	for _, q := range []string{`"""`, "'''", `"`, "'", "`"} {
		if rest, ok := strings.CutPrefix(s, q); ok {
			return q, rest
		}
	}
	return "", ""
}

func cutAt(s, mark string) (string, bool) {
	text, _, ok := strings.Cut(s, mark)
	return text, ok
}

// literals are the quoted texts of code that could be paths.
func literals(code string) []string {
	var out []string
	for i := 0; i < len(code) && len(out) < 64; i++ {
		if q := code[i]; q == '"' || q == '\'' || q == '`' {
			end := strings.IndexByte(code[i+1:], q)
			if end < 0 {
				continue
			}
			text := code[i+1 : i+1+end]
			if text != "" && len(text) < 200 && !strings.ContainsAny(text, " \t\n;(){}<>*") {
				out = append(out, text)
			}
			i += end + 1
		}
	}
	return out
}

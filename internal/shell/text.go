package shell

import (
	"slices"
	"strings"
)

// sedCall is sed: its script may write files and run commands.
func sedCall(c *call) outcome {
	g := grammar{short: "efl", long: "expression file line-length", flags: "*", longFlags: "*"}
	args := make([]Word, len(c.args))
	copy(args, c.args)
	inplace := false
	for i, w := range args {
		if name, _, _ := strings.Cut(w.Text, "="); w.Static && len(name) > 2 && strings.HasPrefix("--in-place", name) {
			inplace = true
		}
		if w.Static && len(w.Text) > 1 && w.Text[0] == '-' && w.Text[1] != '-' {
			// -i and -I take a suffix that is attached, so that no letter
			// follows them.
			if k := strings.IndexAny(w.Text, "iI"); k > 0 && !strings.ContainsAny(w.Text[:k], "efl") {
				inplace = true
				args[i] = literal(w.Text[:k] + "n")
			}
		}
	}
	p := g.parse(args)
	rest := p.rest
	scripted := false
	for _, o := range p.opts {
		switch {
		case o.is("e", "expression"):
			scripted = true
			c.sedScript(o.val)
		case o.is("f", "file"):
			scripted = true
			c.read(o.val)
			c.unknown("the script of sed is in a file, and could run commands")
		}
	}
	if p.loose {
		c.unknown("an argument of sed cannot be known before it runs, and could run a command")
	}
	if !scripted && len(rest) > 0 {
		if !(inplace && rest[0].Text == "" && rest[0].Static) {
			c.sedScript(rest[0])
		} else if len(rest) > 1 { // BSD: -i ''
			rest = rest[1:]
			c.sedScript(rest[0])
		}
		rest = rest[1:]
	}
	for _, w := range rest {
		c.read(w)
		if inplace {
			c.write(w)
		}
	}
	if inplace {
		c.unknown("sed -i writes the files that it is given")
	}
	return c.stays()
}

// sedScript looks for the commands e and w, and for the flags e and w of s.
func (c *call) sedScript(w Word) {
	if !w.Static {
		if w.Made || w.Head == "" {
			c.unknown("the script of sed cannot be known before it runs, and could run a command")
			return
		}
	}
	s := w.Text
	for i := 0; i < len(s); {
		i = c.sedCommand(s, sedAddress(s, i, false), false)
	}
	if strings.IndexByte(s, '[') >= 0 && c.command().Unknown == "" {
		for i := 0; i < len(s); {
			i = c.sedCommand(s, sedAddress(s, i, true), true)
		}
	}
}

// sedAddress skips blanks, braces and addresses.
func sedAddress(s string, i int, class bool) int {
	for i < len(s) {
		switch ch := s[i]; {
		case strings.IndexByte(" \t\n;{}!,0123456789$~+", ch) >= 0:
			i++
		case ch == '/':
			i = skip(s, i+1, '/', class)
			for i < len(s) && (s[i] == 'I' || s[i] == 'M') {
				i++
			}
		case ch == '\\' && i+1 < len(s):
			i = skip(s, i+2, s[i+1], class)
		default:
			return i
		}
	}
	return i
}

// skipTo returns the place after the next mark that no backslash hides.
func skipTo(s string, i int, mark byte) int { return skip(s, i, mark, false) }

// skip is skipTo where, with class, a mark within [brackets] does not count:
// versions of sed differ in this.
func skip(s string, i int, mark byte, class bool) int {
	for ; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case class && s[i] == '[' && mark != '[':
			if end := strings.IndexByte(s[min(i+2, len(s)):], ']'); end >= 0 {
				i += 2 + end
			}
		case s[i] == mark:
			return i + 1
		}
	}
	return len(s)
}

// sedCommand looks at the command at a place and returns where the next may
// begin.
func (c *call) sedCommand(s string, i int, class bool) int {
	if i >= len(s) {
		return i
	}
	switch s[i] {
	case '#':
		return lineEnd(s, i)
	case 'e':
		c.unknown("the command e of sed runs a command")
		end := lineEnd(s, i)
		c.also(strings.TrimSpace(s[i+1 : end]))
		return end
	case 'w', 'W':
		c.unknown("the command w of sed writes a file")
		end := lineEnd(s, i)
		c.write(literal(strings.TrimSpace(s[i+1 : end])))
		return end
	case 'r', 'R':
		end := lineEnd(s, i)
		c.read(literal(strings.TrimSpace(s[i+1 : end])))
		return end
	case 'a', 'i', 'c', 'b', 't', 'T', ':', 'v':
		if strings.IndexByte("aic", s[i]) < 0 {
			if n := strings.IndexAny(s[i:], ";\n}"); n >= 0 {
				return i + n
			}
			return len(s)
		}
		return lineEnd(s, i)
	case 'y':
		if i+1 >= len(s) {
			return len(s)
		}
		return skip(s, skip(s, i+2, s[i+1], class), s[i+1], class)
	case 's':
		return c.sedSubstitution(s, i, class)
	}
	return i + 1
}

// sedSubstitution looks at the flags of the command s at a place.
func (c *call) sedSubstitution(s string, i int, class bool) int {
	if i+1 >= len(s) {
		return len(s)
	}
	middle := skip(s, i+2, s[i+1], class)
	i = skip(s, middle, s[i+1], false)
	with := s[middle:max(i-1, middle)]
	for ; i < len(s); i++ {
		switch s[i] {
		case 'e':
			c.unknown("the flag e of the command s of sed runs a command")
			c.suspect(with)
		case 'w':
			c.unknown("the flag w of the command s of sed writes a file")
			end := lineEnd(s, i)
			c.write(literal(strings.TrimSpace(s[i+1 : end])))
			return end
		case ';', '\n', '}':
			return i
		}
	}
	return i
}

// lineEnd is the place where the next line begins.
func lineEnd(s string, from int) int {
	if n := strings.IndexByte(s[from:], '\n'); n >= 0 {
		return from + n + 1
	}
	return len(s)
}

// also lists what a text would run where its text is known.
func (c *call) also(text string) {
	if text != "" {
		c.script(literal(text), c.name)
	}
}

// awkCall is awk and its kin: a program that can run commands, read and write
// files.
func awkCall(c *call) outcome {
	g := grammar{short: "FvfieElLW", long: "field-separator assign file include exec source load output-file", flags: "*", longFlags: "*", first: true}
	p := g.parse(c.awkReports())
	rest := p.rest
	scripted := false
	for _, o := range p.opts {
		switch {
		case o.is("f", "file", "E", "exec", "i", "include", "l", "load"):
			scripted = scripted || o.is("f", "file", "E", "exec")
			c.read(o.val)
			c.unknown("the program of " + c.name + " is in a file, and could run commands")
		case o.is("e", "source"):
			scripted = true
			c.awkProgram(o.val)
		case o.is("W"):
			c.awkWord(o.val)
		case o.is("output-file") && o.has:
			c.write(o.val)
			c.unknown(c.word(o.name) + " writes a file")
		}
	}
	if p.loose {
		c.unknown("an argument of " + c.name + " cannot be known before it runs, and could run a command")
	}
	if !scripted && len(rest) > 0 {
		c.awkProgram(rest[0])
		rest = rest[1:]
	}
	for _, w := range rest {
		if w.Static && strings.Contains(w.Text, "=") && !strings.Contains(w.Text, "/") {
			continue
		}
		c.read(w)
	}
	return c.stays()
}

// awkReports are the arguments of awk without the options that write a report,
// to a file that they name themselves or to one of a fixed name.
func (c *call) awkReports() []Word {
	out := make([]Word, 0, len(c.args))
	for i, w := range c.args {
		if w.Text == "--" || len(w.Text) > 0 && w.Text[0] != '-' {
			return append(out, c.args[i:]...)
		}
		name, value, _ := strings.Cut(w.Text, "=")
		long := len(name) > 3 && slices.ContainsFunc([]string{"--dump-variables", "--pretty-print", "--profile", "--debug"}, func(l string) bool { return strings.HasPrefix(l, name) })
		if short := len(w.Text) > 1 && strings.IndexByte("dopD", w.Text[1]) >= 0; short || long {
			if short {
				value = w.Text[2:]
			}
			c.unknown(c.word(name) + " writes a file")
			c.write(Word{Text: value, Shown: value, Static: w.Static, Made: w.Made})
			continue
		}
		out = append(out, w)
	}
	return out
}

// awkProgram looks for what runs commands or touches files: system, pipes,
// getline, redirected output, indirect calls.
func (c *call) awkProgram(w Word) {
	if !w.Static && (w.Made || w.Head == "") {
		c.unknown("the program of " + c.name + " cannot be known before it runs, and could run a command")
		return
	}
	c.awkArgv(w.Text)
	bare, texts := awkBare(w.Text)
	if awkTwofold(w.Text) {
		// Where a slash may begin a pattern or divide, quotes and comments
		// cannot be told from code: all of it is code then.
		bare = w.Text
	}
	switch {
	case strings.Contains(bare, "system"):
		c.unknown("system() in the program of " + c.name + " runs a command")
		for _, t := range texts {
			c.suspect(t)
		}
	case strings.Contains(bare, "getline"):
		c.unknown("getline in the program of " + c.name + " runs a command or reads a file")
		for _, t := range texts {
			c.suspect(t)
			c.file(File{Mention: true}, literal(t))
		}
	case strings.Contains(bare, "@load") || strings.Contains(bare, "@include") || strings.Contains(bare, "@"):
		c.unknown("the program of " + c.name + " loads another or calls by a name that cannot be known")
	case strings.Contains(strings.ReplaceAll(bare, "||", ""), "|"):
		c.unknown("a pipe in the program of " + c.name + " runs a command")
		for _, t := range texts {
			c.suspect(t)
		}
	case awkPrints(bare):
		c.unknown("the program of " + c.name + " writes a file")
		for _, t := range texts {
			if t != "" && !strings.ContainsAny(t, " \n") {
				c.write(literal(t))
			}
		}
	case strings.Contains(bare, "ARGV") || strings.Contains(bare, "FILENAME ="):
		c.unknown("the program of " + c.name + " chooses the files that it reads")
	}
}

// suspect lists what a text in a program would run if it were given to a
// shell; what is no command is left out.
func (c *call) suspect(text string) {
	at := len(c.r.out.Commands)
	inner := *c.sc
	inner.wrapper = c.name + " program"
	if text == "" || c.r.script(text, &inner) != nil {
		c.r.out.Commands = c.r.out.Commands[:at]
	}
	for i := at; i < len(c.r.out.Commands); i++ {
		c.r.out.Commands[i].Expansion = true
	}
}

// awkBare parts a program into its code without literals and the literals.
func awkBare(s string) (string, []string) {
	var bare strings.Builder
	var texts []string
	last := byte(0)
	for i := 0; i < len(s); i++ {
		switch ch := s[i]; {
		case ch == '"':
			end := i + 1
			for end < len(s) && s[end] != '"' {
				if s[end] == '\\' {
					end++
				}
				end++
			}
			texts = append(texts, unquote(s[i+1:min(end, len(s))], "\"\\/"))
			bare.WriteString(`""`)
			i, last = end, '"'
		case ch == '#':
			n := strings.IndexByte(s[i:], '\n')
			if n < 0 {
				return bare.String(), texts
			}
			i += n
			bare.WriteByte('\n')
		case ch == '/' && (last == 0 || strings.IndexByte("(,{};!~&|=\n", last) >= 0):
			end := skipTo(s, i+1, '/')
			bare.WriteString("//")
			i, last = end-1, '/'
		default:
			bare.WriteByte(ch)
			if ch != ' ' && ch != '\t' {
				last = ch
			}
		}
	}
	return bare.String(), texts
}

// awkPrints says whether output is redirected: a ">" after print or printf
// that stands in no brackets.
func awkPrints(bare string) bool {
	for rest := bare; ; {
		i := strings.Index(rest, "print")
		if i < 0 {
			return false
		}
		rest = rest[i+len("print"):]
		depth := 0
		for _, ch := range rest {
			if ch == ';' || ch == '\n' || ch == '}' {
				break
			}
			switch {
			case ch == '(':
				depth++
			case ch == ')':
				depth--
			case ch == '>' && depth <= 0:
				return true
			}
		}
	}
}

package shell

import (
	"slices"
	"strconv"
	"strings"
)

// xargsCall runs a command with words from its input added.
func xargsCall(c *call) outcome {
	g := grammar{
		short: "IdEeLlnPsaJR", long: "arg-file delimiter max-args max-procs max-chars process-slot-var",
		flags: "0oprtx", longFlags: "null open-tty no-run-if-empty interactive verbose exit eof show-limits replace max-lines", first: true,
	}
	// -e, -i and -l take their value attached or not at all.
	args := make([]Word, 0, len(c.args))
	replace, lines := "", false
	for i, w := range c.args {
		if w.Static && len(w.Text) >= 2 && w.Text[0] == '-' && strings.IndexByte("eil", w.Text[1]) >= 0 {
			lines = lines || w.Text[1] == 'l'
			if w.Text[1] == 'i' {
				if replace = w.Text[2:]; replace == "" {
					replace = "{}"
				}
			}
			continue
		}
		args = append(args, w)
		if !strings.HasPrefix(w.Text, "-") && (i == 0 || !g.takes(c.args[i-1])) {
			args = append(args, c.args[i+1:]...)
			break
		}
	}
	p := g.parse(args)
	for _, o := range p.opts {
		switch {
		case o.is("I", "J", "replace"):
			if replace = o.val.Text; replace == "" {
				replace = "{}"
			}
		case o.is("a", "arg-file"):
			c.read(o.val)
			c.sc.stdin = stdin{some: true}
			if text, ok := c.content(o.val); ok {
				c.sc.stdin.text, c.sc.stdin.known = text, true
			}
		case o.is("process-slot-var"):
			c.r.dangerous(o.val.Text, o.val.Text, c.sc)
		}
	}
	if p.odd || p.loose {
		c.unknown("an option of xargs is not known, so that what it runs cannot be told for certain")
	}
	words := p.rest
	if len(words) == 0 {
		words = []Word{literal("echo")}
	}
	inner := *c.sc
	inner.stdin = stdin{}
	for _, given := range c.batches(p, replace != "", lines) {
		run := append(words[:len(words):len(words)], given...)
		if replace != "" {
			run = substitute(words, replace, given)
		}
		at := inner
		c.runIn(&at, run, "xargs")
	}
	return c.stays()
}

// mostBatches bounds how many runs of one xargs are followed.
const mostBatches = 16

// batches are the words of each run of xargs. Without an option all words go
// to one run.
func (c *call) batches(p parsed, replace, byLine bool) [][]Word {
	in := c.sc.stdin
	by, divided := p.get("d", "delimiter")
	if !in.known || divided && len(by.val.Text) != 1 {
		return [][]Word{c.given()}
	}
	var lines [][]string
	if divided {
		for _, f := range strings.Split(strings.TrimSuffix(in.text, by.val.Text), by.val.Text) {
			lines = append(lines, []string{f})
		}
	} else if p.has("0", "null") {
		for _, f := range strings.Split(strings.TrimSuffix(in.text, "\x00"), "\x00") {
			lines = append(lines, []string{f})
		}
	} else {
		for _, line := range strings.Split(strings.TrimSuffix(in.text, "\n"), "\n") {
			if fields := splitItems(line); replace {
				lines = append(lines, []string{strings.Join(fields, " ")})
			} else {
				lines = append(lines, fields)
			}
		}
	}
	size := 0
	if o, ok := p.get("n", "max-args"); ok {
		size, _ = strconv.Atoi(o.val.Text)
	}
	var out [][]Word
	switch {
	case replace || byLine || p.has("L", "max-lines"):
		for _, l := range lines {
			out = append(out, items(l))
		}
	case size > 0:
		for part := range slices.Chunk(items(slices.Concat(lines...)), size) {
			out = append(out, part)
		}
	default:
		out = [][]Word{items(slices.Concat(lines...))}
	}
	if len(out) > mostBatches {
		return append(out[:mostBatches], c.given())
	}
	return out
}

func items(texts []string) []Word {
	out := make([]Word, len(texts))
	for i, t := range texts {
		out[i] = literal(t)
	}
	return out
}

// splitItems splits a line of input as xargs does: quotes and backslashes
// hide blanks.
func splitItems(s string) []string {
	var out []string
	var b strings.Builder
	quote, some := byte(0), false
	for i := 0; i < len(s); i++ {
		switch ch := s[i]; {
		case quote != 0 && ch == quote:
			quote = 0
		case quote != 0:
			b.WriteByte(ch)
		case ch == '\'' || ch == '"':
			quote, some = ch, true
		case ch == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
			some = true
		case ch == ' ' || ch == '\t':
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

// takes says whether a word is an option whose value is the next word.
func (g grammar) takes(w Word) bool {
	p := g.parse([]Word{w, literal("x")})
	return len(p.rest) == 0
}

// rest is how the words that a command is given while it runs are shown.
const rest = "…"

// given are the words that a command's input holds: those of a piped echo, the
// files of a piped listing, or anything.
func (c *call) given() []Word {
	in := c.sc.stdin
	if files, ok := c.r.piped(in, c.sc); ok {
		return []Word{{Made: true, Lists: files, Shown: rest, listing: true}}
	}
	return []Word{{Made: true, Shown: rest, Subst: in.from}}
}

// piped are the files that the one command of a pipe lists.
func (r *reader) piped(in stdin, sc *scope) ([]File, bool) {
	var out []File
	seen := false
	for _, i := range in.from {
		c := &r.out.Commands[i]
		if c.Expansion {
			continue
		}
		files, ok := listing(c)
		if !ok {
			// What only leaves lines out or orders them adds no names.
			if len(c.Words) > 0 && filters[c.Words[0].Text] && c.Unknown == "" && len(c.PipedFrom) > 0 && onlyOptions(c) {
				continue
			}
			return nil, false
		}
		seen = true
		out = append(out, files...)
	}
	return out, seen
}

// filters are programs that print some of their input's lines.
var filters = map[string]bool{"grep": true, "egrep": true, "fgrep": true, "head": true, "tail": true, "sort": true, "uniq": true, "rg": true}

// onlyOptions says whether a filter reads its input and no file.
func onlyOptions(c *Command) bool {
	operands := 0
	for _, w := range c.Words[1:] {
		if !w.Static {
			return false
		}
		if !strings.HasPrefix(w.Text, "-") {
			operands++
		}
		if strings.HasPrefix(w.Text, "-o") && c.Words[0].Text != "head" && c.Words[0].Text != "tail" {
			return false
		}
	}
	return operands <= 1
}

// substitute puts the given words in the place of a mark.
func substitute(words []Word, mark string, given []Word) []Word {
	var one Word
	if len(given) == 1 {
		one = given[0]
	} else {
		one = joined(given)
	}
	out := make([]Word, 0, len(words))
	for _, w := range words {
		switch {
		case w.Static && w.Text == mark:
			if one.Shown == rest {
				one.Shown = mark
			}
			out = append(out, one)
		case strings.Contains(w.Text, mark):
			head, tail, _ := strings.Cut(w.Text, mark)
			if one.Static {
				out = append(out, literal(strings.ReplaceAll(w.Text, mark, one.Text)))
				continue
			}
			if i := strings.LastIndex(tail, mark); i >= 0 {
				tail = tail[i+len(mark):]
			}
			out = append(out, Word{
				Text: strings.ReplaceAll(w.Text, mark, ""), Shown: w.Shown, Head: head, Tail: tail, Made: true,
				fill: &filling{strings.NewReplacer("'"+mark+"'", "$@", mark, "$@").Replace(w.Text), one},
			})
		default:
			out = append(out, w)
		}
	}
	return out
}

// parallelGiven looks at what parallel does with the words behind ":::", each
// of which the commands may read.
func (c *call) parallelGiven(template, args []Word) {
	template = slices.Clone(template)
	if !marked(template) {
		template = append(template, literal("{}"))
	}
	for i, w := range args {
		if w.Static && strings.HasPrefix(w.Text, ":::") {
			continue
		}
		c.file(File{Mention: true}, w)
		if i > mostBatches || !w.Static || w.Glob {
			continue
		}
		words := substitute(template, "{}", []Word{w})
		if len(words) == 1 && strings.ContainsAny(words[0].Text, " ;|&$`") {
			c.script(words[0], "parallel")
		} else {
			c.run(words, "parallel")
		}
	}
}

// parallelCall is GNU parallel: a template of a command, then ::: and words.
func parallelCall(c *call) outcome {
	g := grammar{
		short: "jPaIndSNLsCJE", long: "jobs max-procs arg-file colsep delimiter sshlogin sshloginfile joblog results tempdir timeout delay retries load memfree nice workdir env basefile return halt max-args max-replace-args tagstring tmpdir pipepart block recstart recend profile transferfile",
		flags: "kqvuXmt0r", longFlags: "*", first: true,
	}
	p := g.parse(c.args)
	for _, o := range p.opts {
		switch {
		case o.is("a", "arg-file"):
			c.read(o.val)
		case o.is("joblog", "results"):
			c.write(o.val)
		case o.is("S", "sshlogin", "sshloginfile"):
			c.unknown("parallel runs commands on other machines")
		}
	}
	template, words := parallelTemplate(p.rest)
	if len(template) == 0 {
		c.unknown("what parallel runs comes from its input")
		for _, w := range p.rest { // behind ":::"
			if !strings.HasPrefix(w.Text, ":::") {
				c.script(w, "parallel")
			}
		}
		return c.fromInput()
	}
	if p.odd || p.loose {
		c.unknown("an option of parallel is not known")
	}
	c.parallelGiven(template, p.rest[len(template):])
	given := Word{Made: true, Shown: "{}"}
	if list := c.given(); !words && !p.has("a", "arg-file") && len(list) == 1 {
		given = list[0]
		given.Shown = "{}"
	}
	if !marked(template) {
		template = append(template, given)
	}
	if len(template) <= 2 && strings.ContainsAny(template[0].Text, " ;|&$`") {
		c.script(Word{Text: template[0].Text, Shown: template[0].Shown, Static: template[0].Static}, "parallel")
		return c.stays()
	}
	c.run(substitute(template, "{}", []Word{given}), "parallel")
	return c.stays()
}

// parallelTemplate are the words before ":::", and whether that follows.
func parallelTemplate(args []Word) (template []Word, words bool) {
	for i, w := range args {
		if w.Static && strings.HasPrefix(w.Text, ":::") {
			return slices.Clone(args[:i]), true
		}
	}
	return slices.Clone(args), false
}

// marked says whether a template tells where words go.
func marked(template []Word) bool {
	return slices.ContainsFunc(template, func(w Word) bool { return strings.Contains(w.Text, "{") })
}

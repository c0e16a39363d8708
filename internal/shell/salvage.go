package shell

import "strings"

// salvage lists what may be run by a text that cannot be read as a whole: a
// shell may read it all the same, and what looks for harm must not be blind
// then. The text is cut into pieces, the larger first; a piece that can be
// read is taken, one that cannot is cut further. Whatever comes of it is an
// Expansion.
func (r *reader) salvage(src string, in scope) {
	at := len(r.out.Commands)
	src = strings.NewReplacer("\x00", "", "\r", "\n").Replace(src)
	// What begins like arithmetic may turn out to be a subshell in a subshell.
	if strings.Contains(src, "((") {
		r.try(strings.ReplaceAll(src, "((", "( ("), in)
	}
	texts := []string{src}
	if strings.Contains(src, "\\\n") {
		texts = append(texts, strings.ReplaceAll(src, "\\\n", "\n"))
	}
	for _, text := range texts {
		for _, piece := range cutOutside(text, false) {
			if r.try(piece, in) {
				continue
			}
			for _, part := range cutOutside(piece, true) {
				if r.try(part, in) {
					continue
				}
				for _, rest := range strings.FieldsFunc(part, func(c rune) bool { return strings.ContainsRune(";&|()`\n", c) }) {
					r.try(strings.NewReplacer(`"`, "", "'", "", `\`, "").Replace(rest), in)
				}
			}
		}
	}
	for i := at; i < len(r.out.Commands); i++ {
		r.out.Commands[i].Expansion = true
	}
}

// openers are words of the language that begin a piece which is cut out.
var openers = map[string]bool{
	"then": true, "do": true, "else": true, "elif": true, "if": true, "while": true, "until": true, "!": true, "{": true, "(": true,
}

// try reads a piece and keeps what it lists.
func (r *reader) try(piece string, in scope) bool {
	piece = strings.TrimRight(strings.TrimSpace(piece), "\\")
	for cut := true; cut; {
		word, rest, some := strings.Cut(piece, " ")
		if cut = some && openers[word]; cut {
			piece = strings.TrimSpace(rest)
		}
	}
	if piece == "" || !r.step() {
		return true
	}
	at, files := len(r.out.Commands), len(r.out.Files)
	if r.script(piece, &in) != nil {
		r.out.Commands, r.out.Files = r.out.Commands[:at], r.out.Files[:files]
		return false
	}
	return true
}

// cutOutside cuts a text at the operators that stand in no quotes; with deep
// also at brackets and within substitutions.
func cutOutside(s string, deep bool) []string {
	var out []string
	quote, depth, from := byte(0), 0, 0
	cut := func(i int) {
		out = append(out, s[from:i])
		from = i + 1
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case deep && strings.IndexByte(";&|\n()`{}", c) >= 0:
			cut(i)
		case c == '(':
			depth++
		case c == ')':
			depth = max(depth-1, 0)
		case depth == 0 && strings.IndexByte(";&|\n", c) >= 0:
			cut(i)
		}
	}
	return append(out, s[from:])
}

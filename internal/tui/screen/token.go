package screen

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of the search for words.
const (
	wordBytes    = 1024 // the longest word that is completed
	mentionLimit = 50   // words of one prompt that are asked for
)

// token is the word at the cursor when it begins with "@", "#" or, at the
// start of the prompt, "/".
type token struct {
	sign       byte // 0: no such word
	start, end int  // what a completion replaces
	// query is what stands between the sign and the cursor, without quotes.
	query  string
	quoted bool
}

// same reports whether two tokens are the same word at different moments.
func (t token) same(u token) bool { return t.sign == u.sign && t.start == u.start && t.sign != 0 }

// wordAt finds the token at the cursor.
func wordAt(e Snapshot) token {
	before := clipTail(e.Text[:e.Cursor], wordBytes)
	base := e.Cursor - len(before)
	if at := strings.LastIndexByte(before, '\n'); at >= 0 {
		before, base = before[at+1:], base+at+1
	}
	if base == 0 && strings.HasPrefix(before, "/") {
		return token{'/', 0, wordEndAt(e.Text, e.Cursor), before[1:], false}
	}
	// An open quote holds blanks.
	if at := strings.LastIndex(before, `@"`); at >= 0 && starts(before[:at]) && !strings.Contains(before[at+2:], `"`) {
		end := e.Cursor
		rest, _, _ := strings.Cut(clipHead(e.Text[e.Cursor:], wordBytes), "\n")
		if i := strings.IndexByte(rest, '"'); i >= 0 {
			end += i + 1
		}
		return token{'@', base + at, end, unescape(before[at+2:]), true}
	}
	at := strings.LastIndexFunc(before, unicode.IsSpace)
	if at >= 0 {
		_, n := utf8.DecodeRuneInString(before[at:])
		at += n
	} else if at = 0; base > 0 && e.Text[base-1] != '\n' {
		return token{} // the word is too long
	}
	for at < len(before) && strings.IndexByte(openers, before[at]) >= 0 {
		at++
	}
	if at < len(before) && (before[at] == '@' || before[at] == '#') {
		return token{before[at], base + at, wordEndAt(e.Text, e.Cursor), before[at+1:], false}
	}
	return token{}
}

// openers may stand between a blank and the sign of a word.
const openers = "([{\"'`"

// starts reports whether a word may start behind a text.
func starts(before string) bool {
	before = strings.TrimRight(before, openers)
	r, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || unicode.IsSpace(r)
}

// wordEndAt is where the word that holds an offset ends.
func wordEndAt(text string, from int) int {
	rest := clipHead(text[from:], wordBytes)
	if i := strings.IndexFunc(rest, unicode.IsSpace); i >= 0 {
		return from + i
	}
	return from + len(rest)
}

// ref is a path that was picked, and how it stands in the prompt.
type ref struct{ path, form string }

// quote is a path as it stands in a prompt: in quotes when it holds what ends
// a word.
func quote(p string) string {
	bare := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_./-+=~%@:", r)
	}
	if p != "" && strings.IndexFunc(p, func(r rune) bool { return !bare(r) }) < 0 {
		return p
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(p) + `"`
}

func unescape(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(s)
}

// mentions are the words of a prompt that stand for something else, as the
// host is asked for them, each once and in order: "@path", "#word", and the
// paths that were picked.
func mentions(text string, refs []ref) []string {
	var words []string
	add := func(w string) {
		if len(w) > 1 && len(words) < mentionLimit && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	for i := 0; i < len(text); i++ {
		at := strings.IndexAny(text[i:], "@#")
		if at < 0 {
			break
		}
		i += at
		if !starts(clipTail(text[:i], 8)) {
			continue
		}
		word, n := wordFrom(text[i:])
		if text[i] == '@' || strings.Trim(word, "#0123456789") != "" {
			add(word)
		}
		i += n - 1
	}
	for _, r := range refs {
		if stands(text, r.form) {
			add("@" + r.path)
		}
	}
	return words
}

// wordFrom is the mention at the start of a text without quotes and without
// the punctuation that follows it, and how many bytes it takes there.
func wordFrom(text string) (string, int) {
	text = clipHead(text, wordBytes)
	if strings.HasPrefix(text, `@"`) {
		for i := 2; i < len(text) && text[i] != '\n'; i++ {
			switch text[i] {
			case '\\':
				i++
			case '"':
				return "@" + unescape(text[2:i]), i + 1
			}
		}
	}
	n := len(text)
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		n = i
	}
	return text[:1] + strings.TrimRight(text[1:n], ".,;:!?)]}\"'`"), n
}

// stands reports whether a form stands in a text as a word of its own.
func stands(text, form string) bool {
	part := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_/-", r) }
	for at := 0; form != ""; at++ {
		i := strings.Index(text[at:], form)
		if i < 0 {
			return false
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(form):])
		if (at == 0 || !part(before)) && (at+len(form) == len(text) || !part(after)) {
			return true
		}
	}
	return false
}

// rank gives the paths that fit a query, at most n: those that begin with it,
// then those whose last part does, then those that hold it; each group in the
// order of the list, newest first.
func rank(list, lower []string, query string, n int) []string {
	query = strings.ToLower(query)
	var tiers [3][]string
	for i, p := range lower {
		tier := 2
		switch {
		case strings.HasPrefix(p, query):
			tier = 0
		case strings.HasPrefix(path.Base(p), query):
			tier = 1
		case !strings.Contains(p, query):
			continue
		}
		if len(tiers[tier]) < n {
			tiers[tier] = append(tiers[tier], list[i])
		}
		if len(tiers[0]) == n {
			break
		}
	}
	all := slices.Concat(tiers[0], tiers[1], tiers[2])
	return all[:min(len(all), n)]
}

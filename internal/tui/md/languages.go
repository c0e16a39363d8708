package md

import (
	"path"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// languages finds a lexer by the words that people write behind a fence and by
// file names. The registry's own search tries every pattern it has for a word
// that it does not know, at each flush; this table is made once, on first use.
var languages = sync.OnceValue(func() map[string]chroma.Lexer { //nolint:gochecknoglobals // a table, made late
	table := map[string]chroma.Lexer{}
	add := func(word string, l chroma.Lexer) {
		word = strings.ToLower(word)
		known := table[word]
		if known == nil || priority(l) > priority(known) {
			table[word] = l
		}
	}
	all := lexers.GlobalLexerRegistry.Lexers
	for _, l := range all {
		for _, glob := range l.Config().Filenames {
			add(strings.TrimPrefix(glob, "*"), l) // ".go" or "Makefile"
		}
	}
	for _, l := range all { // a name is more than an ending
		for _, name := range append(l.Config().Aliases, l.Config().Name) {
			delete(table, strings.ToLower(name))
		}
	}
	for _, l := range all {
		for _, name := range append(l.Config().Aliases, l.Config().Name) {
			add(name, l)
		}
	}
	return table
})

// lexer is that of a language, given as a name, an ending or a file name; nil
// when there is none.
func lexer(language string) chroma.Lexer {
	word := strings.ToLower(path.Base(language))
	ext := path.Ext(word)
	for _, w := range []string{word, strings.TrimPrefix(ext, "."), "." + word, ext} {
		if l := languages()[w]; l != nil && w != "" {
			return l
		}
	}
	return nil
}

// priority ranks lexers that claim the same ending; unset means 1.
func priority(l chroma.Lexer) float32 {
	if p := l.Config().Priority; p != 0 {
		return p
	}
	return 1
}

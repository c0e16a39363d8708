package syntax

import (
	_ "embed"
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
)

// index has a line for each language: its name, the language that the text
// around it is in (of a template; mostly none) and the words that mean it, with
// tabs between the three and spaces between the words. No word stands twice.
//
//go:embed languages.txt
var index string

// Lexer gives the lexer of a language that is named by a word as people write
// it behind a fence, by an ending or by a file name; nil when there is none.
// Its first use reads the definition and may fail.
func Lexer(word string) chroma.Lexer {
	word = strings.ToLower(word)
	if l := languages().Get(word); l != nil {
		return l // a name may have a slash
	}
	for word = path.Base(word); word != ""; _, word, _ = strings.Cut(word, ".") {
		if l := languages().Get(word); l != nil {
			return l
		}
	}
	return nil
}

// languages is the index as chroma wants it, because lexers find each other in
// it. No language has a file pattern there: the registry tries every pattern
// for a word that it does not know.
var languages = sync.OnceValue(func() *chroma.LexerRegistry { //nolint:gochecknoglobals // a table, made late
	registry := chroma.NewLexerRegistry()
	for line := range strings.Lines(index) {
		name, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		over, words, _ := strings.Cut(rest, "\t")
		registry.Register(&language{config: chroma.Config{Name: name, Aliases: strings.Fields(words)}, over: over})
	}
	return registry
})

// language is a lexer that is made when it is first used.
type language struct {
	config   chroma.Config
	over     string
	registry *chroma.LexerRegistry

	once  sync.Once
	lexer chroma.Lexer
	err   error
}

// Config names the language; what else it says is with the definition.
func (l *language) Config() *chroma.Config { return &l.config }

// SetRegistry tells where the lexer finds the languages within its own.
func (l *language) SetRegistry(r *chroma.LexerRegistry) chroma.Lexer {
	l.registry = r
	return l
}

// SetAnalyser does nothing: a language is named, never guessed.
func (l *language) SetAnalyser(func(string) float32) chroma.Lexer { return l }

// AnalyseText gives no text a likelihood.
func (l *language) AnalyseText(string) float32 { return 0 }

// Tokenise splits text into tokens.
func (l *language) Tokenise(o *chroma.TokeniseOptions, text string) (chroma.Iterator, error) {
	l.once.Do(func() { l.lexer, l.err = l.load() })
	if l.err != nil {
		return nil, l.err
	}
	return l.lexer.Tokenise(o, text)
}

func (l *language) load() (chroma.Lexer, error) {
	lexer, err := read(l.config.Name)
	if err != nil {
		return nil, fmt.Errorf("reading the definition of %s: %w", l.config.Name, err)
	}
	lexer.SetRegistry(l.registry)
	if l.over == "" {
		return lexer, nil
	}
	around := l.registry.Get(l.over)
	if around == nil {
		return nil, fmt.Errorf("reading the definition of %s: no language %s around it", l.config.Name, l.over)
	}
	return chroma.DelegatingLexer(around, lexer), nil
}

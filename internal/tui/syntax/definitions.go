package syntax

import (
	"archive/zip"
	_ "embed"
	"encoding/xml"
	"errors"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
)

// definitions holds NAME.xml for each language of the index.
//
//go:embed lexers.zip
var definitions string

// archive is the opened definitions.
var archive = sync.OnceValues(func() (*zip.Reader, error) { //nolint:gochecknoglobals // an embedded file, opened late
	return zip.NewReader(strings.NewReader(definitions), int64(len(definitions)))
})

// read makes the lexer that a definition describes.
func read(name string) (*chroma.RegexLexer, error) {
	all, err := archive()
	if err != nil {
		return nil, err
	}
	file, err := all.Open(name + ".xml")
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	var d struct {
		Config chroma.Config `xml:"config"`
		Rules  chroma.Rules  `xml:"rules"`
	}
	if err := xml.NewDecoder(file).Decode(&d); err != nil {
		return nil, err
	}
	bound(d.Rules)
	return chroma.NewLexer(&d.Config, func() chroma.Rules { return d.Rules })
}

// maxIdle is how many rules in a row may match nothing.
const maxIdle = 1000

var errIdle = errors.New("the lexer stands still")

// bound makes rules end: some of the module's definitions go round in states
// without taking any text, for ever, on texts that are not of their language.
func bound(rules chroma.Rules) {
	for _, state := range rules {
		for i, rule := range state {
			if _, ok := rule.Mutator.(chroma.LexerMutator); !ok { // those are gone when text is read
				state[i].Mutator = &step{rule.Mutator}
			}
		}
	}
}

// step counts the rules that matched nothing, and does what the rule does.
type step struct{ then chroma.Mutator }

// idle is the key and the value of what a step remembers in the text that it
// is in.
type idle struct{ at, times int }

// Mutate fails at maxIdle.
func (s *step) Mutate(state *chroma.LexerState) error {
	i, ok := state.Get(idle{}).(*idle)
	if !ok {
		i = &idle{at: -1}
		state.Set(idle{}, i)
	}
	if i.at != state.Pos {
		*i = idle{at: state.Pos}
	}
	if i.times++; i.times > maxIdle {
		return errIdle
	}
	if s.then == nil {
		return nil
	}
	return s.then.Mutate(state)
}

package syntax_test

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

var update = flag.Bool("update", false, "make the set of languages anew from the module")

// set is what this package embeds: the index, and the definitions by name.
type set struct {
	index string
	files map[string][]byte
}

// TestSetIsTheModules makes the set from the module that go.mod names and
// compares it with the one in the tree.
func TestSetIsTheModules(t *testing.T) {
	t.Parallel()
	if raced {
		t.Skip("one goroutine, and slow under the race detector")
	}
	want := fromModule(t)
	if *update {
		write(t, want)
	}
	index, err := os.ReadFile("languages.txt")
	if err != nil {
		t.Fatal(err)
	}
	if string(index) != want.index {
		t.Error("languages.txt is not of this module: run go test ./internal/tui/syntax -update")
	}
	archive, err := zip.OpenReader("lexers.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	seen := map[string]bool{}
	for _, f := range archive.File {
		seen[f.Name] = true
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(text, want.files[f.Name]) {
			t.Errorf("lexers.zip: %s is not of this module: run go test ./internal/tui/syntax -update", f.Name)
		}
	}
	for name := range want.files {
		if !seen[name] {
			t.Errorf("lexers.zip has no %s: run go test ./internal/tui/syntax -update", name)
		}
	}
}

func write(t *testing.T, s set) {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		f, err := w.Create(name) // without a time, so that the archive is the same each time
		if err == nil {
			_, err = f.Write(s.files[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"lexers.zip": out.Bytes(), "languages.txt": []byte(s.index)} {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func fromModule(t *testing.T) set {
	t.Helper()
	s := set{files: map[string][]byte{}}
	over := map[string]string{}
	for _, l := range lexers.GlobalLexerRegistry.Lexers {
		name := l.Config().Name
		if standIns[name] != "" {
			continue
		}
		if around := part(l, "root"); around != nil {
			over[name] = around.Config().Name
		}
		s.files[name+".xml"] = definition(t, name, regexLexer(l))
	}
	raw := s.files["Go Text Template.xml"]
	raw = bytes.Replace(raw, []byte("Go Text Template"), []byte(goRawString), 1)
	s.files[goRawString+".xml"] = bytes.ReplaceAll(raw, []byte(`type="Other"`), []byte(`type="LiteralString"`))
	words := wordsOf(lexers.GlobalLexerRegistry.Lexers)
	for _, file := range slices.SortedFunc(maps.Keys(s.files), func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a), strings.ToLower(b)), cmp.Compare(a, b))
	}) {
		name := strings.TrimSuffix(file, ".xml")
		s.index += strings.Join([]string{name, over[name], strings.Join(words[name], " ")}, "\t") + "\n"
	}
	return s
}

// part is a lexer that is a field of another, nil when it has none of that
// name. The module keeps most of them to itself.
func part(l chroma.Lexer, field string) chroma.Lexer {
	v := reflect.ValueOf(l).Elem()
	f := v.FieldByName(field)
	if !f.IsValid() || f.Kind() != reflect.Interface {
		return nil
	}
	inner, _ := reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().Interface().(chroma.Lexer)
	return inner
}

// regexLexer is the lexer that does the work in l, without what wraps it.
func regexLexer(l chroma.Lexer) *chroma.RegexLexer {
	for {
		if r, ok := l.(*chroma.RegexLexer); ok {
			return r
		}
		l = cmp.Or(part(l, "language"), part(l, "lexer"), part(l, "Lexer"))
	}
}

// definition is a lexer as XML. It says of the language only what its rules
// need; the index has the rest.
func definition(t *testing.T, name string, l *chroma.RegexLexer) []byte {
	t.Helper()
	rules, err := l.Rules()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if change := changes[name]; change != nil {
		rules = rules.Clone()
		change(t, rules)
	}
	c := *l.Config()
	c = chroma.Config{Name: name, CaseInsensitive: c.CaseInsensitive, DotAll: c.DotAll, NotMultiline: c.NotMultiline, EnsureNL: c.EnsureNL}
	text, err := chroma.Marshal(chroma.MustNewLexer(&c, func() chroma.Rules { return rules }))
	if err != nil {
		t.Fatalf("%s: %v: it needs a change or a stand-in", name, err)
	}
	return inOrder(t, text)
}

var between = regexp.MustCompile(`>\s+<`)

// inOrder is a definition with its states sorted, because the module writes
// them as a map gives them, and without indentation.
func inOrder(t *testing.T, text []byte) []byte {
	t.Helper()
	var d struct {
		Config struct {
			Inner string `xml:",innerxml"`
		} `xml:"config"`
		States []struct {
			Name  string `xml:"name,attr"`
			Inner string `xml:",innerxml"`
		} `xml:"rules>state"`
	}
	if err := xml.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<lexer><config>%s</config><rules>", d.Config.Inner)
	for _, s := range slices.SortedFunc(slices.Values(d.States), func(a, b struct {
		Name  string `xml:"name,attr"`
		Inner string `xml:",innerxml"`
	},
	) int {
		return cmp.Compare(a.Name, b.Name)
	}) {
		b.WriteString(`<state name="`)
		if err := xml.EscapeText(&b, []byte(s.Name)); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, `">%s</state>`, s.Inner)
	}
	b.WriteString("</rules></lexer>\n")
	return []byte(between.ReplaceAllString(b.String(), ">\n<"))
}

// wordsOf gives each language the words that mean it: a word that several claim
// goes to the one of the highest priority, then to the first; a name goes
// before an ending.
func wordsOf(all []chroma.Lexer) map[string][]string {
	type claim struct {
		name string
		rank float32
	}
	owner := map[string]claim{}
	add := func(word string, l chroma.Lexer, rank float32) {
		word = strings.ToLower(word)
		name := cmp.Or(standIns[l.Config().Name], l.Config().Name)
		if known, ok := owner[word]; !strings.ContainsAny(word, " \t*?[") && word != "" && (!ok || rank > known.rank) {
			owner[word] = claim{name, rank}
		}
	}
	for _, l := range all {
		rank := cmp.Or(l.Config().Priority, 1)
		for _, glob := range l.Config().Filenames {
			for _, g := range spelled(glob) {
				add(strings.TrimPrefix(strings.TrimPrefix(g, "*"), "."), l, rank)
			}
		}
		for _, word := range append(l.Config().Aliases, l.Config().Name) {
			add(word, l, 1000+rank)
		}
	}
	words := map[string][]string{}
	for word, c := range owner {
		words[c.name] = append(words[c.name], word)
	}
	for _, w := range words {
		slices.Sort(w)
	}
	return words
}

// spelled writes a glob with a class of characters, like *.php[345], out.
func spelled(glob string) []string {
	head, rest, ok := strings.Cut(glob, "[")
	class, tail, closed := strings.Cut(rest, "]")
	if !ok || !closed || strings.Contains(class, "-") {
		return []string{glob}
	}
	var all []string
	for _, c := range class {
		all = append(all, head+string(c)+tail)
	}
	return all
}

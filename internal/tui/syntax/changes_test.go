package syntax_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// goRawString is a language of ours: a Go template whose text is a string.
const goRawString = "Go Raw String"

// standIns are languages that are too much of a program to be a definition,
// with the nearest one that takes their words.
var standIns = map[string]string{"Raku": "Perl"}

// changes are made to rules that the module has as functions, so that they can
// be written down.
var changes = map[string]func(*testing.T, chroma.Rules){
	// A raw string may hold a template.
	"Go": func(t *testing.T, r chroma.Rules) {
		replace(t, r, "root", "(`)([^`]*)(`)", chroma.Rule{
			Pattern: "(`)([^`]*)(`)",
			Type:    chroma.ByGroups(chroma.LiteralString, chroma.Using(goRawString), chroma.LiteralString),
		})
	},
	// Front matter is the whole of a first piece between two rules.
	"markdown": func(_ *testing.T, r chroma.Rules) {
		r["root"] = slices.Insert(slices.Clone(r["root"]), 0, chroma.Rule{
			Pattern: `\A---\r?\n(?:(?!---\r?\n).*\n)*---\r?\n`, Type: chroma.Using("YAML"),
		})
	},
	// The text of a block is in the language that the directive names.
	"reStructuredText": func(t *testing.T, r chroma.Rules) {
		const old = `([ \t]+)(.*)(\n)((?:(?:\8.*|)\n)+)`
		i := find(t, r, "root", func(rule chroma.Rule) bool { return strings.HasSuffix(rule.Pattern, old) })
		head := strings.TrimSuffix(r["root"][i].Pattern, old)
		replace(t, r, "root", r["root"][i].Pattern, chroma.Rule{
			Pattern: head + `(?=([ \t]+))(.*\n(?:(?:\8.*|)\n)+)`,
			Type: chroma.UsingByGroup(6, 9, chroma.Punctuation, chroma.Text, chroma.OperatorWord, chroma.Punctuation, chroma.Text,
				chroma.Keyword, chroma.Text, chroma.Ignore, chroma.String),
		})
	},
	// What an #if began is not taken back at its #else.
	"Haxe": func(t *testing.T, r chroma.Rules) {
		const all = `(#)(if|elseif|else|end|error)\b`
		replace(t, r, "spaces", all,
			chroma.Rule{Pattern: `#(?:if|elseif)\b`, Type: chroma.CommentPreproc, Mutator: chroma.Push("preproc-expr")},
			chroma.Rule{Pattern: `#error\b`, Type: chroma.CommentPreproc, Mutator: chroma.Push("preproc-error")},
			chroma.Rule{Pattern: `#(?:else|end)\b`, Type: chroma.CommentPreproc})
	},
	"HTTP": http,
	// A group that gives no token has no form.
	"Caddyfile":            heredoc,
	"Caddyfile Directives": heredoc,
	"Common Lisp":          func(t *testing.T, r chroma.Rules) { lisp(t, r, "Common Lisp", "cl.go") },
	"EmacsLisp":            func(t *testing.T, r chroma.Rules) { lisp(t, r, "EmacsLisp", "emacs.go") },
}

func heredoc(t *testing.T, r chroma.Rules) {
	const all = `(<<([a-zA-Z0-9_-]+))(\n(.*|\n)*)(\s*)(\2)`
	replace(t, r, "heredoc", all, chroma.Rule{Pattern: all, Type: chroma.ByGroups(
		chroma.StringHeredoc, chroma.Ignore, chroma.String, chroma.String, chroma.String, chroma.StringHeredoc,
	)})
}

// http gives the body of a message the language of its content type.
func http(_ *testing.T, r chroma.Rules) {
	const field, end = `([^\s:]+)( *)(:)( *)([^\r\n]+)(\r?\n|\Z)`, `\r?\n`
	emit := chroma.ByGroups(chroma.Name, chroma.Text, chroma.Operator, chroma.Text, chroma.Literal, chroma.Text)
	more := chroma.Rule{Pattern: `([\t ]+)([^\r\n]+)(\r?\n|\Z)`, Type: chroma.ByGroups(chroma.Text, chroma.Literal, chroma.Text)}
	var kinds []chroma.Rule
	for _, b := range []struct{ language, types string }{
		{"JSON", `application/(?:[\w.-]+\+)?json`},
		{"XML", `(?:text|application)/(?:[\w.-]+\+)?xml`},
		{"HTML", `text/html`},
		{"CSS", `text/css`},
		{"JavaScript", `(?:text|application)/javascript`},
		{"YAML", `(?:text|application)/(?:x-)?yaml`},
	} {
		kinds = append(kinds, chroma.Rule{
			Pattern: `((?i)content-type)( *)(:)( *)((?i)` + b.types + `(?=[;\s]|\Z)[^\r\n]*)(\r?\n|\Z)`, Type: emit, Mutator: chroma.Push(b.language),
		})
		r[b.language] = []chroma.Rule{
			{Pattern: field, Type: emit},
			more,
			{Pattern: end, Type: chroma.Text, Mutator: chroma.Push(b.language + " body")},
		}
		r[b.language+" body"] = []chroma.Rule{{Pattern: `.+`, Type: chroma.Using(b.language)}}
	}
	r["headers"] = append(kinds,
		chroma.Rule{Pattern: field, Type: emit}, more,
		chroma.Rule{Pattern: end, Type: chroma.Text, Mutator: chroma.Push("content")})
	r["content"] = []chroma.Rule{{Pattern: `.+`, Type: chroma.Text}}
}

// lisp makes rules of the words that the module looks up behind its lexer. The
// words are the strings of its source that the lexer takes for more than a
// variable.
func lisp(t *testing.T, r chroma.Rules, name, source string) {
	t.Helper()
	kinds := map[chroma.TokenType][]string{}
	lexer := lexers.Get(name)
	for _, word := range stringsOf(t, source) {
		tokens, err := chroma.Tokenise(lexer, nil, word)
		if err == nil && len(tokens) > 0 && tokens[0].Value == word && tokens[0].Type != chroma.NameVariable && !slices.Contains(kinds[tokens[0].Type], word) {
			kinds[tokens[0].Type] = append(kinds[tokens[0].Type], word)
		}
	}
	for state, rules := range r {
		i := slices.IndexFunc(rules, func(rule chroma.Rule) bool { return rule.Type == chroma.NameVariable })
		if i < 0 {
			continue
		}
		var words []chroma.Rule
		for _, kind := range []chroma.TokenType{
			chroma.NameFunction, chroma.Keyword, chroma.NameBuiltin, chroma.KeywordType, chroma.NameClass, chroma.NameException, chroma.KeywordPseudo,
		} {
			if len(kinds[kind]) > 0 {
				slices.Sort(kinds[kind])
				words = append(words, chroma.Rule{
					Pattern: `(?-i:` + alternatives(kinds[kind]) + `)(?![\w!$%&*+\-/<=>?@\[\]^{}~|#.:\\])`, Type: kind,
				})
			}
		}
		r[state] = slices.Insert(slices.Clone(rules), i, words...)
	}
}

func alternatives(words []string) string {
	var quoted []string
	for _, w := range words {
		quoted = append(quoted, regexp.QuoteMeta(w))
	}
	return strings.Join(quoted, "|")
}

// stringsOf are the string literals of a source of the module.
func stringsOf(t *testing.T, name string) []string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/alecthomas/chroma/v2").Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "lexers", name), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil && s != "" && !strings.ContainsAny(s, " \n") {
				all = append(all, s)
			}
		}
		return true
	})
	return all
}

func find(t *testing.T, r chroma.Rules, state string, is func(chroma.Rule) bool) int {
	t.Helper()
	i := slices.IndexFunc(r[state], is)
	if i < 0 {
		t.Fatalf("the module's rules are others: no such rule in %s", state)
	}
	return i
}

// replace puts rules in the place of the one with a pattern.
func replace(t *testing.T, r chroma.Rules, state, pattern string, by ...chroma.Rule) {
	t.Helper()
	i := find(t, r, state, func(rule chroma.Rule) bool { return rule.Pattern == pattern })
	r[state] = slices.Replace(slices.Clone(r[state]), i, i+1, by...)
}

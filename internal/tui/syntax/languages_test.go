package syntax_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"assent/internal/tui/syntax"
)

func TestWordsMeanLanguages(t *testing.T) {
	t.Parallel()
	for want, words := range map[string]string{
		"Go": "go golang .go main.go /a/b/main.go GO", "Python": "py python python3 x.py", "JavaScript": "js javascript jsx.js a.mjs",
		"TypeScript": "ts typescript a.ts b.test.ts tsx a.tsx", "react": "jsx a.jsx", "Rust": "rust rs a.rs", "C": "c a.c", "C++": "cpp c++ cc a.hpp h",
		"C#": "cs csharp c#", "Java": "java A.java", "Kotlin": "kotlin kt a.kts", "Swift": "swift", "Ruby": "ruby rb Gemfile Rakefile", "PHP": "php php3",
		"PHTML": "phtml", "Bash": "sh bash zsh a.sh .bashrc", "Bash Session": "console shell-session", "JSON": "json package.json",
		"YAML": "yaml yml .github/workflows/ci.yml", "TOML": "toml Cargo.toml", "SQL": "sql", "HTML": "html a.htm", "CSS": "css", "SCSS": "scss", "markdown": "markdown md README.md",
		"Diff": "diff patch", "Docker": "dockerfile docker Dockerfile", "Makefile": "make makefile Makefile GNUmakefile a.mk", "XML": "xml a.svg", "INI": "ini .gitconfig",
		"Lua": "lua", "Zig": "zig", "Elixir": "elixir ex exs", "Haskell": "haskell hs", "Scala": "scala", "Perl": "perl pl raku", "R": "r", "Dart": "dart", "Julia": "julia jl",
		"Clojure": "clojure clj", "Erlang": "erlang erl", "OCaml": "ocaml ml", "FSharp": "fsharp", "Protocol Buffer": "proto protobuf", "GraphQL": "graphql gql",
		"HCL": "hcl", "Terraform": "tf terraform", "Nix": "nix", "PowerShell": "powershell ps1 pwsh", "Batchfile": "bat cmd", "vue": "vue a.vue", "Svelte": "svelte", "ERB": "erb x.html.erb",
		"Go Template": "go-template x.go.tmpl", "HTTP": "http", "LLVM": "llvm", "TeX": "tex latex", "CMake": "cmake CMakeLists.txt", "Groovy": "groovy gradle", "Objective-C": "objc objective-c",
		"reStructuredText": "rst", "EmacsLisp": "elisp", "Common Lisp": "lisp", "Scheme": "scheme", "Haxe": "haxe", "VimL": "vim", "Fish": "fish", "plaintext": "text txt",
	} {
		for word := range strings.FieldsSeq(words) {
			switch l := syntax.Lexer(word); {
			case l == nil:
				t.Errorf("%q is not known, want %s", word, want)
			case l.Config().Name != want:
				t.Errorf("%q is %s, want %s", word, l.Config().Name, want)
			}
		}
	}
	for _, word := range []string{"", ".", "..", "/", "nosuch", "a.nosuch", "*", "?", "[", "mermaid?"} {
		if l := syntax.Lexer(word); l != nil {
			t.Errorf("%q is %s, want none", word, l.Config().Name)
		}
	}
}

func TestEveryWordOfTheModuleIsKnown(t *testing.T) {
	t.Parallel()
	for _, l := range lexers.GlobalLexerRegistry.Lexers {
		for _, word := range append([]string{l.Config().Name}, l.Config().Aliases...) {
			if syntax.Lexer(word) == nil && word != "RPG IV" { // a fence word ends at a space
				t.Errorf("%s: %q is not known", l.Config().Name, word)
			}
		}
	}
}

// mixed is a text that most languages find something in.
const mixed = `#!/usr/bin/env x
/* c */ // c
# c
-- c
; c
package main; import "os"; use x; #include <stdio.h>
func f(a int, b string) (x error) { return nil }
def f(a, b = 1): return None
class A extends B { public static final int X = 0x1F; }
(defun f (x) (let ((y 1.5e3)) (setq car "s\n" 'sym)) t)
<?php echo "a $b"; ?> <div class="a" id='b'>x &amp; y<!-- c --></div>
<script lang="ts">let x = 1</script> {{ .X | len }} {% if a %} <% b %> ${c}
SELECT a, 'b' FROM t WHERE x >= 10 AND y IS NOT NULL;
key: value
[section]
key = "value" # c
if [ "$x" = 1 ]; then echo $y; fi
'unclosed
` + "`raw {{ .X }}` ```go\nx := 1\n```\n# Head\n- item *em* **strong** [l](u)\n"

// special are texts for the languages whose rules are changed or wrapped.
var special = map[string]string{
	"Go":               "var x = `a {{ range .Y }} b {{ end }} c` + \"s\"\n",
	"markdown":         "---\ntitle: x # c\n---\n# H\n\n```go\nx := 1\n```\ntext\n---\n",
	"reStructuredText": "Title\n=====\n\n.. code-block:: python\n\n   def f(x):\n       return 1\n\n   y\n\ntext ``lit``\n\n.. code:: nosuch\n\n   a b\n",
	"HTTP":             "POST /x HTTP/1.1\nHost: a\nContent-Type: application/json; charset=utf-8\nX: y\n\n{\"a\": [1, true]}\n",
	"Common Lisp":      "(defun f (&optional x) (declare (type fixnum x)) (car x) (DEFUN y) (car-x cdr) *g* (string= a b))\n",
	"EmacsLisp":        "(defun f (&optional x) (interactive) (error \"x\") (provide 'y) (message-x) (with-temp-buffer (car x)))\n",
	"Svelte":           "<script lang=\"ts\">let x: number = 1</script>\n{#if x > 1}<p on:click|once={f}>{x}</p>{:else}y{/if}\n",
	"PHTML":            "<p><?php echo strlen(\"a\"); ?></p>\n",
	"ERB":              "<p><%= link_to 'a', b %></p>\n",
	"YAML+Jinja":       "a: {{ b }}\n{% if c %}\nd: 1\n{% endif %}\n",
	"Go HTML Template": "<p>{{ range .X }}<b>{{ . }}</b>{{ end }}</p>\n",
}

// TestTokensAreTheModules compares each lexer with the one that it was made of.
func TestTokensAreTheModules(t *testing.T) {
	t.Parallel()
	differ := []string{
		"Raku",   // has a stand-in
		"Jungle", // never ends in the module
	}
	for _, l := range lexers.GlobalLexerRegistry.Lexers {
		name := l.Config().Name
		if raced && special[name] == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if slices.Contains(differ, name) {
				t.Skip("differs")
			}
			ours := syntax.Lexer(strings.ToLower(name))
			if ours == nil {
				t.Fatal("not known")
			}
			for _, text := range []string{mixed, special[name]} {
				got, want := tokens(ours, text), tokens(l, text)
				// A match has a quarter of a second, and the machine may be busy.
				for try := 0; got != want && try < 3; try++ {
					got, want = tokens(ours, text), tokens(l, text)
				}
				if got != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
			}
		})
	}
}

// tokens are the tokens of a text, a line each; neighbours of one kind are
// one, as on the screen.
func tokens(l chroma.Lexer, text string) (all string) {
	defer func() {
		if r := recover(); r != nil {
			all = fmt.Sprint("panic: ", r)
		}
	}()
	it, err := chroma.Coalesce(l).Tokenise(&chroma.TokeniseOptions{State: "root"}, text)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for t := it(); t != chroma.EOF; t = it() {
		fmt.Fprintf(&b, "%s %q\n", t.Type, t.Value)
	}
	return b.String()
}

// TestLexersEnd gives texts to lexers that go round in states on them.
func TestLexersEnd(t *testing.T) {
	t.Parallel()
	if got := tokens(syntax.Lexer("jungle"), mixed); !strings.Contains(got, "stands still") {
		t.Errorf("got %s, want that the lexer stands still", got)
	}
	if got := tokens(syntax.Lexer("jungle"), "x = 1\n"); strings.Contains(got, "panic") || got == "" {
		t.Errorf("got %s", got)
	}
}

func TestLexersServeManyAtOnce(t *testing.T) {
	t.Parallel()
	want := tokens(syntax.Lexer("svelte"), special["Svelte"])
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got := tokens(syntax.Lexer("svelte"), special["Svelte"]); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
	all.Wait()
}

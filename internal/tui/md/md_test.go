package md_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"assent/internal/tui/ink"
	"assent/internal/tui/md"
)

// ours are the escapes that a line may hold.
var ours = regexp.MustCompile("\x1b\\[[0-9;]*m|\x1b\\]8;(id=[0-9a-z]+)?;[!-~]*\x1b\\\\")

// check fails when a line is too wide or holds what is not ours.
func check(tb testing.TB, line string, st md.Style) {
	tb.Helper()
	if w := ansi.StringWidth(line); w > st.Cols() {
		tb.Fatalf("%q is %d wide, want at most %d", line, w, st.Cols())
	}
	rest := ours.ReplaceAllString(line, "")
	if !utf8.ValidString(rest) || strings.ContainsFunc(rest, unicode.IsControl) {
		tb.Fatalf("%q holds what could drive a terminal", line)
	}
}

func joined(src string, st md.Style) string { return strings.Join(md.Render(src, st), "\n") }

func TestHostileText(t *testing.T) {
	t.Parallel()
	st := md.Style{Width: 80, Color: ink.TrueColor, Links: true}
	for _, src := range []string{
		"\x1b]0;evil\a# \x1b[2Jtitle\x00",
		"`\x1b[31mcode`",
		"```\x1b[31mgo\n\x1b]52;c;x\a\n```",
		"&#27;[31m &#x9b;2J &#0; \\\x1b",
		"[x](http://a\x1b]0;t\a) <http://b\u009b> ![\x1b](data:x)",
		"| \x1b[1m |\n|---|\n| \u202e |",
		"[a]: http://x\x1b \"\x1b\"\n\n[a]",
		"<b\x1b[0m>x</b>\n\n<div>\x1b[1m\n</div>",
		"\xff\xfe\xc3",
		"a\r\nb\rc",
		strings.Repeat("> ", 300) + "deep",
		strings.Repeat("  ", 100) + strings.Repeat("- ", 100) + "deep",
		strings.Repeat("[", 5000), strings.Repeat("*a_b", 2000), strings.Repeat("`", 9000), strings.Repeat("|", 5000) + "\n" + strings.Repeat("|-", 5000),
	} {
		for _, w := range []int{0, 1, 2, 5, 40} {
			st.Width = w
			for _, line := range md.Render(src, st) {
				check(t, line, st)
			}
		}
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	with, without := md.Style{Color: ink.Mono, Links: true}, md.Style{}
	tests := []struct{ src, with, without string }{
		{"[docs](https://x.y)", "docs", "docs (https://x.y)"},
		{"[https://x.y](https://x.y)", "https://x.y", "https://x.y"},
		{"<https://x.y>", "https://x.y", "https://x.y"},
		{"see www.x.y.", "see www.x.y.", "see www.x.y."},
		{"<a@b.c>", "a@b.c", "a@b.c"},
		{"[a](javascript:x)", "a (javascript:x)", "a (javascript:x)"},
		{"[](https://x.y)", "https://x.y", "https://x.y"},
		{"![alt](a.png)", "image: alt (a.png)", "image: alt (a.png)"},
		{"[![alt](a.png)](https://x.y)", "image: alt", "image: alt (a.png) (https://x.y)"},
		{"[a][1]\n\n[1]: https://x.y", "a\n\n[1]: https://x.y", "a (https://x.y)\n\n[1]: https://x.y"},
	}
	for _, tt := range tests {
		if got := ansi.Strip(joined(tt.src, with)); got != tt.with {
			t.Errorf("with links: %q gives %q, want %q", tt.src, got, tt.with)
		}
		if got := joined(tt.src, without); got != tt.without {
			t.Errorf("without links: %q gives %q, want %q", tt.src, got, tt.without)
		}
	}
	wrapped := md.Render("[a long text of a link](https://x.y)", md.Style{Width: 12, Color: ink.Mono, Links: true})
	for _, line := range wrapped {
		if !strings.Contains(line, ";https://x.y\x1b\\") || !strings.Contains(line, "\x1b]8;;\x1b\\") {
			t.Errorf("a wrapped link is not whole on the row %q", line)
		}
	}
}

func TestInlineText(t *testing.T) {
	t.Parallel()
	tests := []struct{ src, want string }{
		{`1 \* 2 &lt; 3 &amp;amp; &copy; \n &nosuch; a&b`, "1 * 2 < 3 &amp; © \\n &nosuch; a&b"},
		{"a  \nb\\\nc\nd", "a\nb\nc d"},
		{"x<br>y<kbd>z</kbd>", "x\ny<kbd>z</kbd>"},
		{"``a ` b``", "`a ` b`"},
		{"~~a~~ **b** *c* ***d***", "a b c d"},
		{"**open", "**open"},
	}
	for _, tt := range tests {
		if got := joined(tt.src, md.Style{}); got != tt.want {
			t.Errorf("%q gives %q, want %q", tt.src, got, tt.want)
		}
	}
}

func TestUnfinishedMarkdownIsDrawnAsItGrows(t *testing.T) {
	t.Parallel()
	whole := "# T\n\ntext **bold** `code`\n\n- a\n- b\n\n```go\nx := 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
	for i := range len(whole) {
		for _, line := range md.Render(whole[:i], md.Style{Width: 40, Color: ink.ANSI256}) {
			check(t, line, md.Style{Width: 40})
		}
	}
	if got := joined("text\n\n```go\nx := 1\n", md.Style{}); got != "text\n\n  x := 1" {
		t.Errorf("an open fence gives %q", got)
	}
}

func TestTailDrawsTheEnd(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 500 {
		b.WriteString("line " + string(rune('a'+i%26)) + "\n")
	}
	st := md.Style{Color: ink.ANSI256}
	for _, src := range []string{"```go\n" + b.String(), b.String(), "- " + b.String(), "", strings.Repeat("x", 200_000)} {
		want := md.Lines(src, st)
		got := md.Tail(src, st, 5)
		if len(want) < 5 {
			continue
		}
		for i, l := range got {
			w := want[len(want)-5+i]
			if strings.HasPrefix(src, "xxx") {
				continue // it was cut to be drawn whole, and not for its tail
			}
			if l.String() != w.String() {
				t.Errorf("row %d of the tail is %q, want %q", i, l, w)
			}
		}
	}
	if md.Tail("text", st, 0) != nil {
		t.Error("no rows are no lines")
	}
}

func TestUnknownLanguagesAndLongLinesArePlain(t *testing.T) {
	t.Parallel()
	st := md.Style{Width: 80, Color: ink.ANSI256}
	for _, src := range []string{"```nosuchlang\nfunc x\n```", "```\nfunc x\n```", "    func x", "```go\n" + strings.Repeat("func ", 600) + "\n```"} {
		if got := joined(src, st); strings.Contains(got, "\x1b") {
			t.Errorf("%.30q is coloured: %.60q", src, got)
		}
	}
	for _, src := range []string{"```go\nfunc x()\n```", "```main.go\nfunc x()\n```", "```Go {.numbered}\nfunc x()\n```", "```go,ignore\nfunc x()\n```"} {
		if got := joined(src, st); !strings.Contains(got, "\x1b[38;5;183mfunc ") {
			t.Errorf("%.30q has no keyword: %q", src, got)
		}
	}
}

func TestCodeOfEveryKindIsKeptToTheByte(t *testing.T) {
	t.Parallel()
	src := "package x // c\n\n<?php $a = 'b'; ?>\n<div a=\"b\">{{ .X }}</div>\n\tif x: return `y` #!z\n%% é 日本\n"
	for _, lang := range []string{
		"go", "python", "js", "ts", "tsx", "java", "c", "cpp", "csharp", "rust", "ruby", "php", "html", "css", "json", "yaml", "toml", "sql",
		"bash", "console", "diff", "make", "docker", "xml", "markdown", "lua", "perl", "swift", "kotlin", "haskell", "ini", "vue", "svelte", "erb", "jinja", "http",
	} {
		var lines []string
		for _, l := range md.Code(lang, src) {
			lines = append(lines, l.String())
		}
		if got := strings.Join(lines, "\n") + "\n"; got != src {
			t.Errorf("%s: got %q", lang, got)
		}
	}
}

func TestLanguagesAreFoundByNameAndFile(t *testing.T) {
	t.Parallel()
	src := "const x = 1 // y"
	for _, word := range []string{"ts", "TypeScript", "x/y.ts", ".ts", "c", "C", "js", "jsx", "golang", "Makefile", "h", "cs"} {
		lines := md.Code(word, src)
		if word != "Makefile" && len(lines[0]) < 2 {
			t.Errorf("%q is not known", word)
		}
	}
	if text := "if [ \"$x\" = 1 ]; then echo $y; fi\n'unclosed\n`raw`\n# Head"; len(md.Code("jungle", text)) != 4 { // its lexer never ends
		t.Error("a text that a lexer does not end on is not drawn")
	}
	if len(md.Code("nosuch", src)[0]) != 1 || len(md.Code("", src)[0]) != 1 {
		t.Error("an unknown language is highlighted")
	}
}

// texts are pieces of Markdown as answers have them.
var texts = []string{
	"a word", "some **bold** text", "`code`", "*em*", "[l](http://x.y)", "\n", "\n\n", "\n- item\n", "\n  - sub\n", "\n1. one\n2. two\n", "\n```go\nfunc f() {}\n",
	"\n```\n", "\n> quote\n", "\n| a | b |\n|---|---|\n| 1 | 2 |\n", "| x | y |\n", "# H\n", "\n---\n", "日本語。", "👩‍👩‍👧", "é\u0301", "\x1b[31m", "\x00", "&#27;", "\\*",
	"    indented\n", "<div>\n", "- [x] done\n", "http://a.b/c", "☺\ufe0f", "\t",
}

func TestLawNoLineIsTooWideOrForeign(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(rapid.SampledFrom(texts), 0, 30).Draw(t, "texts"), "")
		st := md.Style{
			Width: rapid.IntRange(1, 60).Draw(t, "width"), Color: ink.Color(rapid.IntRange(0, 4).Draw(t, "color")),
			Links: rapid.Bool().Draw(t, "links"),
		}
		for _, line := range md.Render(src, st) {
			if w := ansi.StringWidth(line); w > st.Cols() {
				t.Fatalf("%q is %d wide, want at most %d", line, w, st.Cols())
			}
			if strings.ContainsFunc(ours.ReplaceAllString(line, ""), unicode.IsControl) {
				t.Fatalf("%q holds what could drive a terminal", line)
			}
		}
	})
}

func FuzzRender(f *testing.F) {
	for _, s := range texts {
		f.Add(s, uint8(40))
	}
	f.Add(strings.Join(texts, ""), uint8(12))
	f.Fuzz(func(t *testing.T, src string, width uint8) {
		st := md.Style{Width: max(3, int(width)), Color: ink.TrueColor, Links: true}
		for _, line := range md.Render(src, st) {
			check(t, line, st)
		}
		for _, line := range md.Tail(src, st, 3) {
			check(t, ink.Encode(line, st), st)
		}
		for n, reopen, _ := md.Cut(src); n > 0; n, reopen, _ = md.Cut(src) {
			if n > len(src) || len(reopen) >= n {
				t.Fatalf("Cut(%q) takes %d and opens with %q", src, n, reopen)
			}
			src = reopen + src[n:]
		}
	})
}

func FuzzDiff(f *testing.F) {
	f.Add("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b c\n+b d\n")
	f.Add("@@ -1 +1 @@\n-\x1b[31mx\n+y\n\\ No newline at end of file\n")
	f.Add("@@ -999999999,1 +0,0 @@ f\n-a\n")
	f.Fuzz(func(t *testing.T, src string) {
		st := md.Style{Width: 20, Color: ink.ANSI256}
		for _, line := range md.Diff(src, st) {
			check(t, ink.Encode(line, st), st)
		}
	})
}

func TestChangeHasNoNumbersAndNamesAFileOnce(t *testing.T) {
	t.Parallel()
	unified := "--- a/x.go\n+++ b/x.go\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-d\n+e\n"
	got := strings.Join(ink.EncodeAll(md.Change(unified, md.Style{}), md.Style{}), "\n")
	if want := "  a\n- b\n+ c\n:\n- d\n+ e"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if a, r := md.Stat(unified); a != 2 || r != 2 {
		t.Errorf("Stat counts +%d -%d", a, r)
	}
}

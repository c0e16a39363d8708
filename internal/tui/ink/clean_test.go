package ink_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"assent/internal/tui/ink"
)

func TestClean(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"plain text stays", "a b\tc\n", "a b\tc\n"},
		{"letters of all scripts stay", "żółw 日本 עברית नि 👩‍👩‍👧", "żółw 日本 עברית नि 👩‍👩‍👧"},
		{"colour goes", "\x1b[31mred\x1b[0m", "red"},
		{"clear and home go", "a\x1b[2J\x1b[3J\x1b[Hb", "ab"},
		{"title goes", "a\x1b]0;evil\ab", "ab"},
		{"hyperlink goes, its text stays", "\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"},
		{"clipboard goes", "\x1b]52;c;ZXZpbA==\x1b\\ok", "ok"},
		{"device control goes", "\x1bPq#0;2\x1b\\ok", "ok"},
		{"a string without end loses its head only", "\x1b]0;then all the text", "0;then all the text"},
		{"a line end ends a string", "\x1b]0;x\ntext\a", "0;x\ntext"},
		{"another escape ends a string", "\x1b]0;x\x1b[31mtext", "text"},
		{"charset goes", "\x1b(0lqk\x1b(B", "lqk"},
		{"reset goes", "\x1bcx", "x"},
		{"escape at the end goes", "x\x1b", "x"},
		{"escape before a line end", "x\x1b\ny", "x\ny"},
		{"c1 control sequence goes", "a\u009b31mb", "ab"},
		{"c1 command goes", "a\u009d0;t\u009cb", "ab"},
		{"c1 next line goes", "a\u0085b", "ab"},
		{"nul, bell and delete go", "a\x00b\ac\x7fd\be", "abcde"},
		{"invalid bytes are marked", "a\xff\xc3b", "a\ufffd\ufffdb"},
		{"half an introducer does not join", "\xc2\x1b[m\x9b31mx", "\ufffd\ufffd31mx"},
		{"line ends become one kind", "a\r\nb\rc\u2028d", "a\nb\nc\nd"},
		{"direction overrides go", "a\u202eb\u2066c\u200fd", "abcd"},
		{"what has no width goes", "a\u200bb\ufeffc\u00add", "abcd"},
		{"tags go", "a\U000e0041b", "ab"},
		{"a pile of marks is cut", "e" + strings.Repeat("\u0301", 50) + "x", "e" + strings.Repeat("\u0301", 8) + "x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := ink.Clean(tt.in); got != tt.want {
				t.Errorf("Clean(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// safe fails when a text could drive a terminal.
func safe(tb testing.TB, s string) {
	tb.Helper()
	if !utf8.ValidString(s) {
		tb.Fatalf("no UTF-8: %q", s)
	}
	for _, r := range s {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			tb.Fatalf("control character %U in %q", r, s)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "\x1b[31mred", "a\u009d0;t\u009cb", "\xc2\x9b", "e\u0301\u202e", "\x1b]8;;x", "a\r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := ink.Clean(s)
		safe(t, got)
		if again := ink.Clean(got); again != got {
			t.Fatalf("cleaning %q twice gives %q, then %q", s, got, again)
		}
		safe(t, ink.Output(s))
		safe(t, ink.OneLine(s))
		safe(t, ink.Line(ink.Reveal(s, ink.Look{})).String())
		if u := ink.URL(s); strings.ContainsFunc(u, func(r rune) bool { return r <= ' ' || r > '~' }) {
			t.Fatalf("URL(%q) = %q", s, u)
		}
	})
}

// SHEL-19: what a command printed is cleaned before it is drawn.
func TestOutput(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"a progress bar ends in its last state", "10%\r50%\r100%\ndone\n", "100%\ndone\n"},
		{"windows line ends", "a\r\nb\r\n", "a\nb\n"},
		{"a bar that waits", "10%\r50%\r", "50%"},
		{"a file of escapes", "\x1b]0;t\a\x1b[2Jok\x00", "ok"},
		{"without returns", "a\nb", "a\nb"},
	}
	for _, tt := range tests {
		if got := ink.Output(tt.in); got != tt.want {
			t.Errorf("%s: Output(%q) = %q, want %q", tt.name, tt.in, got, tt.want)
		}
	}
}

func TestRevealHidesNothing(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"go test ./...", "go test ./..."},
		{"a\x1b[8mrm -rf x", `a\x1b[8mrm -rf x`},
		{"a\u202eb", `a\u202eb`},
		{"a\r\nb\tc", "a\\r\nb\tc"},
		{"a\xffb", `a\xffb`},
		{"a\U000e0041b", `a\U000e0041b`},
		{"a\u200bb\u009bc", `a\u200bb\u009bc`},
	}
	for _, tt := range tests {
		spans := ink.Reveal(tt.in, ink.Look{Role: ink.Code})
		if got := ink.Line(spans).String(); got != tt.want {
			t.Errorf("Reveal(%q) = %q, want %q", tt.in, got, tt.want)
		}
		if tt.in != tt.want && spans[1].Look.Role != ink.Warn {
			t.Errorf("Reveal(%q) does not make what was hidden stand out: %v", tt.in, spans)
		}
	}
}

func TestOneLine(t *testing.T) {
	t.Parallel()
	if got := ink.OneLine("  go test\n\t./...\x1b[m  "); got != "go test ./..." {
		t.Errorf("OneLine = %q", got)
	}
}

func TestURL(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"https://go.dev/ref", "https://go.dev/ref"},
		{" HTTP://x/é b ", "HTTP://x/%C3%A9%20b"},
		{"mailto:a@b.c", "mailto:a@b.c"},
		{"javascript:alert(1)", ""},
		{"file:///etc/passwd", ""},
		{"go.dev", ""},
		{"http://x/\x1b]0;t\a", "http://x/%1B]0;t%07"},
		{"http://" + strings.Repeat("x", 3000), ""},
	}
	for _, tt := range tests {
		if got := ink.URL(tt.in); got != tt.want {
			t.Errorf("URL(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

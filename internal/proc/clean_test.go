package proc_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"assent/internal/proc"
)

func TestClean(t *testing.T) { // SHEL-17, SHEL-19
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"plain", "a\tb\nc\n", "a\tb\nc\n"},
		{"unicode", "grün 日本\n", "grün 日本\n"},
		{"colour", "\x1b[1;31mred\x1b[0m\n", "red\n"},
		{"colour with colons", "\x1b[38:2::1:2:3mred\x1b[m", "red"},
		{"title", "\x1b]0;title\x07text", "text"},
		{"hyperlink", "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"},
		{"clipboard", "a\x1b]52;c;aGk=\x07b", "ab"},
		{"title never ended", "a\x1b]0;title\nnext\n", "a\nnext\n"},
		{"device string", "a\x1bPq#0;2;0\x1b\\b", "ab"},
		{"device string never ended", "a\x1bPqb\nc", "aqb\nc"},
		{"eight-bit control", "a\u009b31mb\u009d0;t\x07c", "abc"},
		{"charset", "\x1b(Btext\x1b=", "text"},
		{"windows line ends", "a\r\nb\r\n", "a\nb\n"},
		{"progress", "10%\r50%\r100%\ndone\n", "100%\ndone\n"},
		{"shorter overwrite", "abcdef\rxy\n", "xycdef\n"},
		{"erase to end", "abcdef\rxy\x1b[K\n", "xy\n"},
		{"erase line", "working...\x1b[2K\rdone\n", "done\n"},
		{"spinner", "|\b/\b-\b\\\bok\n", "ok\n"},
		{"man page bold", "b\bbo\bol\bld\n", "bold\n"},
		{"move and write", "abc\x1b[2DX\x1b[1GY\n", "YXc\n"},
		{"move far", "a\x1b[999999999Cb", "a" + strings.Repeat(" ", 999) + "b"},
		{"bell and nul", "a\x07\x00b\x7f", "ab"},
		{"bad bytes", "a\xff\xfe\x80b\xc3", "a\ufffdb\ufffd"},
		{"broken sequence", "a\x1b[31", "a"},
		{"sequence cut by line end", "a\x1b[31\nb", "a\nb"},
		{"escape at end", "a\x1b", "a"},
	} {
		if got := proc.Clean([]byte(c.in)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add([]byte("a\x1b[31mb\r\n\x1b]0;t\x07\x9b\b\b\xc2\x9d"))
	f.Add([]byte("\x1bP\x1bP\x1b[9999C\x1b[1K\x1b[2K"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got := proc.Clean(b)
		if !utf8.ValidString(got) {
			t.Fatalf("not UTF-8: %q", got)
		}
		for _, r := range got {
			if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 {
				t.Fatalf("control character in %q", got)
			}
		}
		if strings.Count(got, "\n") > strings.Count(string(b), "\n") {
			t.Fatal("lines were invented")
		}
		if again := proc.Clean([]byte(got)); again != got {
			t.Fatalf("not stable: %q, then %q", got, again)
		}
	})
}

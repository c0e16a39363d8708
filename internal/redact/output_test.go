package redact_test

import (
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"assent/internal/proc"
	"assent/internal/redact"
)

// What paints a key or shows nothing hides it from nobody who looks, so that it
// may not hide it from the masker either. // SEC-13
func TestPaintedKeys(t *testing.T) {
	t.Parallel()
	own := "own-" + "k3y-Zq8Rw2Ty6Ui0"
	m := redact.New(own)
	for _, key := range []string{own, "ghp" + "_" + random(36)} {
		wide := ""
		for _, u := range utf16.Encode([]rune(key)) {
			wide += string([]byte{byte(u), byte(u >> 8)})
		}
		for name, text := range map[string]string{
			"a colour":        key[:7] + "\x1b[31m" + key[7:],
			"in the prefix":   key[:2] + "\x1b[1;38;5;2m" + key[2:] + "\x1b[0m",
			"every letter":    strings.Join(strings.Split(key, ""), "\x1b[0m"),
			"a link":          key[:7] + "\x1b]8;;https://x.example\x1b\\" + key[7:] + "\x1b]8;;\x07",
			"a title":         key[:7] + "\x1b]0;title\x07" + key[7:],
			"a character set": key[:7] + "\x1b(B" + key[7:],
			"one byte":        key[:7] + "\u009b1m" + key[7:],
			"NUL":             key[:7] + "\x00" + key[7:],
			"UTF-16":          wide,
			"a broken one":    key[:7] + "\x1b[31\x07" + key[7:],
		} {
			for _, size := range []int{1, 3, len(text)} {
				o := m.Output()
				var out strings.Builder
				for i := 0; i < len(text); i += size {
					out.WriteString(o.Write(text[i:min(i+size, len(text))]))
				}
				out.WriteString(o.Flush())
				if got := proc.Clean([]byte(out.String())); strings.Contains(got, key[8:16]) || !strings.Contains(got, "[redacted]") {
					t.Errorf("%s, in pieces of %d: %q", name, size, out.String())
				}
			}
		}
	}
}

// What is left out changes nothing that is shown, however the text is cut.
func TestOutputShowsTheSame(t *testing.T) {
	t.Parallel()
	pieces := []string{"text", " ", "\n", "\r", "\b", "\t", "é", "\u00a0", "\x1b[31m", "\x1b[K", "\x1b[2D", "\x1b[5G", "\x1b[10C", "\x1b]0;t\x07", "\x1b(B", "\x1b=", "\x00", "\x07", "\u009b2K", "\u0085", "\x7f", "50%", "wide line of text"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 20).Draw(t, "pieces"), "")
		o := redact.New().Output()
		var out strings.Builder
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			out.WriteString(o.Write(rest[:n]))
			rest = rest[n:]
		}
		out.WriteString(o.Flush())
		if got, want := proc.Clean([]byte(out.String())), proc.Clean([]byte(text)); got != want {
			t.Fatalf("%q is shown as %q, not as %q", text, got, want)
		}
	})
}

// A key whose end is missing counts in whatever way the ends of its lines are
// written.
func TestUnendedKeyWithWrittenReturns(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"\n", "\r\n", `\n`, `\r\n`, `\\n`, `\r`} {
		text := "-----BEGIN RSA " + "PRIVATE KEY-----" + end + random(64) + end + random(40) + "…"
		if got, n := redact.String(text); n != 1 || strings.Contains(got, random(20)) {
			t.Errorf("lines end in %q: %q", end, got)
		}
	}
}

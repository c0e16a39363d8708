package openai

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestInlineThought(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, thought, text string }{
		{"plain", "hello <think>x</think>", "", "hello <think>x</think>"},
		{"at the beginning", "<think>\nhm\n</think>\n\nhello", "\nhm\n", "hello"},
		{"behind space", "\n <think>a</think>b", "a", "b"},
		{"never closed", "<think>a < b </thin", "a < b </thin", ""},
		{"only once", "<think>a</think><think>b</think>", "a", "<think>b</think>"},
		{"empty", "<think></think>x", "", "x"},
		{"a beginning only", "<thi", "", "<thi"},
		{"another tag", "<thing>", "", "<thing>"},
		{"space only", "  ", "", "  "},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(rt *rapid.T) {
				var in inlineThought
				var thought, text strings.Builder
				for rest := c.in; rest != ""; {
					n := rapid.IntRange(1, len(rest)).Draw(rt, "n")
					a, b := in.add(rest[:n])
					thought.WriteString(a)
					text.WriteString(b)
					rest = rest[n:]
				}
				a, b := in.end()
				if got := thought.String() + a; got != c.thought {
					rt.Errorf("thought %q, want %q", got, c.thought)
				}
				if got := text.String() + b; got != c.text {
					rt.Errorf("text %q, want %q", got, c.text)
				}
			})
		})
	}
}

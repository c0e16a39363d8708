package near_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent/internal/near"
)

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"a", "", 1},
		{"theme", "theme", 0},
		{"thme", "theme", 1},
		{"themme", "theme", 1},
		{"thene", "theme", 1},
		{"tehme", "theme", 1},
		{"paln", "plan", 1},
		{"größe", "grösse", 2},
		{"größe", "grosse", 3},
		{"ab", "cd", 2},
		{strings.Repeat("a", 65), "a", 65},
		{strings.Repeat("a", 65), strings.Repeat("a", 65), 0},
	} {
		if got := near.Distance(c.a, c.b); got != c.want {
			t.Errorf("%q and %q differ in %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestTheNearestWord(t *testing.T) {
	t.Parallel()
	valid := []string{"allow", "ask", "deny", "permission", "provider"}
	for word, want := range map[string]string{
		"alow": "allow", "ALLOW": "allow", "dnye": "deny", "permissoin": "permission", "povidre": "provider",
		"something": "", "": "ask"[:0], "xxxxxxxxxxxx": "",
	} {
		if got := near.Word(word, valid); got != want {
			t.Errorf("%q is near %q, want %q", word, got, want)
		}
	}
	if got := near.Word("x", []string{"md", "json"}); got != "" {
		t.Errorf("a word that shares no letter is near %q", got)
	}
	if got := near.Aside("alow", valid) + near.Aside("something", valid); got != ` (did you mean "allow"?)` {
		t.Errorf("said %q", got)
	}
}

// The laws of a measure, for words of any script.
func TestTheMeasure(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOfN(rapid.RuneFrom([]rune("abcäあ")), 0, 70, -1)
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		d := near.Distance(a, b)
		if d != near.Distance(b, a) || (d == 0) != (a == b) || d > max(len([]rune(a)), len([]rune(b))) {
			t.Errorf("%q and %q differ in %d, the other way in %d", a, b, d, near.Distance(b, a))
		}
	})
}

package tui

import "testing"

// What is too long for the clipboard is cut between characters.
func TestHeadCutsNoCharacter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abc", 2, "ab"}, {"aé", 2, "a"}, {"a日本", 6, "a日"}, {"日", 2, ""}, {"", 0, ""}} {
		if got := head(c.text, c.n); got != c.want {
			t.Errorf("head(%q, %d) is %q, want %q", c.text, c.n, got, c.want)
		}
	}
}

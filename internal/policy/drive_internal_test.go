package policy

import "testing"

// TestSpellingThatAPatternIsMatchedAgainst: absolute patterns, also with a
// drive, are held against the absolute name; on a system without drives "c:/x"
// is a name like others.
func TestSpellingThatAPatternIsMatchedAgainst(t *testing.T) {
	t.Parallel()
	unix := Spelling{Rel: "rel", Abs: "/abs", Home: "~/home"}
	windows := Spelling{Rel: "rel", Abs: "C:/abs", Home: "~/home"}
	for pattern, want := range map[string][2]string{
		"/x": {"/abs", "C:/abs"}, "~/x": {"~/home", "~/home"}, "x": {"rel", "rel"},
		"C:/x": {"rel", "C:/abs"}, "d:/*": {"rel", "C:/abs"}, "C:x": {"rel", "rel"}, "7:/x": {"rel", "rel"}, "*": {"rel", "rel"},
	} {
		if got := [2]string{unix.name(pattern), windows.name(pattern)}; got != want {
			t.Errorf("%s is matched against %q, want %q", pattern, got, want)
		}
	}
}

package tui

import "testing"

// FuzzEnvironment: whatever the environment says of the terminal, something is
// decided.
func FuzzEnvironment(f *testing.F) {
	f.Add("15;0", "xterm-256color", "5000")
	f.Add("0;default;15", "dumb", "-1")
	f.Add(";;", "", "99999999999999999999")
	f.Fuzz(func(t *testing.T, ground, term, vte string) {
		lightGround(ground)
		env := map[string]string{"COLORFGBG": ground, "TERM": term, "COLORTERM": vte, "VTE_VERSION": vte, "TERM_PROGRAM": term, "FORCE_HYPERLINK": vte}
		o := Options{Lookup: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
		colours(o)
		links(o)
		reflows(o)
	})
}

package gate_test

import (
	"os"
	"path/filepath"
	"testing"

	"assent/internal/gate"
	"assent/internal/policy"
)

// TestAHomeBehindALink: rules that name the home by either of its names, or as
// "~", hold for a file of it by whatever name it is reached.
func TestAHomeBehindALink(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, map[string]string{"a.txt": "a"})
	real, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "u")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(real, "box"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(real, "box", "x"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, rule := range []string{"~/box/*", filepath.ToSlash(link) + "/box/*", filepath.ToSlash(real) + "/box/*"} {
		g := gate.New(gate.Options{Workspace: ws, Home: link, Rules: rules(t, "allow bash(*)", "deny read_file("+rule+")")})
		for _, home := range []string{link, real} {
			for _, rest := range []string{"/box/x", "/box", "/box/./x"} {
				_, d := g.Decide(t.Context(), bash("cat '"+filepath.ToSlash(home)+rest+"'"))
				if d.Verdict != policy.Deny {
					t.Errorf("deny %s does not hold for %s: %s (%s)", rule, home+rest, d.Verdict, d.Reason)
				}
			}
		}
		if _, d := g.Decide(t.Context(), bash("cat '"+filepath.ToSlash(real)+"/boxes'")); d.Verdict == policy.Deny {
			t.Errorf("deny %s holds for another folder: %s", rule, d.Reason)
		}
	}
	g := gate.New(gate.Options{Workspace: ws, Home: link, Rules: rules(t, "allow bash(cat *)", "allow read_file(~/box/*)", "deny read_file(~/box/*)")})
	if !g.Unreadable("read_file", filepath.Join(real, "box", "x")) || g.Unreadable("read_file", "a.txt") || !g.Unreadable("read_file", "\x00") {
		t.Error("what may not be read is told apart wrongly")
	}
}

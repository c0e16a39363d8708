package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOwnFilesByEveryName: nothing writes the agent's own folders, also where
// they stand behind a link and are named by where it leads, or are not made
// yet.
func TestOwnFilesByEveryName(t *testing.T) {
	real, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "u")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	w.env["ASSENT_HOME"] = filepath.Join(link, "agent")
	for _, made := range []bool{false, true} {
		if made {
			put(t, filepath.Join(real, "elsewhere.json"), `{"permission":{"bash":"allow"}}`)
			if err := os.MkdirAll(filepath.Join(real, "agent"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(real, "elsewhere.json"), filepath.Join(real, "agent", "config.json")); err != nil {
				t.Fatal(err)
			}
		}
		names := []string{filepath.Join(link, "agent", "config.json"), filepath.Join(real, "agent", "config.json"), filepath.Join(real, "agent", "x", "y")}
		if made {
			names = append(names, filepath.Join(real, "elsewhere.json"), filepath.Join(link, "elsewhere.json"))
		}
		for _, name := range names {
			a := w.app()
			if err := a.PermissionsExplain(t.Context(), Flags{Dir: w.root, Yolo: true}, "bash", "echo x > '"+filepath.ToSlash(name)+"'", true); err != nil {
				t.Fatal(err)
			}
			if out := w.out.String(); !strings.Contains(out, `"by": "guard"`) && !strings.Contains(out, `"by":"guard"`) {
				t.Errorf("made %v: %s may be written: %s", made, name, out)
			}
		}
	}
}

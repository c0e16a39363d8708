package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/event"
)

// The home folder is known by any spelling, also where it is a link.
func TestTheHomeFolderIsWide(t *testing.T) {
	t.Parallel()
	for _, linked := range []bool{false, true} {
		w := newWorld(t)
		w.env["HOME"] = w.root
		if linked {
			w.env["HOME"] = filepath.Join(t.TempDir(), "link")
			if err := os.Symlink(w.root, w.env["HOME"]); err != nil {
				t.Skip(err)
			}
		}
		h := w.open(w.script(`{"text":"never"}`))
		c := h.Events()
		told, err := c.Next(t.Context())
		c.Close()
		if err != nil {
			t.Fatal(err)
		}
		warned := false
		for _, e := range told {
			n, ok := e.(event.Notice)
			warned = warned || ok && strings.Contains(n.Text, "everything in it is in reach")
		}
		if !warned {
			t.Errorf("linked %t: no word on it: %+v", linked, told)
		}
	}
}

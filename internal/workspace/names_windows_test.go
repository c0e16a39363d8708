package workspace_test

import (
	"errors"
	"testing"

	"assent/internal/workspace"
)

const hardLinksKnown = false

func TestNamesOfOtherThings(t *testing.T) {
	t.Parallel()
	w, _ := open(t, map[string]string{"f": "x"})
	for _, name := range []string{"f::$DATA", "f:stream", "NUL", "sub/COM1", "f.", "f ", "C:f"} {
		if _, err := w.Resolve(name, ""); !errors.Is(err, workspace.ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

package files

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"assent/internal/workspace"
)

// TestWhatHappenedIsTakenBack: a patch is written whole or not at all, also
// when a step fails after its change was made.
func TestWhatHappenedIsTakenBack(t *testing.T) {
	t.Parallel()
	disk := errors.New("input/output error")
	for _, c := range []struct {
		name  string
		err   error // of the second step
		acts  bool  // whether its change is made all the same
		stuck bool
		want  string
	}{
		{"prevented", disk, false, false, "so nothing is changed"},
		{"done, but not safe", fmt.Errorf("write b: %w", &workspace.DoneError{Err: disk}), true, false, "so nothing is changed"},
		{"done, and stuck", fmt.Errorf("write b: %w", &workspace.DoneError{Err: disk}), true, true, "unknown state"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			there := map[string]bool{}
			err := carryOut([]step{
				{do: func() error { there["a"] = true; return nil }, back: func() error { delete(there, "a"); return nil }},
				{
					do: func() error { there["b"] = c.acts; return c.err },
					back: func() error {
						if c.stuck {
							return disk
						}
						delete(there, "b")
						return nil
					},
				},
				{do: func() error { there["c"] = true; return nil }, back: func() error { return nil }},
			})
			if !errors.Is(err, disk) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v", err)
			}
			if there["a"] || there["c"] || there["b"] != c.stuck {
				t.Errorf("left behind: %v", there)
			}
		})
	}
}

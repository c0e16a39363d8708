package files_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
)

// A call that was cancelled, or that waits for the writing of another agent
// while it is cancelled, ends with the context's error and writes nothing; so
// does one that is only tried.
func TestWhatIsCancelledWritesNothing(t *testing.T) {
	t.Parallel()
	for name, input := range map[string]any{
		"write_file":  map[string]string{"path": "new", "content": "x"},
		"edit_file":   map[string]string{"path": "a", "old_string": "one", "new_string": "x"},
		"multi_edit":  map[string]any{"path": "a", "edits": []any{map[string]string{"old_string": "one", "new_string": "x"}}},
		"apply_patch": map[string]string{"patch": "*** Begin Patch\n*** Add File: new\n+x\n*** Delete File: a\n*** End Patch"},
		"move_file":   map[string]string{"from": "a", "to": "new"},
		"delete_file": map[string]string{"path": "a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{"a": "one\n"})
			tool, _ := w.tools.Find(name)
			p, err := tool.Prepare("call", must(json.Marshal(input)))
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			stop()
			if _, err := p.Run(ctx, w.gate.Try(p.Request())); !errors.Is(err, context.Canceled) {
				t.Errorf("tried: %v", err)
			}
			grant, _ := w.gate.Decide(t.Context(), p.Request())
			if _, err := p.Run(ctx, grant); !errors.Is(err, context.Canceled) {
				t.Errorf("run: %v", err)
			}
			w.holds("a", "one\n")
			w.missing("new")
		})
	}
}

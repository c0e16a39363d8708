package walk_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/walk"
)

// What is shown an entry and breaks down does so in the caller's goroutine,
// where a call's end is watched.
func TestABreakdownComesToTheCaller(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, "broken inside") {
			t.Errorf("recovered %q", text)
		}
	}()
	_, _ = walk.Walk(t.Context(), root, walk.Options{}, func(walk.Entry) error { panic("broken inside") })
	t.Error("it ended well")
}

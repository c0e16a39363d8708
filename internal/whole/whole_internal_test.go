package whole

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestEveryNewNameIsSynced: a folder that was just made lasts only when the one
// that it was made in was synced, up to the first that was there.
func TestEveryNewNameIsSynced(t *testing.T) {
	t.Parallel()
	there := t.TempDir()
	deep := filepath.Join(there, "a", "b", "c")
	if got, want := above(deep), []string{filepath.Join(there, "a", "b"), filepath.Join(there, "a"), there}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := above(there); got != nil {
		t.Errorf("nothing is made, and %q is synced", got)
	}
	if err := Mkdir(deep); err != nil || above(deep) != nil {
		t.Errorf("%v, %q is missing", err, above(deep))
	}
}

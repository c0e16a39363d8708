package whole_test

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/whole"
	"assent/internal/whole/wholetest"
)

// SESS-11: a full disk leaves the old file, and nothing beside it.
func TestAFullDiskLeavesTheOldFile(t *testing.T) {
	t.Parallel()
	if !wholetest.Alone(t) {
		return
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	if err := whole.Replace(name, []byte("old"), 0); err != nil {
		t.Fatal(err)
	}
	before := wholetest.Held(t, dir)
	long := []byte(strings.Repeat("x", 5000))
	wholetest.Full(t, 100, func() {
		for _, err := range []error{whole.Replace(name, long, 0), whole.Claim(filepath.Join(dir, "new"), long, 0o600)} {
			if err == nil || !strings.Contains(err.Error(), dir) || strings.Contains(err.Error(), ".new-") {
				t.Errorf("error is %v", err)
			}
		}
	})
	if after := wholetest.Held(t, dir); !maps.Equal(before, after) {
		t.Errorf("the folder holds %q, want %q", after, before)
	}
	if err := whole.Replace(name, long, 0); err != nil {
		t.Errorf("when there is room again: %v", err)
	}
}

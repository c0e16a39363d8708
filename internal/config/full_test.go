package config_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/config"
	"assent/internal/whole/wholetest"
)

// SESS-11: a full disk leaves the config as it was, whatever is written: a
// field, what is granted for always, or the removal of a field.
func TestAFullDiskLeavesTheConfig(t *testing.T) {
	t.Parallel()
	if !wholetest.Alone(t) {
		return
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "config.json")
	if err := os.WriteFile(file, []byte("{\n  // mine\n  \"theme\": \"dark\", \"model\": \"m\"\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := wholetest.Held(t, dir)
	writes := map[string]func() error{
		"set": func() error { return config.Set(t.Context(), file, []string{"theme"}, "light", words) },
		"always": func() error {
			return config.Set(t.Context(), file, []string{"projects", "/work", "permission", "bash", "make"}, "allow", words)
		},
		"unset": func() error {
			_, err := config.Unset(t.Context(), file, []string{"theme"})
			return err
		},
	}
	wholetest.Full(t, 10, func() {
		for name, write := range writes {
			if err := write(); err == nil || !strings.Contains(err.Error(), file) || strings.Contains(err.Error(), ".new-") {
				t.Errorf("%s: error is %v", name, err)
			}
		}
	})
	if after := wholetest.Held(t, dir); !maps.Equal(before, after) {
		t.Errorf("the folder holds %q, want %q", after, before)
	}
	for _, name := range []string{"set", "always", "unset"} {
		if err := writes[name](); err != nil {
			t.Errorf("%s, when there is room again: %v", name, err)
		}
	}
}

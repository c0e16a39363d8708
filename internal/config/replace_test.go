package config_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"assent/internal/config"
)

// TestSetClosesTheFileAndSweeps: a file that others may read is closed to them,
// for it may get a key, a link stays a link, and what a killed writer left goes.
func TestSetClosesTheFileAndSweeps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	real, file := filepath.Join(dir, "dotfiles.json"), filepath.Join(dir, "config.json")
	left := filepath.Join(dir, ".dotfiles.json.new-ABC")
	for _, err := range []error{
		os.WriteFile(real, []byte("{}"), 0o600), os.Chmod(real, 0o644),
		os.WriteFile(left, []byte(`{"apiKey": "k"`), 0o600), os.Symlink("dotfiles.json", file),
	} {
		if err != nil {
			t.Skip(err) // a system without links
		}
	}
	if err := config.Set(file, []string{"theme"}, "dark", words); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if to, err := os.Readlink(file); err != nil || to != "dotfiles.json" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("what a killed writer left is still there")
	}
}

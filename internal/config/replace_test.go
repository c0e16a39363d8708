package config_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"assent/internal/config"
	"assent/internal/lock"
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
	if err := config.Set(t.Context(), file, []string{"theme"}, "dark", words); err != nil {
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

// While another process edits the file, an edit waits, until it is told not to.
func TestAnEditWaitsForTheLock(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.json")
	other, err := lock.Try(file)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, edit := range map[string]func() error{
		"set":   func() error { return config.Set(ctx, file, []string{"theme"}, "dark", words) },
		"unset": func() error { _, err := config.Unset(ctx, file, []string{"theme"}); return err },
	} {
		if err := edit(); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), file+": it is in use by another process") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := other.Release(); err != nil {
		t.Fatal(err)
	}
	if err := config.Set(ctx, file, []string{"theme"}, "dark", words); err != nil {
		t.Errorf("a lock that is free: %v", err)
	}
}

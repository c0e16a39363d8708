//go:build unix

package jsonl_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"assent/internal/jsonl"
)

// SESS-11: a full disk in the middle of a line.
func TestAFullDiskLeavesNoTraceAndTheFileGoesOn(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log.jsonl")
	if out, err := role(t, "full", path).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got, faults := lines(t, path)
	if len(got) != 5 || faults != nil {
		t.Fatalf("%d lines, faults %v", len(got), faults)
	}
}

// playFull meets a real limit of the system in the middle of a line, and goes
// on when the limit is gone.
func playFull(path string) error {
	f, err := jsonl.Create(path)
	if err != nil {
		return err
	}
	for i := range 3 {
		if err := f.Append(fmt.Appendf(nil, `{"n":%d}`, i), true); err != nil {
			return err
		}
	}
	before, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		return err
	}
	small := old
	small.Cur = uint64(len(before)) + 100
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		return err
	}
	for range 3 {
		if err := f.Append([]byte(`{"long":"`+strings.Repeat("y", 5000)+`"}`), false); err == nil {
			return errors.New("append over the limit: no error")
		}
		now, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !bytes.Equal(before, now) {
			return fmt.Errorf("a failed append left %d bytes, want %d", len(now), len(before))
		}
	}
	if err := f.Append([]byte(`{"short":1}`), true); err != nil {
		return fmt.Errorf("a line that fits: %w", err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		return err
	}
	if err := f.Append([]byte(`{"long":"`+strings.Repeat("y", 5000)+`"}`), true); err != nil {
		return fmt.Errorf("when there is room again: %w", err)
	}
	return f.Close()
}

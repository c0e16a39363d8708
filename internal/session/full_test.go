package session_test

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/session"
	"assent/internal/whole/wholetest"
)

// SESS-11: an export that finds no room leaves the one before it.
func TestAnExportOnAFullDisk(t *testing.T) {
	t.Parallel()
	if !wholetest.Alone(t) {
		return
	}
	s := store(t)
	l := create(t, s, t.TempDir())
	add(t, l, session.User{Text: strings.Repeat("long ", 1000)}, said("1"))
	shut(t, l)
	tree, _ := load(t, l.Path())
	dir := t.TempDir()
	file := filepath.Join(dir, "out.md")
	if err := session.ExportFile(file, tree, session.Markdown, false); err != nil {
		t.Fatal(err)
	}
	before := wholetest.Held(t, dir)
	wholetest.Full(t, 1000, func() {
		for _, f := range session.Formats() {
			if err := session.ExportFile(file, tree, f, true); err == nil || !strings.Contains(err.Error(), file) || strings.Contains(err.Error(), ".new-") {
				t.Errorf("%s: error is %v", f, err)
			}
		}
	})
	if after := wholetest.Held(t, dir); !maps.Equal(before, after) {
		t.Errorf("the folder holds %d files, want %d", len(after), len(before))
	}
}

// SESS-11: a fork that finds no room makes no session, and leaves nothing.
func TestAForkOnAFullDisk(t *testing.T) {
	t.Parallel()
	if !wholetest.Alone(t) {
		return
	}
	s := store(t)
	l := create(t, s, t.TempDir())
	add(t, l, session.User{Text: strings.Repeat("long ", 1000)}, said("1"))
	if _, err := l.Artifact("out.txt", []byte(strings.Repeat("x", 5000))); err != nil {
		t.Fatal(err)
	}
	shut(t, l)
	before := wholetest.Held(t, s.Dir)
	wholetest.Full(t, 1000, func() {
		if _, err := s.Fork(l.ID(), "", ""); err == nil {
			t.Error("no error")
		}
	})
	if after := wholetest.Held(t, s.Dir); !maps.Equal(before, after) {
		t.Errorf("the store holds %q, want %q", names(after), names(before))
	}
	fork, err := s.Fork(l.ID(), "", "")
	if err != nil {
		t.Fatalf("when there is room again: %v", err)
	}
	shut(t, fork)
}

func names(held map[string]string) (list []string) {
	for name := range held {
		list = append(list, name)
	}
	return list
}

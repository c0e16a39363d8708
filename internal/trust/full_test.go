package trust_test

import (
	"maps"
	"path/filepath"
	"testing"
	"time"

	"assent/internal/trust"
	"assent/internal/whole/wholetest"
)

// SESS-11: a full disk loses no decision, and makes none.
func TestAFullDiskLosesNoDecision(t *testing.T) {
	t.Parallel()
	if !wholetest.Alone(t) {
		return
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "trust.json")
	s := trust.Open(file)
	old, other := project(t, nil), project(t, nil)
	if _, err := s.Trust(t.Context(), look(t, s, old), time.Unix(0, 0)); err != nil {
		t.Fatal(err)
	}
	before := wholetest.Held(t, dir)
	wholetest.Full(t, 20, func() {
		if got, err := s.Trust(t.Context(), look(t, s, other), time.Unix(0, 0)); err == nil || got.Trusted {
			t.Errorf("trusted without a word on the disk: %+v, %v", got, err)
		}
		if _, err := s.Trust(t.Context(), look(t, s, old), time.Unix(1, 0)); err == nil {
			t.Error("no error")
		}
	})
	if after := wholetest.Held(t, dir); !maps.Equal(before, after) {
		t.Errorf("the folder holds %q, want %q", after, before)
	}
	if !look(t, s, old).Trusted || look(t, s, other).Trusted {
		t.Error("the decisions are others than before")
	}
	if _, err := s.Trust(t.Context(), look(t, s, other), time.Unix(0, 0)); err != nil || !look(t, s, other).Trusted {
		t.Errorf("when there is room again: %v", err)
	}
}

package credential_test

import (
	"maps"
	"path/filepath"
	"testing"

	"assent/internal/credential"
	"assent/internal/whole/wholetest"
)

// SESS-11: a full disk loses no stored key, and leaves no part of a new one.
func TestAFullDiskLosesNoKey(t *testing.T) {
	t.Parallel()
	if !wholetest.Alone(t) {
		return
	}
	dir := t.TempDir()
	v := credential.NewVault(&ring{away: true}, dir)
	store(t, v, "openai", "k1", v.File())
	before := wholetest.Held(t, dir)
	wholetest.Full(t, 10, func() {
		if _, err := v.Store(t.Context(), "openai", "k2"); err == nil {
			t.Error("stored without a word on the disk")
		}
		if _, err := v.Store(t.Context(), "gemini", "k3"); err == nil {
			t.Error("stored without a word on the disk")
		}
	})
	if after := wholetest.Held(t, dir); !maps.Equal(before, after) {
		t.Errorf("the folder holds %d files, want %d", len(after), len(before))
	}
	stored(t, v, "openai", "k1", v.File())
	store(t, v, "openai", "k2", v.File())
}

// A key that cannot be shared is used all the same, and the older one that is
// shared stays whole.
func TestAFullDiskHindersNoRenewal(t *testing.T) {
	t.Parallel()
	if !wholetest.Alone(t) {
		return
	}
	dir := t.TempDir()
	s := shared(dir, `echo "{\"key\":\"key-$$\",\"expiresIn\":3600}"`)
	first := get(t, s, false)
	before := wholetest.Held(t, filepath.Join(dir, "cache"))
	second := ""
	wholetest.Full(t, 10, func() { second = get(t, s, true) })
	if second == first || get(t, s, false) != second {
		t.Errorf("renewed from %s to %s", first, second)
	}
	if after := wholetest.Held(t, filepath.Join(dir, "cache")); !maps.Equal(before, after) {
		t.Errorf("the cache holds %d files, want %d", len(after), len(before))
	}
}

package trust_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"assent/internal/trust"
)

// FuzzStore: a file of decisions that somebody damaged never trusts what was not
// trusted, and a damaged one is kept as it is.
func FuzzStore(f *testing.F) {
	f.Add([]byte(`{"/x":{"hash":"y"}}`))
	f.Add([]byte(`{"/x":null}`))
	f.Add([]byte("null"))
	f.Add([]byte("{"))
	dir := f.TempDir()
	root := filepath.Join(dir, "project")
	if err := os.MkdirAll(filepath.Join(root, ".assent"), 0o700); err != nil {
		f.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, ".assent", "hooks.json"), []byte("{}"), 0o600); err != nil {
		f.Fatal(err)
	}
	file := filepath.Join(dir, "trusted.json")
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		state, err := trust.Open(file).Look(root)
		if err == nil && state.Trusted && !bytes.Contains(text, []byte(state.Hash)) {
			t.Fatalf("%q trusts %+v", text, state)
		}
		if left, err := os.ReadFile(file); err != nil || !bytes.Equal(left, text) {
			t.Fatalf("looking changed the file: %q, %v", left, err)
		}
		if err != nil {
			return
		}
		if _, err := trust.Open(file).Trust(t.Context(), state, time.Now()); err != nil {
			t.Fatalf("%q can be looked at, and not written to: %v", text, err)
		}
		if state, err := trust.Open(file).Look(root); err != nil || !state.Trusted {
			t.Fatalf("%q: what was trusted is %+v, %v", text, state, err)
		}
	})
}

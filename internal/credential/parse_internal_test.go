package credential

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// FuzzParse: whatever a credential command prints, it is a key that can be kept
// and read again, or an error that does not hold what was printed.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"k\n", "", "two words", `{"key":"k","expires":1700000000}`, `{"token":"k","expires_in":1e300}`, `{"access_token":"k","expires_at":"9999-12-31T23:59:59-23:59"}`,
		`{"key":"k","expiresIn":5,"expires_in":-5}`, `{"key":{}}`, "{", `{"key":"k","expires":"x"}`,
	} {
		f.Add([]byte(s))
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	f.Fuzz(func(t *testing.T, out []byte) {
		got, err := parse(out, now)
		if err != nil {
			if s := strings.TrimSpace(string(out)); len(s) > 100 && strings.Contains(err.Error(), s) {
				t.Fatalf("the error holds what was printed: %v", err)
			}
			return
		}
		if got.Key == "" {
			t.Fatal("an empty key is none")
		}
		text, err := json.Marshal(got)
		if err != nil {
			t.Fatalf("it cannot be kept: %v", err)
		}
		var again token
		if err := json.Unmarshal(text, &again); err != nil || !again.Expires.Equal(got.Expires) {
			t.Fatalf("kept %s, read %v, %v", text, again.Expires, err)
		}
	})
}

// FuzzVault: a file of keys that somebody damaged gives keys or an error, and
// the error holds nothing of it.
func FuzzVault(f *testing.F) {
	f.Add([]byte(`{"openai":"k"}`))
	f.Add([]byte(`{"openai":1}`))
	f.Add([]byte("\x00"))
	f.Add([]byte("null"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		v := NewVault(nil, dir)
		if err := os.MkdirAll(filepath.Dir(v.File()), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(v.File(), text, 0o600); err != nil {
			t.Fatal(err)
		}
		keys, err := v.read()
		if err != nil && (keys != nil || len(text) > 20 && strings.Contains(err.Error(), string(text))) {
			t.Fatalf("%q and %v", keys, err)
		}
		if err != nil {
			return
		}
		if err := v.change(t.Context(), func(keys map[string]string) { keys["p"] = "k" }); err != nil {
			t.Fatalf("%q can be read, and not written to: %v", text, err)
		}
		for name, key := range keys {
			if again, err := v.read(); name != "p" && (err != nil || again[name] != key) || again["p"] != "k" {
				t.Fatalf("%q lost the key of %q: %v", text, name, err)
			}
		}
	})
}

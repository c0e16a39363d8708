package history_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzLoad: whatever the file holds, prompts come of it and none is blank.
func FuzzLoad(f *testing.F) {
	f.Add([]byte("{\"text\":\"a\"}\n{\"text\":\" \"}\nnone\n{\"text\":\"b\""))
	f.Add([]byte("\x00\n\n{}\nnull\n[]\n{\"text\":1}\n"))
	h := file(f)
	if err := os.MkdirAll(filepath.Dir(h.Path), 0o700); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(h.Path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		all, err := h.Load(0)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range all {
			if strings.TrimSpace(p) == "" {
				t.Fatalf("%q holds a blank prompt", all)
			}
		}
		last, err := h.Load(1)
		if err != nil || len(last) > 1 || len(last) == 1 && last[0] != all[len(all)-1] {
			t.Fatalf("the last of %q is %q, %v", all, last, err)
		}
	})
}

package instruct_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/instruct"
)

// A file that is longer than what all may have is cut at a line, with a word,
// whatever it begins with and whatever bytes it holds.
func TestCutsAreToldAndBounded(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a byte order mark": "\xef\xbb\xbf" + strings.Repeat("12345678\n", 10) + "1234567", // 97 bytes behind the mark
		"bytes of no text":  strings.Repeat("a\xff", 48) + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "AGENTS.md"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := instruct.New(instruct.Options{Dir: dir, Budget: 96})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = f.Close() })
			found := f.Start()
			if len(found.Files) != 1 || !found.Files[0].Cut || len(found.Notices) != 1 || len(found.Files[0].Text) > 96 {
				t.Errorf("%+v", found)
			}
		})
	}
}

package wholetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Held is what a folder and those below it hold, by path; locks, which are
// empty, are left out. Two of it compare what a failed write left.
func Held(t *testing.T, dir string) map[string]string {
	t.Helper()
	held := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.HasSuffix(path, ".lock") {
			return err
		}
		text, err := os.ReadFile(path)
		held[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return held
}

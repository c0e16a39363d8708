package walk

import (
	"os"
	"path/filepath"
	"testing"
)

// TestExcludesFileInAnyHand: the user's ignore file is found however the
// configuration that names it is written.
func TestExcludesFileInAnyHand(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]string{
		"plain":                      "[core]\n\texcludesFile = ~/ignore\n",
		"on the line of the section": "[core] excludesFile = ~/ignore\n",
		"with remarks":               "[core] # mine\n\texcludesFile = \"~/ignore\" ; mine\n",
		"over two lines":             "[Core]\nEXCLUDESFILE = ~/\\\nignore\n",
		"with a bare one":            "[core]\n\tignorecase\n\texcludesFile = ~/IGNORE\n\texcludesFile = ~/ignore",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home, dir := t.TempDir(), t.TempDir()
			for file, text := range map[string]string{".gitconfig": config, "ignore": "*.log\n"} {
				if err := os.WriteFile(filepath.Join(home, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s := Setting{Home: home}
			if !Ignored(filepath.Join(dir, "a.log"), false, s) {
				t.Error("it is not ignored")
			}
			if got := Ignored(filepath.Join(dir, "a.LOG"), false, s); got != (name == "with a bare one") {
				t.Errorf("in capitals it is ignored: %v", got)
			}
		})
	}
}

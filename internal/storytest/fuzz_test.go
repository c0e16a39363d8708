package storytest_test

import (
	"os"
	"path/filepath"
	"testing"

	"assent/internal/storytest"
)

// FuzzRead: any file is a story with a promise that begins with a prompt, or an
// error.
func FuzzRead(f *testing.F) {
	f.Add("It works.\n-- acts --\nprompt do it\nuntil there\n-- want --\nshows.one x\nexit 3\n-- work/a.base64 --\naGk=\n")
	f.Add("x\n-- acts --\nallow x\n")
	f.Add("-- want --\nexit x\n-- not.two --\n")
	file := filepath.Join(f.TempDir(), "it.txtar")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := storytest.Read(file)
		if err != nil {
			return
		}
		if s.Promise == "" || s.Turns() == 0 || s.Acts[0].Verb != "prompt" {
			t.Fatalf("%q is taken for a story: %+v", text, s)
		}
		s.Model("one")
		s.Flags("one")
		s.Not("one")
	})
}

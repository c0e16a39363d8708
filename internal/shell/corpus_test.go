package shell_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"assent/internal/shell"
)

// corpus are the commands that the guards and rules are tried on.
func corpus(t testing.TB) []string {
	t.Helper()
	var out []string
	for _, file := range []string{"../guard/testdata/corpus.txt", "../guard/testdata/noise.txt"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(data), "\n") {
			if command, _, ok := strings.Cut(line, " ¦ "); ok && !strings.HasPrefix(line, "@") && !strings.HasPrefix(line, "# ") {
				out = append(out, strings.NewReplacer("⏎", "\n", "␍", "\r", "⇥", "\t").Replace(command))
			}
		}
	}
	return out
}

// What surrounds a command takes nothing from what is listed of it, and the
// same text always gives the same script.
func TestSurroundings(t *testing.T) {
	t.Parallel()
	for _, command := range corpus(t) {
		s := shell.Parse(command, shell.Options{})
		if again := shell.Parse(command, shell.Options{}); !reflect.DeepEqual(s, again) {
			t.Errorf("%q is read in two ways", command)
		}
		checkScript(t, s)
		if s.Err != nil {
			continue
		}
		for _, around := range []string{"(\n%\n)", "{\n%\n}", "if true; then\n%\nfi", "true;\n%\n", "echo \"$(\n%\n)\"", "while true; do\n%\nbreak; done"} {
			outer := shell.Parse(strings.ReplaceAll(around, "%", command), shell.Options{})
			if outer.Err != nil {
				t.Errorf("%q in %q: %v", command, around, outer.Err)
				continue
			}
			for _, c := range s.Commands {
				if len(c.Words) == 0 {
					continue // an assignment alone is listed only when there is nothing else
				}
				if !listed(outer, c.Text) {
					t.Errorf("%q in %q: %q is not listed", command, around, c.Text)
				}
			}
			if len(outer.Files) < len(s.Files) {
				t.Errorf("%q in %q: files are missing", command, around)
			}
		}
	}
}

func listed(s *shell.Script, text string) bool {
	for _, c := range s.Commands {
		if c.Text == text {
			return true
		}
	}
	return false
}

// checkScript holds what is true of every script.
func checkScript(t testing.TB, s *shell.Script) {
	t.Helper()
	in := func(i int) bool { return i >= 0 && i < len(s.Commands) }
	for _, c := range s.Commands {
		for _, i := range c.PipedFrom {
			if !in(i) {
				t.Errorf("%q: piped from %d of %d", s.Source, i, len(s.Commands))
			}
		}
		for _, w := range c.Words {
			for _, i := range w.Subst {
				if !in(i) {
					t.Errorf("%q: holds the output of %d of %d", s.Source, i, len(s.Commands))
				}
			}
			if w.Static && w.Made {
				t.Errorf("%q: the word %q is certain and made", s.Source, w.Text)
			}
		}
	}
	for _, f := range s.Files {
		if f.Command != -1 && !in(f.Command) {
			t.Errorf("%q: a file of command %d of %d", s.Source, f.Command, len(s.Commands))
		}
		if f.Path == "" {
			t.Errorf("%q: a file without a path", s.Source)
		}
		if f.Unknown != "" && !strings.HasPrefix(f.Path, "*") {
			t.Errorf("%q: the path %q is not known and begins with what is", s.Source, f.Path)
		}
	}
}

func FuzzParse(f *testing.F) {
	for i, command := range corpus(f) {
		if i%7 == 0 {
			f.Add(command)
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		s := shell.Parse(src, shell.Options{})
		checkScript(t, s)
		if len(src) > 10_000 && s.Err == nil {
			t.Fatal("a text that is too long was read")
		}
		// A block around a text that can be read can be read.
		if s.Err == nil && !strings.Contains(src, "<<") && len(src) < 1000 && len(s.Commands) < 200 {
			outer := shell.Parse("{\n:\n"+src+"\n}", shell.Options{})
			if outer.Err == nil && len(outer.Commands) < len(s.Commands) {
				t.Fatalf("%d commands alone, %d in a block: %q", len(s.Commands), len(outer.Commands), src)
			}
		}
	})
}

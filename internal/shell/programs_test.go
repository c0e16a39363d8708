package shell_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"assent/internal/shell"
)

var update = flag.Bool("update", false, "write the golden files anew")

// describe tells what a script would run, read and write, a line each.
func describe(s *shell.Script) string {
	var b strings.Builder
	if s.Err != nil {
		fmt.Fprintf(&b, "  cannot be read: %v\n", s.Err)
	}
	for _, c := range s.Commands {
		fmt.Fprintf(&b, "  runs %q", c.Text)
		for _, n := range []struct{ name, text string }{{"by", c.Wrapper}, {"in", strings.Join(append([]string{c.Dir}, c.Dirs...), "|")}, {"function", c.Function}} {
			if strings.Trim(n.text, "|") != "" {
				fmt.Fprintf(&b, " %s %q", n.name, n.text)
			}
		}
		if c.HasStdin {
			fmt.Fprintf(&b, " given %q", c.Stdin)
		}
		for _, n := range []struct {
			name string
			on   bool
		}{{"somewhere", c.DirUnknown}, {"elsewhere", c.Remote}, {"in the background", c.Background}, {"perhaps", c.Expansion}, {"opaque", c.Opaque}} {
			if n.on {
				b.WriteString(" " + n.name)
			}
		}
		if len(c.PipedFrom) > 0 {
			fmt.Fprintf(&b, " from %v", c.PipedFrom)
		}
		if c.Unknown != "" {
			fmt.Fprintf(&b, "\n    ? %s", c.Unknown)
		}
		b.WriteString("\n")
	}
	for _, f := range s.Files {
		verb := "reads"
		if f.Write {
			verb = "writes"
		}
		fmt.Fprintf(&b, "  %s %q", verb, f.Path)
		for _, n := range []struct {
			name string
			on   bool
		}{{"and below", f.Tree}, {"by redirection", f.Redirect}, {"perhaps", f.Mention}, {"a pattern", f.Glob}, {"somewhere", f.DirUnknown}} {
			if n.on {
				b.WriteString(" " + n.name)
			}
		}
		if f.Dir != "" {
			fmt.Fprintf(&b, " in %q", f.Dir)
		}
		for _, n := range []struct {
			name string
			list []string
		}{{"only", f.Only}, {"but not", f.Except}, {"nor below", f.ExceptDirs}} {
			if len(n.list) > 0 {
				fmt.Fprintf(&b, " %s %q", n.name, n.list)
			}
		}
		if f.Unknown != "" {
			fmt.Fprintf(&b, " ? %s", f.Unknown)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// What is read of many programs stands in testdata/programs.txt: a command to
// a paragraph, in the form of the corpus, and below it what is read of it.
func TestPrograms(t *testing.T) {
	t.Parallel()
	const file = "testdata/programs.txt"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, line := range strings.Split(string(data), "\n") {
		switch {
		case strings.HasPrefix(line, "# "):
			b.WriteString("\n" + line + "\n")
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, " "):
		default:
			command := strings.NewReplacer("⏎", "\n", "␍", "\r", "⇥", "\t", "␀", "\x00").Replace(line)
			b.WriteString("\n" + line + "\n" + describe(shell.Parse(command, shell.Options{Harmless: []string{"MINE", "OWN_*"}, MaxLength: 4000})))
		}
	}
	got := strings.TrimPrefix(b.String(), "\n")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != string(data) {
		have, want := strings.Split(got, "\n"), strings.Split(string(data), "\n")
		for i := range have {
			if i >= len(want) || have[i] != want[i] {
				t.Fatalf("%s:%d: got %q; run with -update and read the difference", file, i+1, have[i])
			}
		}
		t.Fatalf("%s is longer than what is read", file)
	}
}

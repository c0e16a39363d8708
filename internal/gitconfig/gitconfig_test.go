package gitconfig_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assent/internal/gitconfig"
)

// texts are files that git takes.
var texts = []string{
	"[core]\n\tname = a # b\n", "[core] name = a\n", "[CORE]\nNAME=a;b", "[core]\n name = \"a # b\"  c ; d\n", "[core]\nname = a\\\nb \\\n c\n",
	"[core]\nname\n", "[core]\nname = a\\\"b\\\\\\t\\n\n", "[core \"x\"]\nname = a\n[core]\nname = \"\" \n", "[core \"a]\\\"b\\\\\"] name = y\n[core]\nname=  z  \n",
	"\xef\xbb\xbf[core]\r\n\tname = a\r\n\tother = b\r\n", "[core.X]\nname = sub\n", "# nothing\n", "[core]\n; x = y\n\n\nname = 1\nname = 2\n", "[core]\nname = \" a \"b\" c \"\n",
}

// TestReadsWhatGitReads: git itself is asked.
func TestReadsWhatGitReads(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	for _, text := range texts {
		file := filepath.Join(t.TempDir(), "config")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "git", "config", "-f", file, "-z", "--list")
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git refuses %q: %s", text, out)
		}
		var want, got []string
		for pair := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
			if pair != "" {
				want = append(want, pair)
			}
		}
		for v := range gitconfig.Parse([]byte(text)) {
			key := v.Section + "."
			if v.Sub != "" {
				key += v.Sub + "."
			}
			key += v.Name
			if !v.Bare {
				key += "\n" + v.Value
			}
			got = append(got, key)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q\ngot  %q\nwant %q", text, got, want)
		}
	}
}

func TestLast(t *testing.T) {
	t.Parallel()
	text := []byte("[core \"x\"]\nname = sub\n[Core]\nName = a\nname\n")
	if v, ok := gitconfig.Last(text, "core", "name"); v != "true" || !ok {
		t.Errorf("%q, %v", v, ok)
	}
	if v, ok := gitconfig.Last(text, "core", "other"); v != "" || ok {
		t.Errorf("%q, %v", v, ok)
	}
}

// FuzzParse: reading any text comes to an end, and there are no more variables
// than places for them.
func FuzzParse(f *testing.F) {
	for _, s := range append(texts, "[include \"\n]\npath", "path=\n[", "=", "[a]\npath=\\", "[\"", "[a \"\\") {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		n := 0
		for v := range gitconfig.Parse(text) {
			if n++; v.Name == "" || v.Name != strings.ToLower(v.Name) || strings.ContainsAny(v.Name, "=#;\n") || v.Bare && v.Value != "" {
				t.Fatalf("%+v", v)
			}
		}
		if most := 1 + strings.Count(string(text), "\n") + strings.Count(string(text), "]"); n > most {
			t.Fatalf("%d variables in %q", n, text)
		}
		for range gitconfig.Parse(text) {
			break
		}
	})
}

// FuzzValue: a value that is written as git writes it is read as it was, in a
// subsection of any name.
func FuzzValue(f *testing.F) {
	for _, s := range []string{"", " a ", "a#b;c", `\"`, "a\nb\tc\b", "\r", "é\xff", "a]b"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, sub, value string) {
		if strings.ContainsAny(sub, "\n") {
			return // git has no such name
		}
		text := "[s \"" + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(sub) + "\"]\n\tx = \"" +
			strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\b", `\b`).Replace(value) + "\" # remark\ny = z\n"
		got := slices.Collect(gitconfig.Parse([]byte(text)))
		want := []gitconfig.Variable{{Section: "s", Sub: sub, Name: "x", Value: value}, {Section: "s", Sub: sub, Name: "y", Value: "z"}}
		if !slices.Equal(got, want) {
			t.Fatalf("%q\ngot  %+v\nwant %+v", text, got, want)
		}
	})
}

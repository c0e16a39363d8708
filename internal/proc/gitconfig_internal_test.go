package proc

import (
	"path/filepath"
	"strings"
	"testing"
)

// FuzzIncludes: whatever a configuration of git holds, reading it comes to an
// end, and what it takes in are places of files.
func FuzzIncludes(f *testing.F) {
	for _, s := range []string{
		"[include]\n\tpath = a # b\n[includeIf \"gitdir:~/]x/\"] path=\"c d\\\"\" ; e\n", "[include]path=~/x\\\ny\n[core]\npath=z", "[include \"\n]\npath", "path=\n[", "=", "[include]\npath=\\",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		list := includes(text, "/home/.gitconfig", "/home")
		if len(list) > strings.Count(string(text), "=") {
			t.Fatalf("%q takes in %q", text, list)
		}
		for _, file := range list {
			if !filepath.IsAbs(file) || !strings.Contains(strings.ToLower(string(text)), "[include") {
				t.Fatalf("%q takes in %q", text, file)
			}
		}
	})
}

// FuzzConfigured: a value that is written as git writes it is read as it was.
func FuzzConfigured(f *testing.F) {
	for _, s := range []string{"", " a ", "a#b;c", `\"`, "a\nb\tc\b", "\r", "é\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		text := "[s]x = \"" + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\b", `\b`).Replace(value) + "\" # remark\ny = z\n"
		section, _, rest := setting(text)
		name, got, rest := setting(rest)
		if section != "[s" || name != "x" || got != value {
			t.Fatalf("%q is %s %s = %q", text, section, name, got)
		}
		if name, got, rest := setting(rest); name != "y" || got != "z" || rest != "" {
			t.Fatalf("behind %q comes %q = %q, then %q", text, name, got, rest)
		}
	})
}

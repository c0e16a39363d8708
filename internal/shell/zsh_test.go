package shell_test

import (
	"testing"

	"assent/internal/shell"
)

// In zsh more variables change what runs, and a name alone is a whole list.
func TestZsh(t *testing.T) {
	t.Parallel()
	known := func(src string, o shell.Options) bool {
		for _, c := range shell.Parse(src, o).Commands {
			if c.Unknown != "" {
				return false
			}
		}
		return true
	}
	for _, src := range []string{
		"path=(.); git log", "path+=(.); git log", "path[1]=.; git log", "path=.", "for path in .; do git log; done", "fpath=(.); git log", "cdpath=(/); cd x",
		"aliases[git]=id\ngit log", "functions[git]=id; git log", "commands[git]=./x; git log", "galiases[log]=id", "precmd_functions=(id)",
		"typeset -a path; path=(.)", "local path=.", "read path", "NULLCMD=id; > x", "printf -v path .",
	} {
		if known(src, shell.Options{Zsh: true}) {
			t.Errorf("%s: taken for harmless", src)
		}
	}
	for _, src := range []string{"path=a.txt; cat $path", "for path in a b; do cat \"$path\"; done", "options=(-l); ls"} {
		if !known(src, shell.Options{}) {
			t.Errorf("%s: asked about where bash runs it", src)
		}
	}
	if known("zsh -c 'path=(.); git log'", shell.Options{}) {
		t.Error("a zsh within is not known as one")
	}
}

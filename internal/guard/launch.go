package guard

import (
	"path"
	"slices"
	"strings"

	"assent/internal/shell"
)

// launches are programs that run, now or later, what a file or their input
// says: the letters of the option that names the file, or "-" for an operand.
var launches = map[string]string{"at": "f", "batch": "f", "crontab": "-", "make": "f", "gmake": "f"}

// launched is executed for such a program.
func launched(v view) (runs bool, code []shell.Word, stdin bool) {
	letter, words := launches[v.name], v.c.Words[1:]
	if v.name != "make" && v.name != "gmake" && len(words) > 0 && (words[0].Text == "-l" || words[0].Text == "-r") {
		return false, nil, false // it lists or removes
	}
	for i, w := range words {
		switch {
		case letter == "-" && (shell.InputName(w.Text) || !strings.HasPrefix(w.Text, "-")):
			code = append(code, w)
		case letter == "-":
		case (w.Text == "--file" || w.Text == "--makefile") && i+1 < len(words):
			code = append(code, words[i+1])
		case clustered(w.Text, letter) == len(w.Text)-1 && i+1 < len(words):
			code = append(code, words[i+1])
		case clustered(w.Text, letter) > 0:
			code = append(code, shell.Word{Text: w.Text[clustered(w.Text, letter)+1:], Static: w.Static, Subst: w.Subst})
		case strings.HasPrefix(w.Text, "--file=") || strings.HasPrefix(w.Text, "--makefile="):
			_, name, _ := strings.Cut(w.Text, "=")
			code = append(code, shell.Word{Text: name, Static: w.Static, Subst: w.Subst})
		}
	}
	stdin = len(code) == 0 && v.name != "make" && v.name != "gmake"
	for _, w := range code {
		stdin = stdin || shell.InputName(w.Text)
	}
	return true, code, stdin
}

// clustered is where a letter stands in a cluster of options, -1 if nowhere.
func clustered(text, letter string) int {
	if !strings.HasPrefix(text, "-") || strings.HasPrefix(text, "--") {
		return -1
	}
	return strings.Index(text, letter)
}

// network says whether a name is one that bash opens as a connection.
func network(name string) bool {
	return strings.HasPrefix(name, "/dev/tcp/") || strings.HasPrefix(name, "/dev/udp/")
}

// reachesOut says whether a command has a connection of bash's for its input:
// its own, or one that exec opened for all that follows.
func (v view) reachesOut(index int) bool {
	files := v.script.Files
	if v.touched != nil {
		files = v.connections
	}
	for _, f := range files {
		if !network(f.Path) || f.Command >= len(v.script.Commands) {
			continue
		}
		if f.Command < 0 || f.Command == index {
			return true
		}
		if c := v.script.Commands[f.Command]; len(c.Words) > 0 && c.Words[0].Text == "exec" {
			return true
		}
	}
	return false
}

// meets says whether a file is what a name stands for in a folder that the
// command may run in.
func (v view) meets(f shell.File, name string) bool {
	full := func(dir, name string) string {
		if path.IsAbs(name) {
			return path.Clean(name)
		}
		return path.Join(dir, name)
	}
	return slices.ContainsFunc(v.dirs(), func(dir string) bool { return full(f.Dir, f.Path) == full(dir, name) })
}

package guard

import (
	"slices"
	"strings"

	"assent/internal/shell"
)

// unseen is what is found of a download that is run.
var unseen = &finding{
	"it runs what it downloads, unseen",
	"download to a file, let it be read, and then ask to run it",
}

// downloads is text from the network that is given to an interpreter.
func downloads(v view) *finding {
	if programmable[v.name] {
		for _, w := range v.c.Words[1:] {
			if !w.Static && w.Head == "" && w.Tail == "" && v.fromFetcher(w.Subst) {
				return unseen
			}
		}
	}
	runs, code, stdin := executed(v)
	if !runs {
		return nil
	}
	if stdin && (v.reachesOut(v.index) || v.fromFetcher(v.c.PipedFrom) || v.calledWithFetch() || v.trace().reads(v.index, "")) {
		return unseen
	}
	all := ""
	for _, w := range code {
		if v.fromFetcher(w.Subst) || w.Static && v.trace().downloaded(w.Text) {
			return unseen
		}
		all += w.Text + "\n"
	}
	if fetchesAndRuns(all) || modular[v.name] && slices.ContainsFunc(code, func(w shell.Word) bool { return web(w.Text) }) {
		return unseen
	}
	return nil
}

// modular are interpreters that take an address where others take a file.
var modular = map[string]bool{"deno": true, "bun": true, "node": true, "tsx": true}

// web says whether a text is an address, or an option with one.
func web(text string) bool {
	_, value, _ := strings.Cut(text, "=")
	for _, t := range []string{text, value} {
		if strings.HasPrefix(t, "http://") || strings.HasPrefix(t, "https://") {
			return true
		}
	}
	return false
}

// commanded are programs that take commands from their input, some of which
// start a shell.
var commanded = map[string]bool{
	"gdb": true, "lldb": true, "m4": true, "gm4": true, "ed": true, "ex": true, "dc": true, "gnuplot": true, "octave": true, "lftp": true,
}

// programmed is executed for programs that take their program from a file,
// which may be the input.
func (v view) programmed() (runs bool, code []shell.Word, stdin bool) {
	for i, w := range v.c.Words[1:] {
		name := strings.TrimPrefix(strings.TrimPrefix(w.Text, "--file="), "-f")
		if w.Text == "-f" || w.Text == "--file" || w.Text == "-S" || v.name == "vim" && w.Text == "-s" {
			if i+2 >= len(v.c.Words) {
				break
			}
			name = v.c.Words[i+2].Text
		} else if name == w.Text {
			continue
		}
		return true, []shell.Word{{Text: name, Static: true}}, shell.InputName(name)
	}
	return false, nil, false
}

// programmable are programs whose arguments are programs of their own.
var programmable = map[string]bool{
	"awk": true, "gawk": true, "mawk": true, "nawk": true, "sed": true, "gsed": true, "make": true, "gmake": true, "vim": true, "ed": true,
}

// calledWithFetch says whether the function that holds the command is given a
// download.
func (v view) calledWithFetch() bool {
	if v.c.Function == "" {
		return false
	}
	for i := range v.script.Commands {
		c := &v.script.Commands[i]
		if len(c.Words) > 0 && c.Words[0].Text == v.c.Function && v.fromFetcher(c.PipedFrom) {
			return true
		}
	}
	return false
}

// executed says whether a command runs text, which of its words are that text
// or name its file, and whether it reads it from standard input.
func executed(v view) (runs bool, code []shell.Word, stdin bool) {
	words := v.c.Words
	switch {
	case v.name == "eval":
		return true, words[1:], len(v.c.PipedFrom) > 0
	case v.name == "source" || v.name == ".":
		if len(words) < 2 {
			return false, nil, false
		}
		return true, words[1:2], shell.InputName(words[1].Text)
	case v.name == "xargs" || v.name == "parallel":
		return true, nil, v.name == "parallel" && len(v.operands()) == 0
	case launches[v.name] != "":
		return launched(v)
	case commanded[v.name]:
		return true, nil, true
	case v.name == "iex" || v.name == "invoke-expression":
		return true, words[1:], true
	case programmable[v.name]:
		return v.programmed()
	case !shell.Interpreter(v.name):
		// A program that the script itself downloaded.
		return strings.Contains(words[0].Text, "/"), words[:1], false
	}
	if (v.name == "deno" || v.name == "bun") && len(words) > 1 && (words[1].Text == "run" || words[1].Text == "eval") {
		words = words[1:]
	}
	for i, w := range words[1:] {
		code = append(code, w)
		switch {
		case shell.InputName(w.Text) || w.Text == "-s":
			return true, code, true
		case strings.HasPrefix(w.Text, "-m") && strings.HasPrefix(v.name, "python"):
			return true, nil, false
		case takesCode(v.name, w.Text):
			if i+2 < len(words) {
				code = append(code, words[i+2])
			}
			return true, code, false
		case w.Text != "" && !strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "+"), !w.Static:
			return true, code, false
		}
	}
	return true, code, true
}

// takesCode says whether an option of a program is one whose value is code.
func takesCode(name, a string) bool {
	if a == "--eval" || a == "--print" || a == "--command" || a == "--run" {
		return true
	}
	letters := "ceEr"
	if shell.Shell(name) {
		letters = "c"
	}
	if (name == "perl" || name == "ruby") && len(a) > 2 && strings.IndexByte("MmIrW", a[1]) >= 0 {
		return false // a module, a folder
	}
	return len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.ContainsAny(a[1:], letters)
}

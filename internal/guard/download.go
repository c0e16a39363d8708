package guard

import (
	"strings"

	"assent/internal/shell"
)

// fetchers bring text from the network.
var fetchers = map[string]bool{
	"curl": true, "wget": true, "fetch": true, "aria2c": true, "axel": true, "http": true, "https": true, "httpie": true,
	"xh": true, "curlie": true, "lwp-request": true, "lwp-download": true, "get": true, "lynx": true, "w3m": true, "links": true,
	"ftp": true, "tftp": true, "nc": true, "ncat": true, "netcat": true, "socat": true, "scp": false,
}

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
	for _, w := range code {
		if v.fromFetcher(w.Subst) || w.Static && v.trace().downloaded(w.Text) || fetchesAndRuns(w.Text) {
			return unseen
		}
	}
	return nil
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
	case !shell.Interpreter(v.name):
		// A program that the script itself downloaded.
		return strings.Contains(words[0].Text, "/"), words[:1], false
	}
	if (v.name == "deno" || v.name == "bun") && len(words) > 1 && words[1].Text == "run" {
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
	return len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.ContainsAny(a[1:], letters)
}

// fetchesAndRuns says whether code of an interpreter both downloads and runs
// what it is given.
func fetchesAndRuns(code string) bool {
	lower := strings.ToLower(code)
	has := func(marks ...string) bool {
		for _, m := range marks {
			if strings.Contains(lower, m) {
				return true
			}
		}
		return false
	}
	return has("urlopen", "urlretrieve", "requests.get", "http.get", "https.get", "fetch(", "lwp::", "http::tiny", "open-uri", "net::http", "uri.open", "file_get_contents('http", "file_get_contents(\"http", "http.request", "curl ", "wget ") &&
		has("exec(", "exec (", "eval(", "eval (", "eval get", "eval $", "eval `", "compile(", "new function", "instance_eval", "runinthiscontext", "| sh", "|sh", "| bash", "|bash", "os.system(", "vm.run")
}

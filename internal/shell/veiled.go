package shell

import (
	"slices"
	"strings"
)

// textual are programs that print what their input and their arguments decide
// and nothing else. Of those that are true a plain call reads its input.
var textual = map[string]bool{
	"echo": false, "printf": false, "basename": false, "dirname": false, "seq": false, "expr": false, "true": false, ":": false, "yes": false,
	"cat": true, "sed": true, "gsed": true, "awk": true, "gawk": true, "mawk": true, "nawk": true, "cut": true, "tr": true, "rev": true, "head": true, "tail": true,
	"sort": true, "uniq": true, "grep": true, "egrep": true, "fgrep": true, "tee": true, "fold": true, "fmt": true, "tac": true, "nl": true, "paste": true,
	"xxd": true, "od": true, "hexdump": true, "base64": true, "base32": true, "basenc": true, "openssl": true, "jq": true, "yq": true, "dc": true, "bc": true, "m4": true,
	"column": true, "strings": true, "iconv": true, "gzip": true, "gunzip": true, "zcat": true, "bzip2": true, "bunzip2": true, "xz": true, "unxz": true, "zstd": true,
	"uudecode": true, "join": true, "comm": true, "expand": true, "unexpand": true, "pr": true, "numfmt": true, "look": true, "uconv": true, "recode": true,
	"perl": true, "python": true, "python3": true, "ruby": true, "node": true, "php": true, "lua": true, "tclsh": true,
}

// reaching are what code says that takes something from outside of it.
var reaching = []string{
	"import", "require", "open", "environ", "ENV", "sys", "os.", "arg", "ARG", "input", "STDIN", "read", "process", "getenv", "file", "version", "glob", "system", "exec", "`", "qx", "<",
}

// shut says whether what the commands from one place to another print is
// decided by the text of the script alone: programs of texts on literal input,
// that touch no file. touched is how often a file had been touched before.
func (r *reader) shut(from, to, touched int) bool {
	if from >= to || r.touched != touched {
		return false
	}
	some := false
	for i := from; i < to; i++ {
		c := &r.out.Commands[i]
		if c.Expansion {
			continue
		}
		if some = true; len(c.Words) == 0 || len(c.Assigns) > 0 {
			return false
		}
		reads, known := textual[c.Words[0].Text]
		if !known || c.Function != "" || slices.ContainsFunc(c.Words, func(w Word) bool { return w.Glob || !w.Static && !w.shut && !within(w, from, to) }) {
			return false
		}
		if c.Opaque && slices.ContainsFunc(c.Words[1:], func(w Word) bool { return !strings.HasPrefix(w.Text, "-") && strings.ContainsAny(w.Text, "./") }) {
			return false // it may read a file
		}
		if code := interpreters[versionless(c.Words[0].Text)].code != ""; code && !c.selfContained() {
			return false
		} else if reads && !code && !c.HasStdin && !c.fed(from, to) && !c.inputless() {
			return false
		}
	}
	return some
}

// within says whether a word is a process substitution of commands of a range.
func within(w Word, from, to int) bool {
	return w.proc && len(w.Subst) > 0 && w.Subst[0] >= from && w.Subst[len(w.Subst)-1] < to
}

// fed says whether all input of a command comes from commands of a range.
func (c *Command) fed(from, to int) bool {
	return len(c.PipedFrom) > 0 && c.PipedFrom[0] >= from && c.PipedFrom[len(c.PipedFrom)-1] < to
}

// inputless says whether a program of texts is called so that it needs no input.
func (c *Command) inputless() bool {
	return slices.ContainsFunc(c.Words[1:], func(w Word) bool {
		return w.proc || w.Text == "-n" && (c.Words[0].Text == "jq" || c.Words[0].Text == "yq") || strings.HasPrefix(w.Text, "-") && strings.HasSuffix(w.Text, "n") && c.Words[0].Text == "jq" ||
			strings.HasPrefix(strings.TrimSpace(w.Text), "BEGIN") || w.Text == "-e" && c.Words[0].Text == "dc"
	})
}

// selfContained says whether an interpreter is given code that takes nothing
// from outside.
func (c *Command) selfContained() bool {
	if len(c.Words) != 3 || !strings.HasPrefix(c.Words[1].Text, "-") {
		return false
	}
	code := c.Words[2].Text
	return c.Words[2].Static && !slices.ContainsFunc(reaching, func(t string) bool { return strings.Contains(code, t) })
}

// decided says whether a part of a word is decided by the text of the script
// alone.
func (p part) decided() bool {
	return p.static || p.shut || len(p.vals) > 0 && !p.outer && !p.made
}

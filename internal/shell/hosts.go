package shell

import (
	"strings"
)

// host is a program with a language of its own in which a line can be given
// to a shell. It finds those lines in a text: an argument, the input, or a
// file that the script wrote.
type host struct {
	lines func(text string) []string
	// quiet says that such lines are the program's usual work, which a rule
	// for the program covers.
	quiet bool
}

// hosts by name. A row is for a real program with a line that runs as it is
// written, and comes with a line of the corpus against it and one for it.
var hosts = map[string]host{
	"gdb": {lines: debugged}, "lldb": {lines: debugged},
	"tclsh": {lines: tcl}, "wish": {lines: tcl}, "expect": {lines: tcl},
	"m4": {lines: m4}, "gm4": {lines: m4},
	"dc": {lines: banged}, "ftp": {lines: banged}, "sftp": {lines: banged}, "tftp": {lines: banged}, "telnet": {lines: banged}, "mail": {lines: banged},
	"mailx": {lines: banged}, "gnuplot": {lines: banged}, "lftp": {lines: lftp},
	"crontab": {lines: scheduled, quiet: true}, "make": {lines: recipes, quiet: true}, "gmake": {lines: recipes, quiet: true},
	"mysql": {lines: sqlShell}, "mariadb": {lines: sqlShell}, "psql": {lines: sqlShell}, "sqlite3": {lines: sqlShell}, "duckdb": {lines: sqlShell},
	"socat": {lines: socat}, "nc": {lines: sentence, quiet: true}, "ncat": {lines: sentence, quiet: true}, "netcat": {lines: sentence, quiet: true},
	"ansible": {lines: sentence, quiet: true}, "pwsh": {lines: sentence, quiet: true}, "powershell": {lines: sentence, quiet: true},
	"vi": {lines: edited, quiet: true}, "vim": {lines: edited, quiet: true}, "nvim": {lines: edited, quiet: true}, "ex": {lines: edited, quiet: true}, "ed": {lines: edited, quiet: true}, "gvim": {lines: edited, quiet: true}, "view": {lines: edited, quiet: true},
}

// speakers are hosts whose texts are code with literals as well.
var speakers = map[string]bool{
	"vi": true, "vim": true, "nvim": true, "ex": true, "gvim": true, "emacs": true, "gdb": true, "lldb": true, "R": true, "erl": true, "gnuplot": true,
	"awk": true, "gawk": true, "mawk": true, "nawk": true, "expect": true, "tclsh": true, "pwsh": true, "powershell": true, "iex": true, "nvim-qt": true,
}

// hosted looks for command lines in what a host is given.
func (c *call) hosted() {
	h, ok := hosts[c.name]
	if !ok {
		h, ok = hosts[versionless(c.name)] // tclsh8.6
	}
	if !ok && !speakers[c.name] {
		return
	}
	var texts []string
	if c.sc.stdin.known {
		texts = append(texts, c.sc.stdin.text)
	} else {
		for _, i := range c.sc.stdin.from {
			if text, ok := c.r.printed([]int{i}); ok {
				texts = append(texts, text)
			}
		}
	}
	words := c.args
	if h.lines != nil && strings.HasSuffix(c.name, "make") {
		words = append([]Word{literal("Makefile"), literal("makefile"), literal("GNUmakefile")}, words...)
	}
	for _, w := range words {
		texts = append(texts, w.Text)
		if _, value, ok := strings.Cut(w.Text, "="); ok && strings.HasPrefix(w.Text, "-") {
			texts = append(texts, value)
		}
		if text, ok := c.content(w); ok {
			texts = append(texts, text)
		}
	}
	for _, text := range texts {
		if h.lines != nil {
			for _, line := range h.lines(text) {
				if !h.quiet {
					c.unknown(c.name + " runs a command that stands in its own text")
				}
				c.suspect(line)
			}
		}
		if speakers[c.name] {
			c.speaks(text)
		}
	}
}

// afterAny is what follows the first of some words that a line begins with.
func afterAny(line string, heads ...string) (string, bool) {
	line = strings.TrimSpace(line)
	for _, h := range heads {
		if rest, ok := strings.CutPrefix(line, h); ok {
			return strings.TrimSpace(rest), rest != ""
		}
	}
	return "", false
}

// eachLine gathers what a function finds in each line.
func eachLine(text string, find func(line string) (string, bool)) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if found, ok := find(line); ok && len(out) < mostSpoken {
			out = append(out, found)
		}
	}
	return out
}

func debugged(text string) []string {
	return eachLine(text, func(line string) (string, bool) {
		if rest, ok := afterAny(line, "pipe ", "| "); ok {
			return rest[strings.LastIndexByte(rest, '|')+1:], true
		}
		return afterAny(line, "shell ", "!", "platform shell ")
	})
}

// banged is a line that begins with "!", which dc also has for comparisons.
func banged(text string) []string {
	return eachLine(text, func(line string) (string, bool) {
		rest, ok := afterAny(line, "!")
		return rest, ok && !strings.ContainsAny(rest[:1], "=<>")
	})
}

func lftp(text string) []string {
	return eachLine(strings.NewReplacer(";", "\n", "&&", "\n").Replace(text), func(line string) (string, bool) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "mirror ") && (strings.Contains(line, " --delete") || strings.Contains(line, " -e")) {
			return "rsync --delete " + line, true
		}
		if strings.HasPrefix(line, "rm ") {
			return line, true
		}
		return afterAny(line, "!", "shell ")
	})
}

// tcl is exec, spawn and system with what follows them up to the end of the
// command, without the braces of its words.
func tcl(text string) []string {
	var out []string
	for _, mark := range []string{"exec ", "spawn ", "system "} {
		for rest := text; len(out) < mostSpoken; {
			i := strings.Index(rest, mark)
			if i < 0 {
				break
			}
			own := i == 0 || strings.IndexByte(" \t\n;[{\"", rest[i-1]) >= 0
			rest = rest[i+len(mark):]
			if line, _, _ := strings.Cut(rest, "\n"); own {
				line, _, _ = strings.Cut(line, "]")
				out = append(out, strings.NewReplacer("{", "", "}", "", "-noecho ", "", "-ignorestderr ", "", "-- ", "").Replace(line))
			}
		}
	}
	return out
}

// m4 is syscmd and esyscmd, in either pair of its quotes.
func m4(text string) []string {
	var out []string
	for rest := text; len(out) < mostSpoken; {
		i := strings.Index(rest, "syscmd(")
		if i < 0 {
			break
		}
		rest = rest[i+len("syscmd("):]
		line, _, _ := strings.Cut(rest, ")")
		out = append(out, strings.Trim(line, "`'[] "))
	}
	return out
}

// scheduled are the commands of a table of cron.
func scheduled(text string) []string {
	return eachLine(text, func(line string) (string, bool) {
		fields, skip := strings.Fields(line), 5
		if strings.HasPrefix(strings.TrimSpace(line), "@") {
			skip = 1
		}
		if len(fields) <= skip || strings.HasPrefix(fields[0], "#") {
			return "", false
		}
		return strings.Join(fields[skip:], " "), true
	})
}

// recipes are what a makefile runs: lines behind a tab or a semicolon, $(shell
// …) and !=.
func recipes(text string) []string {
	out := eachLine(text, func(line string) (string, bool) {
		if rest, ok := strings.CutPrefix(line, "\t"); ok {
			return strings.TrimLeft(rest, "@-+ \t"), true
		}
		if _, rest, ok := strings.Cut(line, "!="); ok {
			return strings.TrimSpace(rest), true
		}
		if target, rest, ok := strings.Cut(line, ";"); ok && strings.Contains(target, ":") {
			return strings.TrimLeft(rest, "@-+ \t"), true
		}
		return "", false
	})
	for rest := text; len(out) < mostSpoken; {
		i := strings.Index(rest, "(shell ")
		if i < 0 {
			break
		}
		rest = rest[i+len("(shell "):]
		line, _, _ := strings.Cut(rest, ")")
		out = append(out, line)
	}
	return out
}

// sqlShell are the commands of database clients that reach a shell.
func sqlShell(text string) []string {
	return eachLine(text, func(line string) (string, bool) {
		if rest, ok := afterAny(line, "system ", "\\! ", "\\!", ".shell ", ".system "); ok {
			return rest, true
		}
		lower := strings.ToLower(line)
		for _, mark := range []string{"from program ", "to program "} {
			if i := strings.Index(lower, mark); i >= 0 {
				rest := strings.TrimSpace(line[i+len(mark):])
				rest, _, _ = strings.Cut(strings.Trim(rest, "'\""), rest[:min(1, len(rest))])
				return rest, rest != ""
			}
		}
		if _, ok := afterAny(line, "\\o", "\\g", "\\w", ".once", ".output"); ok {
			_, rest, piped := strings.Cut(line, "|")
			return strings.Trim(rest, "'\"|) "), piped && rest != ""
		}
		return "", false
	})
}

// socat has addresses that are programs.
func socat(text string) []string {
	kind, rest, _ := strings.Cut(text, ":")
	switch strings.ToUpper(kind) {
	case "EXEC", "SYSTEM", "SHELL":
		return []string{rest}
	}
	return nil
}

// sentence is an argument that is a command line as a whole.
func sentence(text string) []string {
	if strings.HasPrefix(text, "-") || !fears(text) {
		return nil
	}
	return []string{text}
}

// edited is what follows a "!" in the commands of an editor, and :terminal.
func edited(text string) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		for rest := line; len(out) < mostSpoken; {
			_, after, ok := strings.Cut(rest, "!")
			if !ok {
				break
			}
			rest = after
			after, _, _ = strings.Cut(after, "|")
			out = append(out, strings.Trim(after, "'\" "))
		}
		if rest, ok := afterAny(strings.TrimLeft(line, ":"), "terminal ", "term "); ok {
			out = append(out, rest)
		}
	}
	return out
}

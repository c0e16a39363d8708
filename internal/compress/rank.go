package compress

import "strings"

// rank is how much a line matters.
type rank int

const (
	plain  rank = iota
	detail      // explains a failure
	place       // an error and where it is
	named       // the name of what failed, or the summary
)

// ranks gives each line its rank. In what a command printed failures are
// looked for; the output of a reading tool is a text like any other.
func ranks(lines []line, h Hint) {
	if h.Tool != "" && h.Tool != "bash" && h.Tool != "bash_output" || shows(h.Command) {
		return
	}
	loose := checks(h.Command)
	for i := range lines {
		lines[i].rank = rankOf(lines[i].text)
		loose = loose || lines[i].rank == named
	}
	if loose {
		explain(lines)
	}
}

// namedBegin are beginnings of lines that name a failure or a summary, of go
// test, pytest, jest, vitest, node, cargo, make, compilers, tsc and eslint.
var namedBegin = []string{
	"--- FAIL:", "FAIL\t", "FAIL:", "FAIL ", "panic: ", "fatal error: ", "FAILED ", "ERROR: ", "ERROR ", "FAILURES", "● ", "✕ ", "✗ ", "× ",
	"Tests: ", "Test Suites: ", "Snapshots: ", "test result: ", "error: could not compile", "error: aborting", "error: test failed",
	"Found ", "✖ ", "Traceback (most recent call last)", "BUILD FAILED", "BUILD FAILURE", "npm ERR!", "npm error code", "FAILURE: ", "failures:",
	"Failed tests:", "not ok ", "Segmentation fault", "Killed", "AssertionError", "collect2: ", "ninja: build stopped", "DONE ",
	"WARNING: DATA RACE", "Test Files ", "Tests ", "# tests ", "# pass ", "# fail ", "ℹ tests ", "ℹ pass ", "ℹ fail ", "Ran ", "npm error Missing",
}

// rankOf ranks a line by its own words.
func rankOf(text string) rank {
	s := strings.TrimSpace(text)
	if s == "" {
		return plain
	}
	for _, b := range namedBegin {
		if strings.HasPrefix(s, b) && !falseName(s) {
			return named
		}
	}
	switch {
	case s == "FAIL",
		strings.HasPrefix(s, "test ") && strings.HasSuffix(s, "FAILED"),
		strings.HasPrefix(s, "make") && strings.Contains(s, "***"),
		ruled(s), strings.HasPrefix(s, "thread '") && strings.Contains(s, "panicked at"),
		strings.HasSuffix(s, "FAILED"), strings.HasSuffix(s, " FAIL"), strings.HasSuffix(s, " ... ERROR"):
		return named
	case located(s):
		return place
	case strings.HasPrefix(text, "E   "), strings.HasPrefix(s, "error["), strings.HasPrefix(s, "error:"), strings.HasPrefix(s, "-->"),
		strings.Contains(s, ": error:"), strings.Contains(s, ": fatal error:"), strings.Contains(s, "undefined reference"),
		strings.Contains(s, "error TS"), strings.HasPrefix(s, "Error: "), strings.HasPrefix(s, "fatal: "), strings.Contains(s, "Exception: "):
		return place
	case strings.Contains(s, ": in function `"): // of a linker, before what is missing there
		return detail
	}
	return plain
}

// falseName tells summaries that only begin like one: "Found 3 errors" counts,
// "Found configuration" does not.
func falseName(s string) bool {
	switch {
	case strings.HasPrefix(s, "Found "):
		return !strings.Contains(s, "error") && !strings.Contains(s, "problem") && !strings.Contains(s, "warning")
	case strings.HasPrefix(s, "Tests "), strings.HasPrefix(s, "Ran "), strings.HasPrefix(s, "Test Files "):
		return !strings.ContainsAny(s, "0123456789") || len(s) > 120
	case strings.HasPrefix(s, "ERROR "), strings.HasPrefix(s, "Killed"), strings.HasPrefix(s, "DONE "), strings.HasPrefix(s, "× "):
		return len(s) > 300
	}
	return s == "● Console"
}

// ruled reports a heading of pytest: words between rules of = or _.
func ruled(s string) bool {
	if len(s) < 10 || strings.Contains(s, " test session starts ") || strings.Contains(s, " warnings summary ") {
		return false
	}
	c := s[0]
	return (c == '=' || c == '_') && strings.HasSuffix(s, strings.Repeat(string(c), 3)) &&
		strings.HasPrefix(s, strings.Repeat(string(c), 2)) && strings.Trim(s, string(c)+" ") != ""
}

// located reports a line that names a place in a file and calls it an error:
// "x.go:3:5: undefined: y", "x.ts(3,5): error …", "  3:5  error  …".
func located(s string) bool {
	at := strings.IndexByte(s, ':')
	if at < 0 {
		return false
	}
	if digits(s[:at]) > 0 && digits(s[:at]) == at { // eslint
		rest := strings.TrimLeft(s[at+1:], "0123456789")
		return strings.HasPrefix(strings.TrimSpace(rest), "error ")
	}
	name := s[:at]
	dot := strings.LastIndexByte(name, '.')
	if strings.ContainsAny(name, " \t") || dot < 0 || len(name)-dot > 6 {
		return false
	}
	n := digits(s[at+1:])
	return n > 0 && strings.HasPrefix(s[at+1+n:], ":")
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

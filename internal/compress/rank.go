package compress

import (
	"path"
	"strings"
)

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
	if h.Tool != "" && h.Tool != "bash" && h.Tool != "bash_output" {
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

// checks reports whether a command line runs tests, a build or a linter.
func checks(command string) bool {
	for word := range strings.FieldsSeq(command) {
		switch strings.Trim(path.Base(word), `"'();&|`) {
		case "test", "tests", "build", "make", "pytest", "py.test", "unittest", "tox", "jest", "vitest", "mocha", "cargo", "tsc", "eslint",
			"lint", "vet", "ninja", "cmake", "gradle", "gradlew", "mvn", "gcc", "g++", "clang", "rustc", "javac", "mypy", "ruff", "check",
			"golangci-lint", "rspec", "phpunit", "dotnet", "bazel", "ctest":
			return true
		}
	}
	return false
}

// begin, end and hold are texts that tell a rank, of go test, pytest, jest,
// cargo, make, compilers, tsc and eslint.
var namedBegin = []string{
	"--- FAIL:", "FAIL\t", "FAIL:", "FAIL ", "panic: ", "fatal error: ", "FAILED ", "ERROR: ", "ERROR ", "FAILURES", "● ", "✕ ", "✗ ", "× ",
	"Tests: ", "Test Suites: ", "Snapshots: ", "test result: ", "error: could not compile", "error: aborting", "error: test failed",
	"Found ", "✖ ", "Traceback (most recent call last)", "BUILD FAILED", "BUILD FAILURE", "npm ERR!", "npm error", "FAILURE: ", "failures:",
	"Failed tests:", "not ok ", "Segmentation fault", "Killed", "AssertionError", "collect2: ", "ninja: build stopped", "DONE ",
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
	case s == "FAIL", s == "PASS" && text == s,
		strings.HasPrefix(s, "test ") && strings.HasSuffix(s, "FAILED"),
		strings.HasPrefix(s, "make") && strings.Contains(s, "***"),
		ruled(s), strings.HasPrefix(s, "thread '") && strings.Contains(s, "panicked at"),
		strings.HasSuffix(s, "FAILED"), strings.HasSuffix(s, " FAIL"):
		return named
	case located(s):
		return place
	case strings.HasPrefix(text, "E   "), strings.HasPrefix(s, "error["), strings.HasPrefix(s, "error:"), strings.HasPrefix(s, "-->"),
		strings.Contains(s, ": error:"), strings.Contains(s, ": fatal error:"), strings.Contains(s, "undefined reference"),
		strings.Contains(s, "error TS"), strings.HasPrefix(s, "Error: "), strings.HasPrefix(s, "fatal: "), strings.Contains(s, "Exception: "):
		return place
	}
	return plain
}

// falseName tells summaries that only begin like one: "Found 3 errors" counts,
// "Found configuration" does not.
func falseName(s string) bool {
	switch {
	case strings.HasPrefix(s, "Found "):
		return !strings.Contains(s, "error") && !strings.Contains(s, "problem") && !strings.Contains(s, "warning")
	case strings.HasPrefix(s, "ERROR "), strings.HasPrefix(s, "Killed"), strings.HasPrefix(s, "DONE "), strings.HasPrefix(s, "× "):
		return len(s) > 300
	}
	return false
}

// ruled reports a heading of pytest: words between rules of = or _.
func ruled(s string) bool {
	if len(s) < 10 {
		return false
	}
	c := s[0]
	return (c == '=' || c == '_') && strings.HasPrefix(s, strings.Repeat(string(c), 3)) &&
		strings.HasSuffix(s, strings.Repeat(string(c), 3)) && strings.Trim(s, string(c)+" ") != ""
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

// after is how many lines after a failure explain it.
const after = 12

// explain raises the lines that follow a failure: those that are indented,
// marked or empty, after a crash every line; and those that speak of errors.
func explain(lines []line) {
	left, crash := 0, false
	heading := -1 // the last line that is not indented
	for i := range lines {
		l := &lines[i]
		if l.text != "" && !strings.ContainsAny(l.text[:1], " \t") {
			heading = i
		} else if l.rank == place && heading >= 0 { // an error under the name of its file
			lines[heading].rank = max(lines[heading].rank, place)
		}
		switch {
		case l.rank >= place:
			left = after
			crash = strings.HasPrefix(l.text, "panic: ") || strings.HasPrefix(l.text, "fatal error: ") || strings.Contains(l.text, "panicked at") ||
				strings.HasPrefix(l.text, "Traceback")
		case left > 0 && (crash || l.text == "" || strings.ContainsAny(l.text[:1], " \t>|")):
			left--
			l.rank = detail
		case speaks(l.text):
			l.rank = detail
			left = 2
		default:
			left = 0
		}
	}
}

// speaks reports whether a line has a word of failure.
func speaks(text string) bool {
	low := strings.ToLower(text)
	for _, w := range []string{"error", "fail", "panic", "exception", "fatal", "assert", "undefined", "cannot", "denied", "warning: unused"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

package compress

import (
	"path"
	"strings"
)

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

// shows reports a command that only shows what is in a repository: text that
// speaks of failures, not a report of them.
func shows(command string) bool {
	words := strings.Fields(command)
	if len(words) < 2 || words[0] != "git" || strings.ContainsAny(command, "|;&") {
		return false
	}
	switch words[1] {
	case "diff", "show", "log", "blame", "grep":
		return true
	}
	return false
}

// good reports a line that says that something went well. Names of tests often
// speak of errors.
func good(s string) bool {
	switch {
	case strings.HasPrefix(s, "--- PASS: "), strings.HasPrefix(s, "--- SKIP: "), strings.HasPrefix(s, "✓ "), strings.HasPrefix(s, "✔ "),
		strings.HasPrefix(s, "√ "), strings.HasPrefix(s, "○ "), strings.HasPrefix(s, "ok "), strings.HasPrefix(s, "ok\t"),
		strings.HasPrefix(s, "PASS "), strings.HasPrefix(s, "=== RUN "), strings.HasPrefix(s, "# Subtest: "),
		strings.HasSuffix(s, " ... ok"), strings.HasSuffix(s, " ... ignored"), strings.HasSuffix(s, ": PASS"), strings.HasSuffix(s, " PASSED"):
		return true
	}
	return strings.HasSuffix(s, "%]") && strings.Contains(s, " PASSED ")
}

// minor reports the head of a message that is no error: a warning, a note of
// its own, what a test printed.
func minor(s string) bool {
	switch s {
	case "console.log", "console.error", "console.warn", "console.info", "console.debug", "● Console":
		return true
	}
	if strings.HasPrefix(s, "warning: ") || strings.HasPrefix(s, "warning[") {
		return true
	}
	for _, mark := range []string{": warning: ", ": warning[", ": note: ", " warning TS", "Warning: "} {
		if strings.Contains(s, mark) {
			return !strings.Contains(s, "error: ")
		}
	}
	at := strings.IndexByte(s, ':')
	if at <= 0 || digits(s) != at {
		return false
	}
	rest := strings.TrimLeft(s[at+1:], "0123456789") // of eslint
	return strings.HasPrefix(strings.TrimSpace(rest), "warning ")
}

// inner reports a line that belongs to the message before it: indented, marked,
// empty, or a line of source with its number.
func inner(text string) bool {
	if text == "" || strings.ContainsAny(text[:1], " \t>|") {
		return true
	}
	if strings.HasPrefix(text, "note: ") || strings.HasPrefix(text, "help: ") || strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "+ ") {
		return true
	}
	n := digits(text)
	return n > 0 && strings.HasPrefix(strings.TrimLeft(text[n:], " "), "|")
}

// foreign reports a line of a stack that names a place in the toolchain, a test
// runner or a library, where the fault seldom is.
func foreign(text string) bool {
	for _, part := range []string{
		"/go/src/", "/rustc/", "node:internal", "(node:", "node_modules/", "site-packages/", "dist-packages/", "/lib/python", "/pkg/mod/",
		"testing.go:", "_testmain.go:",
	} {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// speaks reports whether a line has a word of failure. Parts of names (error.c,
// test_error) are none.
func speaks(text string) bool {
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t()[]{},;:\"'`<>=", r) }) {
		w = strings.ToLower(strings.TrimRight(w, ".!?"))
		switch w {
		case "error", "errors", "fail", "fails", "failed", "failing", "failure", "failures", "panic", "panicked", "exception", "fatal", "assert",
			"assertion", "undefined", "cannot", "denied":
			return true
		}
		if (strings.HasSuffix(w, "error") || strings.HasSuffix(w, "exception")) && !strings.ContainsAny(w, "/_-0123456789") {
			return true
		}
	}
	return false
}

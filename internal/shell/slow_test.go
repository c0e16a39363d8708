package shell_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"assent/internal/shell"
)

// TestBounded reads texts that a reader without bounds would be busy with for
// ever: it would not end. How fast the reader is, the benchmarks say.
func TestBounded(t *testing.T) {
	t.Parallel()
	for name, src := range slow() {
		understood(t, name, src)
	}
}

// BenchmarkSlow reads all of them, one after the other.
func BenchmarkSlow(b *testing.B) { readAll(b, slow()) }

// understood fails when neither commands nor an error come of a text, unless it
// is arithmetic that runs none.
func understood(t *testing.T, name, src string) {
	t.Helper()
	if s := shell.Parse(src, shell.Options{}); s.Err == nil && len(s.Commands) == 0 && !strings.HasPrefix(src, "((") {
		t.Errorf("%s: no command and no error for %d bytes", name, len(src))
	}
}

// readAll reads texts, and reports how much of them in a second.
func readAll(b *testing.B, texts map[string]string) {
	b.Helper()
	size := 0
	for _, src := range texts {
		size += len(src)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, src := range texts {
			shell.Parse(src, shell.Options{})
		}
	}
}

// slow are texts that have much to compute.
func slow() map[string]string {
	many := func(s string, n int) string { return strings.Repeat(s, n) }
	doubled := "a0=xx;"
	for i := range 40 {
		doubled += fmt.Sprintf("a%d=$a%d$a%d;", i+1, i, i)
	}
	return map[string]string{
		"sed that multiplies": "x=$(sed '" + many("s/./&&&&&&&&&&/g;", 12) + "' <<< a); $x",
		"sed by sed":          "x=$(echo a" + many(" | sed 's/./&&&&&&&&&&/g'", 40) + "); $x",
		"awk of a long text":  "x=$(awk '{print \"" + many("a", 4000) + "\"}' <<< '" + many("\n", 4000) + "'); $x",
		"the last number":     "for ((i=9223372036854775800; i<=9223372036854775807; i++)); do x+=a; done; $x",
		"from the first":      "for ((i=\"-9223372036854775808\"; i<9223372036854775807; i++)); do x+=a; done; $x",
		"seq to the last":     "$(seq 9223372036854775800 9223372036854775807) x",
		"wide":                "$(printf '%-99999999999s' x) y; $(printf '%99999999999s' x)",
		"substr":              "$(expr substr abc 2 9223372036854775807) x; $(awk '{print substr($0,2,9223372036854775807)}' <<< abc)",
		"doubled values":      doubled + "echo $a40",
		"doubled scripts":     strings.Replace(doubled, "xx", "'ls; '", 1) + "eval \"" + many("$a10", 2000) + "\"",
		"read values":         many("read x y z <<< 'a b c d e'; ", 300) + "$x $y $z",
		"read in blocks":      many("{ read x <<< a; ", 600) + "$x;" + many("}", 600),
		"operators":           "x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;" + many("y=${x//a/$x}; x=${y%%a*a?a*a}; ", 250) + "$x",
		"appends":             "x=a;" + many("x+=$x; y+=${x#a}$y; ", 500) + "$x$y",
		"references":          many("declare -n x=y y=z z=x; ", 300) + "$x",
		"aliases":             many("alias a='a a' b='a b' c='b a'; a b c; ", 200),
		"separators":          "IFS=:;" + many("x=a:b:c:$x; ", 600) + "$x",
		"substitutions":       many("$(", 3000) + "a" + many(")", 3000),
		"substitutions in a":  many("a $(", 2400) + "a" + many(")", 2400),
		"subshells":           many("(", 4000) + "a" + many(")", 4000),
		"loops":               many("while cd a; do ", 400) + "b" + many("; done", 400),
		"conditions":          many("if a; then ", 600) + "b" + many("; fi", 600),
		"pipes":               many("a | ", 2400) + "a",
		"read in pipes":       many("read x | ", 1000) + "a",
		"values":              many("x=$(a $x) y=$x z=$y; ", 400) + "cat $x$y$z",
		"values of values":    "a=1;" + many("a=$a$a; b=$a$b; ", 500) + "eval $a $b",
		"braces":              "echo " + many("{a,b}", 1900),
		"nested braces":       "echo " + many("{a,", 3000) + many("}", 3000),
		"evals":               many("eval ", 10) + "'" + many("eval \"$x\"; ", 500) + "'",
		"eval of values":      "x='eval \"$x\"'; eval \"$x\"; " + many("eval \"$x\"; ", 500),
		"wrappers":            many("sudo ls; ", 1000),
		"shells":              many("bash -c 'bash -c \"a;b;c\"'; ", 300),
		"shells of values":    "x='a b'; y='$x c'; " + many("bash -c \"$y $x\"; ", 300),
		"functions":           many("f() { f | f; }; f; ", 500),
		"here-documents":      many("a <<E\n$(b)\nE\n", 700),
		"unread":              many("a; ", 3000) + "(",
		"unread quotes":       many("a 'b' \"c\" ; ", 800) + "'",
		"unread brackets":     many("((a) | b) ", 900),
		"open braces":         "echo " + many("{", 95_000),
		"words":               "echo " + many("a ", 4900),
		"globs":               "cat " + many("* ", 4900),
		"awk":                 "awk '" + many(`{system("a b"); print "c" | "d"}`, 300) + "'",
		"sed":                 "sed '" + many("s/a/b/e;", 1200) + "'",
		"find":                "find . " + many(`-exec a {} \; `, 700),
		"arithmetic":          "echo $((" + many("(1+", 2400) + "1" + many(")", 2400) + "))",
		"parameters":          "echo " + many("${a:-", 1900) + many("}", 1900),
	}
}

// TestOpenBrackets holds the parser to texts that it can read: brackets in brackets
// without end are told before it is given them.
func TestOpenBrackets(t *testing.T) {
	t.Parallel()
	for _, open := range []string{"((", "(", "$((", "$(", "{ ", "${x:-", "[[ (", "<(", "x=(", "a["} {
		for _, src := range []string{strings.Repeat(open, 90_000/len(open)), "cat <<E\n$(" + strings.Repeat(open, 20_000/len(open)) + ")\nE"} {
			if s := shell.Parse(src, shell.Options{MaxLength: 100_000}); s.Err == nil {
				t.Errorf("%q without end is read", open)
			}
		}
	}
	if s := shell.Parse("echo "+strings.Repeat("(", 500)+" # a text", shell.Options{}); errors.Is(s.Err, shell.ErrTooDeep) {
		t.Error("a line with some brackets is too deep")
	}
}

package shell

import (
	"bytes"
	"errors"
	"math/rand"
	"os/exec"
	"strings"
	"testing"
)

// What is taken for the output of a program of texts is what the program
// prints, or nothing is taken for it.
func TestFiltersPrintTheSame(t *testing.T) {
	t.Parallel()
	g := sentences{rand.New(rand.NewSource(7))}
	certain := 0
	for range 700 {
		in := g.many(8, "a", "b", "c", " ", ",", "1", ".", "A", "ab", "/", "-") + "\n"
		if g.Intn(3) == 0 {
			in += g.many(5, "a", "b", " ", ",", "1", "A") + "\n"
		}
		argv := g.filter()
		words := make([]Word, len(argv))
		for i, a := range argv {
			words[i] = literal(a)
		}
		got, ok := said(&Command{Words: words, Stdin: in, HasStdin: true})
		if !ok {
			continue
		}
		certain++
		cmd := exec.CommandContext(t.Context(), "bash", append([]string{"-c", `"$@"`, "bash"}, argv...)...)
		cmd.Stdin = strings.NewReader(in)
		out, err := cmd.Output()
		if e, ok := errors.AsType[*exec.ExitError](err); errors.Is(err, exec.ErrNotFound) || ok && e.ExitCode() == 127 {
			continue // it is not installed
		}
		if !bytes.Equal(out, []byte(got)) {
			t.Errorf("%q prints of %q %q, taken for %q (%v)", argv, in, out, got, err)
		}
	}
	if certain < 250 {
		t.Errorf("only %d of 700 are taken for certain", certain)
	}
}

// sentences makes calls of programs of texts.
type sentences struct{ *rand.Rand }

func (g sentences) one(list ...string) string { return list[g.Intn(len(list))] }

func (g sentences) many(most int, list ...string) string {
	var b strings.Builder
	for range g.Intn(most) + 1 {
		b.WriteString(g.one(list...))
	}
	return b.String()
}

func (g sentences) pattern() string {
	return g.many(4, "a", "b", "c", ".", "a*", "[ab]", "[^a]", "[a-c]*", "^", "$", `\.`, `\(a\)`, "(a)", "a|b", "+", "?", `\+`, `\|`, "[[:alpha:]]", "x", "{2}", `\{2\}`, "b+", ",", "*")
}

func (g sentences) filter() []string {
	var argv []string
	switch g.Intn(17) {
	case 0:
		argv = []string{"sed", g.one("-u", "-E", "-n"), "s/" + g.pattern() + "/" + g.one("x", "&&", "", `\1`, "y&") + "/" + g.one("", "g", "p", "gp", "I")}
	case 1:
		argv = []string{"grep", g.one("-o", "-oE", "-oP", "-E", "-v", "-i", "-F"), "-e", g.pattern()}
	case 2:
		argv = append([]string{"cut", g.one("-d,", "-d ", "-da")}, strings.Fields(g.one("-f1", "-f2", "-f1,3", "-f2-", "-f-2", "-s -f1"))...)
	case 3:
		argv = []string{"awk", g.one("-F,", "-vx=1", "-Fa"), "{" + g.one("print $1", "print $2,$1", "print $NF", `print $1 "x" $2`, "print toupper($0)", "print substr($0,2,3)", `printf "%s-%s\n", $1, $2`, `printf "%3s", $1`, "print $0; print $1", `printf "%s\n", $1, $2`) + "}"}
	case 4:
		argv = []string{g.one("head", "tail"), g.one("-n1", "-1", "-c3", "-c1", "-n2")}
	case 5:
		argv = []string{"printf", g.many(3, "%s", "%5s", "%-4s", "%.2s", "%c", "%%", "%d", "%b", "%q", `\n`, `\x41`, `\101`, "a", " ", "%-6.1s|"), g.one("abc", "7", `a\tb`, "x y", "", "-1"), g.one("b", "12", "z")}
	case 6:
		argv = []string{"expr", g.one("substr", "abcab", "ab1"), g.one(":", "abc", "abcab"), g.one(g.pattern(), "1", "2"), g.one("1", "2", "9")}
		if argv[0+1] != "substr" {
			argv = argv[:4]
		}
	case 7:
		argv = append([]string{"paste"}, strings.Fields(g.one("-s", "-sd,", "-s -d,", "-sd +", "-s -d ,"))...)
	case 8:
		argv = []string{g.one("basename", "dirname"), g.one("a/b", "/a/b/", "a", "/", "//", "a//b", "./a", "..", "/a", "a.b.c", "b/a.b/"), g.one(".c", "b", "a")}
		if argv[0] == "dirname" {
			argv = argv[:2]
		}
	case 9:
		argv = []string{"fold", g.one("-w1", "-w2", "-w3", "-w9")}
	case 10:
		argv = append([]string{g.one("rev", "tac", "seq", "sort", "uniq", "cat")}, strings.Fields(g.one("", "", "3", "2 4", "-r"))...)
	case 11:
		argv = []string{"echo", g.one("-n", "-e", "-ne", "-E", "a"), g.many(3, "a", `\n`, `\t`, `\0101`, `\x41`, `\c`, " ", "b", `\\`)}
	case 12:
		argv = []string{"sed", g.one("-n", "-e", "-E"), g.many(3, "y/ab/ba/", "y/a/b/", "1d", "2p", "p", "d", "s/a/b/", "3s/a//", "1s,b,/,g", ";", "\n", " ", "1", `s/a/\n/`, `s|\.|\||`, "s/(a)(b)/\\2\\1/", "s/b*/x/2", "s/B/c/I")}
		if argv[1] == "-e" {
			argv = []string{"sed", "-e", argv[2], "-e", "s/1/2/"}
		}
	case 13:
		argv = []string{"awk", g.one("-vx=ab", "-vx=1", "-F "), g.one("", "", "BEGIN") + "{" + g.many(2, `print x`, `print x "a"`, `print $1x`, `print tolower($0)`, `print substr(x,2)`, `print substr($1,1,1) substr($0,3,2)`, `print "\t" x`, `printf "%d", x`, `printf x`, `printf "%s%%", x`, `print $9`, `print $0,x`, `print($1)`, `print "a""b"`, `print -x`, `print x+1`, `print $1;`, ";", "\n", `print "\101"`) + "}"}
	case 14:
		argv = []string{g.one("head", "tail"), g.one("-n", "-c", "--lines=", "--bytes="), g.one("1", "+2", "0", "2", "-1", "+1", "3")}
		if strings.HasPrefix(argv[1], "--") {
			argv = []string{argv[0], argv[1] + argv[2]}
		}
	case 15:
		argv = append([]string{g.one("base64", "base32", "xxd")}, strings.Fields(g.one("-d", "--decode", "-r -p"))...)
	case 16:
		argv = []string{"tr", g.one("a-c", "ab", "a", "[:lower:]", "[:upper:]", "a-", "-a", "aa", "c-a", " "), g.one("A-C", "x", "xyz", "[:upper:]", "-", "12", "")}
	default:
		argv = []string{"tr", g.one("-s", "-d", "-dc"), g.one("a", "ab", "a-c", " ")}
	}
	return argv
}

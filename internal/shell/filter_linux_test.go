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
	for range 400 {
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
		cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
		cmd.Stdin = strings.NewReader(in)
		out, err := cmd.Output()
		if errors.Is(err, exec.ErrNotFound) {
			continue
		}
		if !bytes.Equal(out, []byte(got)) {
			t.Errorf("%q prints of %q %q, taken for %q (%v)", argv, in, out, got, err)
		}
	}
	if certain < 200 {
		t.Errorf("only %d of 400 are taken for certain", certain)
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
	switch g.Intn(6) {
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
	default:
		argv = []string{"tr", g.one("-s", "-d", "-dc"), g.one("a", "ab", "a-c", " ")}
	}
	return argv
}

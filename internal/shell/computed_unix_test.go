//go:build unix

package shell_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"assent/internal/shell"
)

// computed are scripts that put a command together from texts that stand in
// them: what bash starts then is listed word by word.
var computed = []string{
	"x=AA; ${x,,} b", "x=AA; \"${x,}\" b", "x=aa; ${x^^} b", "x=aa; ${x^} b", "x=aa; ${x@U} b", "x=AA; ${x@L} b", "x=aa; ${x@u} b",
	"x=baa; ${x:1} b", "x=baab; ${x:1:2}", "x=baab; ${x: -3:2}", "x=baab; ${x:1:-1}", "x=baab; n=1; ${x:n:n+1}", "x=baab; n=1; ${x:$n:$((1+1))}", "x=éaab; ${x:1:(2)} b", "x=aa; ${x:0:9}${x:5:1} b", "x=aa; b${x:2:1}",
	"x=aba; ${x/b/} c", "x=abab; ${x//b/}", "x=aba; ${x/b/c}", "x=abb; ${x/%b/a}", "x=bab; ${x/#b/a}", "x=a; ${x/#/a} b", "x=a; ${x/%/a} b", "x=a1b2; ${x//[0-9]/a}", "x=abcba; ${x/b*b/x}", "x=abc; ${x/?c}", "x='a*b'; ${x/'*'/a}", "x='a*b'; ${x/\\*/a}", "x=aXb; y=X; ${x/$y/a}", "x=aXb; y=X; ${x/X/$y$y}",
	"x=baa; ${x#b}", "x=baa; ${x#?}", "x=baa; ${x#[a-c]} b", "x=b.aa; ${x##*.} b", "x=aa.b.c; ${x%%.*} b", "x=aa.b.c; ${x%.*} b", "x=aa.b; ${x%.?} b", "x=abcabc; ${x#*b} ${x##*b} ${x%b*} ${x%%b*} ${x#z} ${x%\"c\"}", "x='aa*'; ${x%'*'} b", "x='aa*b'; ${x%\\**} b", "x=ab; p=b; ${x%$p} c",
	"a=(b aa c d); \"${a[@]:1}\"", "a=(b aa c d); \"${a[@]:1:2}\"", "a=(b aa c d); \"${a[@]: -3:2}\"", "a=(xaa xb); \"${a[@]#x}\"", "a=(aa b); a+=(c); \"${a[@]}\"", "a=(); a+=(aa b); \"${a[@]}\"", "a=(aa '' b); \"${a[@]}\"", "a=(b aa); ${a[1]} c", "a=(aa 'b c'); \"${a[@]}\"",
	"set -- b aa c; \"${@:2}\"", "set -- b aa c; \"${@:2:1}\" d", "set -- aa b; \"$@\"", "set -- aa b; $1 $2", "set -- a; a$1 b", "set -- 'aa' ''; \"$@\"",
	"x=a; x+=a; $x b", "x=a; x+='a b'; $x", "x=a; y=$x; y+=a; $y b", "x=aa; y=x; ${!y} b", "set -- aa; y=1; x=aa; z=x; ${!z} b", "declare -n n=x; x=aa; $n b", "local -n n=x; declare -n n=x; x=aa; \"$n\" b",
	"printf -v x aa; $x b", "printf -v x %s%s a a; $x b", "printf -v x '%s ' aa b; $x", "printf -vx aa; $x", "printf -v 'a[0]' aa; ${a[0]} b",
	"IFS=:; x=aa:b:c; $x", "IFS=,; x=aa,b,,c; $x", "IFS=', '; x='aa, b,c'; $x", "IFS=/; x=/aa/b; $x", "IFS=:; x=aa:b:; $x c", "IFS=:; x='a a:b'; $x",
	"$(printf aa) b", "x=aa; $(printf %s $x) b", "$(printf %s $(printf aa)) b", "x=$(printf 'aa b'); $x", "x=aa; y=$(printf %sb $x); $y", "x=`printf %s aa`; $x b", "eval \"$(printf '%s b' aa)\"", "eval a\"a b\"", "x=a; eval \"$x\"a b",
	"for x; do aa; done; f() { \"$@\"; }; f aa b", "f() { $1 c; }; f aa", "f() { a$2 c; }; f b a", "f() { for x in \"$@\"; do $x c; done; }; f aa", "f() { for x; do $x c; done; }; f aa", "f() { \"${@:2}\"; }; f b aa c",
	"x=aab; ${x:0:${#x}-1} c", "x=aa; x=${x/aa/bb}; $x c", "x=a; x=$x$x; $x b", "b=a; printf -v x 'a%s' \"$b\"; $x c", "x=$(if :; then printf aa; fi); $x b", "x=$({ printf aa; }); $x b", "f() { printf aa; }; $(f) b", "f() { printf %s \"$1\"; }; $(f aa) b",
	"case a in a) x=aa;; esac; $x b", "x=; x=aa; $x b", "x=; $x aa b", "for x in '' aa; do $x b; done", "for x in aa bb; do ${x}a c; done", "{,aa} b", "{aa,} b", "aa {,}", "aa ''{,b}", "aa {a,}'' {,b}\"\"", "x=; aa $x {$x,} b",
}

func TestBashComputes(t *testing.T) {
	t.Parallel()
	for _, script := range computed {
		told, ok := bash(t, report, script)
		if !ok {
			t.Errorf("bash does not read %s", script)
		}
		s := shell.Parse(script, shell.Options{})
		for _, want := range started(told) {
			if !slices.ContainsFunc(s.Commands, func(c shell.Command) bool {
				return slices.Equal(words(c), want) && !slices.ContainsFunc(c.Words, func(w shell.Word) bool { return !w.Static })
			}) {
				t.Errorf("bash starts %q, which is not listed word by word\n%s\n%s", want, script, show(s))
			}
		}
	}
}

// Operators with values and patterns of all kinds: where what comes of them is
// taken for certain, it is what bash makes of them.
func TestBashOperators(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewSource(1))
	text := func(letters string, most int) string {
		out := make([]byte, r.Intn(most+1))
		for i := range out {
			out[i] = letters[r.Intn(len(letters))]
		}
		return string(out)
	}
	pattern := func() string {
		return strings.Join([]string{text("ab", 2), []string{"*", "?", "[ab]", "[!a]", "'*'", `\?`, `"a"`, "", "$p", `"$p"`}[r.Intn(10)], text("ab.*", 2)}, "")
	}
	var lines []string
	for i := range 1500 {
		op := ""
		switch r.Intn(6) {
		case 0, 1:
			op = []string{"#", "##", "%", "%%"}[r.Intn(4)] + pattern()
		case 2:
			op = []string{"/", "//", "/#", "/%"}[r.Intn(4)] + pattern() + []string{"/", "/b", "/' '", "/$p", ""}[r.Intn(5)]
		case 3:
			op = []string{"^", "^^", ",", ",,", "@U", "@L", "@u"}[r.Intn(7)]
		case 4:
			op = fmt.Sprintf(":%s%d", []string{"", " -", "1+", "n-"}[r.Intn(4)], r.Intn(5))
			if r.Intn(2) == 0 {
				op += fmt.Sprintf(":%s%d", []string{"", "-"}[r.Intn(2)], r.Intn(4))
			}
		case 5:
			op = []string{":-", "-", ":+", "+", ":="}[r.Intn(5)] + text("ab c", 3)
		}
		quote := []string{"", `"`}[r.Intn(2)]
		lines = append(lines, fmt.Sprintf("x='%s'; p='%s'; n=2; aa %d %sa${x%s}%s", text("aAb.*? ", 6), text("ab*", 2), i, quote, op, quote))
	}
	told, _ := bash(t, report, strings.Join(lines, "\n"))
	certain := 0
	for _, argv := range started(told) {
		i, err := strconv.Atoi(argv[1])
		if err != nil {
			t.Fatal(argv)
		}
		s := shell.Parse(lines[i], shell.Options{})
		if len(s.Commands) == 0 || s.Err != nil || slices.ContainsFunc(s.Commands[0].Words, func(w shell.Word) bool { return w.Made }) {
			continue
		}
		if certain++; !slices.ContainsFunc(s.Commands[1:], func(c shell.Command) bool { return slices.Equal(words(c), argv) }) {
			t.Errorf("bash starts %q, which is not listed word by word\n%s\n%s", argv, lines[i], show(s))
		}
	}
	if certain < 500 {
		t.Errorf("only %d of %d are taken for certain", certain, len(lines))
	}
}

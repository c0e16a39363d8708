package shell_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assent/internal/shell"
)

// nestings are the forms that can stand in themselves: what opens one, what
// stands innermost, what closes it.
var nestings = map[string]struct{ before, open, in, shut string }{
	"arithmetic":                  {"", "$((", "1", "))"},
	"arithmetic and sum":          {"", "$((1+", "1", "))"},
	"old arithmetic":              {"", "$[", "1", "]"},
	"replacements in the pattern": {"a=b; ", "${a/", "b", "/c}"},
	"replacements in the text":    {"a=b; ", "${a/b/", "c", "}"},
	"slices":                      {"a=1; a=2; a=3; a=4; a=5; a=6; a=7; a=8; ", "${a:", "1", "}"},
	"slice lengths":               {"a=1; a=2; a=3; a=4; a=5; a=6; a=7; a=8; ", "${a:0:", "1", "}"},
	"slices of lists":             {"a=(1 2 3); ", "${a[@]:", "1", "}"},
	"indexes":                     {"a=(1 2 3); ", "${a[", "1", "]}"},
	"prefixes":                    {"a=b; ", "${a#", "b", "}"},
	"defaults":                    {"a=b; ", "${a:-", "b", "}"},
	"quoted defaults":             {"a=b; ", `"${a:-`, "b", `}"`},
	"assignments":                 {"", "${a:=", "b", "}"},
	"substitutions":               {"", "$(echo ", "a", ")"},
	"quoted substitutions":        {"", `"$(echo `, "a", `)"`},
	"process substitutions":       {"", "<(cat ", "a", ")"},
	"both substitutions":          {"", "$(cat <(echo ", "a", "))"},
	"braces":                      {"", "{a,", "b", "}"},
	"braces on both sides":        {"", "{{a,b},", "c", "}"},
	"mixed":                       {"a=1; a=2; ", "$((${a:$((", "1", "))}))"},
	"mixed with commands":         {"a=1; a=2; ", "${a/$(echo $((", "1", ")))/b}"},
	"conditions":                  {"", "$([[ 1 -eq ", "1", " ]] && echo 1)"},
	"evals":                       {"", "$(eval echo ", "a", ")"},
	"shells":                      {"", "$(sh -c echo ", "a", ")"},
	"arrays":                      {"", "$(a=(", "1", "); echo ${a[@]})"},
	"here-strings":                {"", "$(cat <<<", "a", ")"},
	"reads":                       {"", "$(read x <<<", "a", "; echo $x)"},
	"values":                      {"", "$(x=", "1", "; echo $x)"},
	"open braces":                 {"", "{", "a", ""},
	"lone braces":                 {"", "{", "a", "}"},
	"broken ranges":               {"", "{1..", "a", "}"},
	"open lists":                  {"", "{a,", "b", ""},
	"closed lists":                {"", "{a,", "b", "}"},
	"loops":                       {"", "$(for x in ", "1", "; do cd $x; echo $x; done)"},
	"functions":                   {"", "$(f() { echo ", "1", "; }; f)"},
}

// TestNested reads what stands in itself: each form nested as deep as a command
// can be long. A parse that doubled with each level would not end.
func TestNested(t *testing.T) {
	t.Parallel()
	for name, src := range nested() {
		understood(t, name, src)
	}
}

// BenchmarkNested reads all of them, one after the other.
func BenchmarkNested(b *testing.B) { readAll(b, nested()) }

// nested are commands in which a form stands in itself.
func nested() map[string]string {
	all := map[string]string{}
	check := func(name, src string) { all[name] = src }
	for name, n := range nestings {
		for _, deep := range []int{40, 9000 / len(n.open+n.shut)} {
			word := strings.Repeat(n.open, deep) + n.in + strings.Repeat(n.shut, deep)
			check(fmt.Sprintf("%s, %d deep", name, deep), n.before+"echo "+word)
			check(fmt.Sprintf("%s assigned, %d deep", name, deep), n.before+"z="+word+"; echo $z ${z:$z} $((z))")
			check(fmt.Sprintf("%s unread, %d deep", name, deep), n.before+"echo "+word+" (")
		}
	}
	for _, deep := range []int{40, 700} {
		check(fmt.Sprintf("here-documents, %d deep", deep), heres(deep))
	}
	return all
}

// heres is a here-document in a substitution in a here-document, and so on.
func heres(deep int) string {
	var open, shut strings.Builder
	for i := range deep {
		fmt.Fprintf(&open, "cat <<E%d\n$(", i)
	}
	for i := range deep {
		fmt.Fprintf(&shut, ")\nE%d\n", deep-1-i)
	}
	return open.String() + "echo a" + shut.String()
}

// TestLongBraces covers words that are not followed because braces make too
// many of them: what runs in them runs all the same.
func TestLongBraces(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"echo " + strings.Repeat("{", 9000) + "$(rm x)", "echo {1..100}$(rm x)", "echo $(rm x){1..100}", "echo {1..100}{a,$(rm x)}", "echo {a,{1..100},$(rm x)}",
		"for i in {1..1000}$(rm x); do echo $i; done", "cat > {1..100}$(rm x)", "a=({1..100}$(rm x))", "echo {1..100}${a:-$(rm x)}",
	} {
		seen := 0
		for _, c := range shell.Parse(src, shell.Options{}).Commands {
			if c.Text == "rm x" {
				seen++
			}
		}
		if seen != 1 {
			t.Errorf("%s: rm is listed %d times", src, seen)
		}
	}
}

// TestBracesInLoops covers words with braces that are read more than once.
func TestBracesInLoops(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"for i in 1; do while y; do echo {a,b}; cd x; done; done", "while cd {a,b}; do while echo {a,b}; do cd {c,d}; done; done",
		"x=1; while cd y; do x=$(while cd z; do echo {a,b}; done); done; $x",
	} {
		s := shell.Parse(src, shell.Options{})
		if s.Err != nil || !slices.ContainsFunc(s.Commands, func(c shell.Command) bool { return strings.HasPrefix(c.Text, "echo a b") }) {
			t.Errorf("%s: %v: %+v", src, s.Err, s.Commands)
		}
	}
}

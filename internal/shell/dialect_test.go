package shell_test

import (
	"errors"
	"testing"

	"assent/internal/shell"
)

// What a plain sh reads in another way than bash is not read as bash does.
func TestPlain(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"((a > b))", "((make -k))", "[[ a > b ]]", `git log $'\'$(x)'\'`, "let x=1", "a=(b)", "a[0]=b", "a+=b", "git log {a,b}", "git log {1..2}", "git log <<< x", "git log &> x",
		"git log <(x)", "git log ${x:0:1}", "git log ${x/a/b}", "git log ${x^^}", "git log ${!x}", "function f { x; }", "for ((;;)); do x; done", "select x in a; do x; done", "git log |& cat", "git log $\"x\"", "git log $[1]", "coproc x", "exec {x}> y",
	} {
		if s := shell.Parse(src, shell.Options{Plain: true}); !errors.Is(s.Err, shell.ErrDialect) {
			t.Errorf("%s: %v", src, s.Err)
		}
		if s := shell.Parse(src, shell.Options{}); s.Err != nil {
			t.Errorf("%s: %v", src, s.Err)
		}
	}
	for _, src := range []string{"git log", "a && b | c; (d) & { e; }", "x=1; git log \"${x:-y}\" $((x + 1)) `a` $(b) > c 2>&1", "for i in a b; do c; done", "f() { a; }; f", "if a; then b; fi", "case a in b) c;; esac", "cat <<E\n$x\nE\n", "find . -exec a {} \\;", "git show HEAD@{1}", "a '{b,c}'"} {
		if s := shell.Parse(src, shell.Options{Plain: true}); s.Err != nil {
			t.Errorf("%s: %v", src, s.Err)
		}
	}
	if s := shell.Parse("sh -c '((make -k))'", shell.Options{}); s.Commands[0].Unknown == "" {
		t.Error("a sh in it is read as bash")
	}
}

package shell_test

import (
	"errors"
	"strings"
	"testing"

	"assent/internal/shell"
)

func TestLimits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		src  string
		o    shell.Options
		want error
	}{
		"too long":                   {strings.Repeat("a", 10_001), shell.Options{}, shell.ErrTooLong},
		"long enough":                {"echo " + strings.Repeat("a", 9_000), shell.Options{}, nil},
		"longer by option":           {"echo " + strings.Repeat("a", 11_000), shell.Options{MaxLength: 20_000}, nil},
		"shorter by option":          {"echo aaaaaa", shell.Options{MaxLength: 5}, shell.ErrTooLong},
		"a NUL":                      {"a\x00b", shell.Options{}, shell.ErrNul},
		"a carriage return":          {"a\r\nb", shell.Options{}, shell.ErrReturn},
		"one within a shell":         {`bash -c $'a\rb'`, shell.Options{}, nil},
		"a backslash at the end":     {`a \`, shell.Options{}, shell.ErrBackslash},
		"two of them":                {`a \\`, shell.Options{}, nil},
		"a comment with a backslash": {"a # b \\\nc", shell.Options{}, shell.ErrComment},
		"a comment at the start":     {"#\\\nc", shell.Options{}, shell.ErrComment},
		"a hash in a word":           {"a#b \\\nc", shell.Options{}, nil},
		"two hashes":                 {"a#b #\\\nc", shell.Options{}, shell.ErrComment},
		"wrappers without end":       {strings.Repeat("sudo ", 40) + "ls", shell.Options{}, shell.ErrTooDeep},
		"evals without end":          {strings.Repeat("eval ", 40) + "ls", shell.Options{}, shell.ErrTooDeep},
		"commands without end":       {strings.Repeat("a;", 2_500), shell.Options{}, shell.ErrTooDeep},
		"values without end":         {"for a in {1..60}; do for b in {1..60}; do x $a $b; done; done", shell.Options{}, nil},
	} {
		s := shell.Parse(c.src, c.o)
		if !errors.Is(s.Err, c.want) || c.want == nil && s.Err != nil {
			t.Errorf("%s: %v, want %v", name, s.Err, c.want)
		}
		if s.Source != c.src {
			t.Errorf("%s: the source is not kept", name)
		}
	}
}

// A script in a wrapper that cannot be read makes the wrapper unknown.
func TestUnreadWithin(t *testing.T) {
	t.Parallel()
	for _, src := range []string{`bash -c 'a ('`, `eval 'a ('`, `bash -c $'a\rb'`, `trap 'if' EXIT`, `ssh h 'a ('`, `bash <<< 'a ('`, `echo '(' | sh`, `watch 'a ('`, `find . -exec sh -c 'a (' \;`} {
		s := shell.Parse(src, shell.Options{})
		unknown := false
		for _, c := range s.Commands {
			unknown = unknown || c.Unknown != ""
		}
		if !unknown && s.Err == nil {
			t.Errorf("%s: nothing is unknown\n%s", src, describe(s))
		}
	}
}

func TestSubcommand(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                   "",
		"git":                                "git",
		"git push":                           "git push",
		"git -C d -c a=b --no-pager push -f": "git push -f",
		"git --git-dir x log":                "git log",
		"/usr/bin/git -C d push":             "/usr/bin/git push",
		"kubectl -n x --context=y get":       "kubectl get",
		"docker --context x run -it":         "docker run -it",
		"ls -C d":                            "ls -C d",
		"git -C":                             "git",
		"aws --profile p s3 ls":              "aws s3 ls",
	} {
		if got := strings.Join(shell.Subcommand(strings.Fields(text)), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]bool{ // launcher, interpreter
		"bash": {true, true}, "python3.11": {true, true}, "node": {true, true}, "sudo": {true, false}, "xargs": {true, false}, "ssh": {true, false},
		"git": {false, false}, "poetry": {false, false}, "docker": {false, false}, "ls": {false, false}, "": {false, false}, "eval": {true, false},
	} {
		if got := [2]bool{shell.Launcher(name), shell.Interpreter(name)}; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	const src = `cd internal/shell && go vet ./... && for f in *.go; do gofmt -l "$f"; done; go test -run 'TestParse' ./... 2>&1 | tail -n 40; git status --porcelain | grep -v '^??' | sort | head -20`
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		shell.Parse(src, shell.Options{})
	}
}

//go:build unix

package shell_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"assent/internal/shell"
)

// What is taken for the output of a command is what the command prints: it
// comes back as the first word of a command that eval runs.
func TestSaid(t *testing.T) {
	t.Parallel()
	more, err := os.ReadFile("testdata/said.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range append(strings.Split(strings.TrimSpace(string(more)), "\n"), []string{
		"echo aa", "echo -n aa", "echo -e 'a\\x61'", "echo -e '\\0141a\\cb'", "printf aa", "printf 'a%s' a", "printf '%b' 'a\\141'", "printf '\\141a\\n'", "printf '%s%s' a a b",
		"echo bb | tr b a", "echo BB | tr A-Z a-z", "echo aXa | tr -d X", "echo abcd | tr a-d xy", "echo AA | tr '[:upper:]' '[:lower:]'", "echo a1a | tr -d '[:digit:]'", "echo bab | tr bb ac", "echo a-b | tr a- xy", "echo ab | tr a-a c",
		"echo YWE= | base64 -d", "echo YWEK | base64 --decode", "base64 -d <<< YWE=", "echo ba | rev", "echo aa | cat", "cat <<< aa", "echo aa | head -n1", "echo aa | tail -1", "echo aa | sort -r", "echo aa | uniq", "echo aa | head -1 | sort | cat",
		"x=aa; echo $x", "x=a; echo \"$x\"b | rev | rev", "echo 6161 | xxd -r -p",
	}...) {
		exe := strings.TrimSpace(script[strings.LastIndexByte(script, '|')+1:])
		exe, _, _ = strings.Cut(exe, " ")
		if _, err := exec.LookPath(exe); err != nil && exe != "x=aa;" {
			continue // nothing to be compared with
		}
		out, err := exec.CommandContext(t.Context(), "bash", "--norc", "-c", script).Output()
		if err != nil {
			t.Errorf("%s: %v", script, err)
			continue
		}
		want := strings.TrimRight(string(out), "\n")
		s := shell.Parse("eval \"$("+script+")\"", shell.Options{})
		found := true
		for line := range strings.SplitSeq(want, "\n") {
			found = found && slices.ContainsFunc(s.Commands, func(c shell.Command) bool {
				return c.Wrapper == "eval" && c.Text == strings.Join(strings.Fields(line), " ")
			})
		}
		if !found {
			t.Errorf("%s prints %q, which is not listed\n%s", script, want, show(s))
		}
	}
}

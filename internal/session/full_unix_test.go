//go:build unix

package session_test

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"assent/internal/session"
)

// SESS-11: on a full disk an append says so, nothing acknowledged is lost, and
// the session goes on when there is room again. The limit of a process stands
// for the disk, so the other half of the test is another process.
func TestAFullDisk(t *testing.T) {
	t.Parallel()
	if os.Getenv("SESSION_TEST_FULL") == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAFullDisk$", "-test.v")
		cmd.Env = append(os.Environ(), "SESSION_TEST_FULL=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	s := store(t)
	l := create(t, s, t.TempDir())
	add(t, l, session.User{Text: "one"}, said("1"))
	leaf := l.Leaf()
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	full := old
	full.Cur = uint64(size(t, l.Path())) + 200
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &full); err != nil {
		t.Fatal(err)
	}
	long := session.User{Text: strings.Repeat("long ", 1000)}
	err := l.Append(long)
	if err == nil || !strings.Contains(err.Error(), "save user record of session "+l.ID()) {
		t.Fatalf("err = %v", err)
	}
	if _, err := l.Artifact("raw", []byte(strings.Repeat("x", 100_000))); err == nil {
		t.Error("artifact: no error")
	}
	if left, _ := os.ReadDir(l.Artifacts().Dir); len(left) > 0 {
		t.Errorf("half an artifact is left: %v", left)
	}
	if l.Leaf() != leaf {
		t.Error("the leaf moved")
	}
	tree, faults := load(t, l.Path())
	if got := show(session.Fold(tree.Branch(""))); got != "user one | said 1" || faults.Count != 0 {
		t.Errorf("on disk: %s %v", got, faults)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	add(t, l, long, said("2"))
	shut(t, l)
	tree, faults = load(t, l.Path())
	if b := tree.Branch(""); len(session.Fold(b)) != 4 || b.Broken != 0 || faults.Count != 0 {
		t.Errorf("%d items, %d broken, %v", len(session.Fold(b)), b.Broken, faults)
	}
}

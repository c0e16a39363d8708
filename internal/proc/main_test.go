//go:build unix

package proc_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assent/internal/proc"
)

// TestMain lets the test binary play other programs: the variable says which.
func TestMain(m *testing.M) {
	if role := os.Getenv("PROC_TEST_ROLE"); role != "" {
		os.Exit(play(role))
	}
	goleak.VerifyTestMain(m)
}

// sh is a Spec that runs a script in a scratch folder.
func sh(t *testing.T, script string) proc.Spec {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no /bin/sh here")
	}
	return proc.Spec{Argv: []string{"/bin/sh", "-c", script}, Dir: t.TempDir()}
}

func run(t *testing.T, s proc.Spec) proc.Result {
	t.Helper()
	r, err := proc.Run(t.Context(), s)
	if err != nil {
		t.Fatalf("Run: %v", err)
	}
	return r
}

// pids reads the process ids that a script wrote, one a line.
func pids(t *testing.T, s proc.Spec, name string) []int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.Dir, name))
	if err != nil {
		t.Fatalf("the script wrote no process ids: %v", err)
	}
	var list []int
	for f := range strings.FieldsSeq(string(text)) {
		pid, err := strconv.Atoi(f)
		if err != nil {
			t.Fatalf("process id %q", f)
		}
		list = append(list, pid)
	}
	return list
}

// gone asserts that processes are dead; one that waits to be reaped is.
func gone(t *testing.T, list ...int) {
	t.Helper()
	if len(list) == 0 {
		t.Fatal("no process to look for")
	}
	for _, pid := range list {
		if err := syscall.Kill(pid, 0); err == nil && !zombie(pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Errorf("process %d is still alive", pid)
		}
	}
}

func zombie(pid int) bool {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	return strings.HasPrefix(rest, "Z")
}

// until waits for a file that a script writes.
func until(t *testing.T, name string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; {
		if b, err := os.ReadFile(name); err == nil && len(b) > 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s never came", name)
		}
		<-time.After(2 * time.Millisecond)
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

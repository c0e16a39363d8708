//go:build linux

package proc_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"assent/internal/proc"
)

// SHEL-11: when this program itself is killed, nothing that it started lives
// on, in whatever way it hides. The role of the program is played by another
// process of this test.
func TestNothingOutlivesAKilledProgram(t *testing.T) {
	t.Parallel()
	const role = "PROC_TEST_KILLED_IN"
	scripts := []string{
		`echo $$ >>pids.0; sleep 300 & echo $! >>pids.0; touch ready.0; wait`,
		`setsid sh -c 'echo $$ >pids.1; touch ready.1; exec sleep 300' >/dev/null 2>&1 & wait`,
		`trap '' TERM; echo $$ >pids.2; touch ready.2; while :; do sleep 300; done`,
	}
	if dir := os.Getenv(role); dir != "" {
		for i, script := range scripts {
			s := proc.Spec{Argv: []string{"/bin/sh", "-c", script}, Dir: dir}
			if _, err := proc.Start(context.Background(), s); err != nil {
				fmt.Println(i, err)
			}
		}
		time.Sleep(time.Minute) // it is killed before
		return
	}
	s := sh(t, "")
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	// The mark of a command outside, so that what is left of the role is not
	// taken for an orphan of another test's command.
	cmd.Env = append(os.Environ(), role+"="+s.Dir, "ASSENT_PROC=outside")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var list []int
	for i := range scripts {
		exists(t, filepath.Join(s.Dir, "ready."+strconv.Itoa(i)))
		list = append(list, pids(t, s, "pids."+strconv.Itoa(i))...)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	for deadline := time.Now().Add(8 * time.Second); living(list) && time.Now().Before(deadline); {
		<-time.After(10 * time.Millisecond)
	}
	gone(t, list...)
}

// exists waits for a file.
func exists(t *testing.T, name string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; {
		if _, err := os.Stat(name); err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s never came", name)
		}
		<-time.After(2 * time.Millisecond)
	}
}

func living(list []int) bool {
	for _, pid := range list {
		if syscall.Kill(pid, 0) == nil && !zombie(pid) {
			return true
		}
	}
	return false
}

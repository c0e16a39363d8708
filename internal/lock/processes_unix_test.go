//go:build unix

package lock_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assent/internal/lock"
)

// TestMain lets the test binary play another process of the program.
func TestMain(m *testing.M) {
	if dir := os.Getenv("LOCK_TEST_DIR"); dir != "" {
		if err := take(dir); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// take takes the lock of a name again and again, by turns removed and released,
// until it is killed, and says whom it finds inside.
func take(dir string) error {
	path, inside := filepath.Join(dir, "log"), filepath.Join(dir, "inside")
	for n := 0; ; n++ {
		mine, err := lock.Wait(context.Background(), path, time.Minute)
		if err != nil {
			return err
		}
		if b, _ := os.ReadFile(inside); len(b) > 0 {
			pid, err := strconv.Atoi(string(b))
			if err != nil || syscall.Kill(pid, 0) == nil && !ended(pid) {
				return fmt.Errorf("process %s is inside with %d", b, os.Getpid())
			}
		}
		if err := os.WriteFile(inside, []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
			return err
		}
		if n%4 == 0 {
			mine.Sign(time.Now())
		}
		if err := os.WriteFile(inside, nil, 0o600); err != nil {
			return err
		}
		end := mine.Remove
		if n%3 == 0 {
			end = mine.Release
		}
		if err := end(); err != nil {
			return err
		}
		fmt.Print(".")
	}
}

// ended says that a process was killed and is not collected yet; one of which
// nothing is known has not.
func ended(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true
	}
	_, rest, _ := bytes.Cut(b, []byte(") "))
	return bytes.HasPrefix(rest, []byte("Z")) || bytes.HasPrefix(rest, []byte("X"))
}

// Of ten processes that take one lock, and are killed wherever they are,
// no two hold it at once, and who is killed leaves it to the others.
func TestManyProcesses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	type other struct {
		cmd *exec.Cmd
		out *bytes.Buffer
	}
	start := func() other {
		o := other{exec.Command(os.Args[0]), &bytes.Buffer{}}
		o.cmd.Env, o.cmd.Stdout = append(os.Environ(), "LOCK_TEST_DIR="+dir), o.out
		if err := o.cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return o
	}
	turns := 0
	kill := func(o other) {
		_ = o.cmd.Process.Kill()
		_ = o.cmd.Wait()
		turns += bytes.Count(o.out.Bytes(), []byte("."))
		if said := bytes.Trim(o.out.Bytes(), "."); len(said) > 0 {
			t.Errorf("%s", said)
		}
	}
	var all []other
	for range 10 {
		all = append(all, start())
	}
	for range 40 {
		time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond) // the point is a random one
		n := rand.IntN(len(all))
		kill(all[n])
		all[n] = start()
	}
	mine, err := lock.Wait(t.Context(), filepath.Join(dir, "log"), time.Minute)
	if err != nil {
		t.Error(err)
	} else if err := mine.Release(); err != nil {
		t.Error(err)
	}
	for _, o := range all {
		kill(o)
	}
	if turns == 0 {
		t.Error("nobody had it")
	}
	t.Logf("%d turns", turns)
}

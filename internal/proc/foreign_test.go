//go:build unix

package proc_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"assent/internal/proc"
)

// nobody is the user that the program is run as below a test that is root.
const nobody = 65534

// play runs a part: "root" becomes another user, as sudo does, and says so;
// "program" runs that under this package and tells how it ended.
func play(role string) int {
	switch role {
	case "become":
		if syscall.Setuid(0) != nil {
			return 1
		}
		return 0
	case "root":
		if err := syscall.Setuid(0); err != nil {
			fmt.Println(err)
			return 1
		}
		fmt.Println("running")
		time.Sleep(time.Minute) // it is ended from outside long before
		return 0
	case "program":
		return playProgram()
	}
	return 2
}

// ending is what the program tells.
type ending struct {
	Result  proc.Result
	Started string
}

func playProgram() int {
	var e ending
	s := proc.Spec{Argv: []string{os.Getenv("PROC_TEST_FILE")}, Env: []string{"PROC_TEST_ROLE=root"}}
	if os.Getenv("PROC_TEST_END") == "below" {
		s.Argv = []string{"/bin/sh", "-c", `"$0" & wait`, s.Argv[0]}
	}
	running := make(chan struct{}, 1)
	s.Out = func([]byte) {
		select {
		case running <- struct{}{}:
		default:
		}
	}
	var table proc.Table
	h, err := table.Start(context.Background(), "call", s)
	if err != nil {
		e.Started = err.Error()
	} else {
		<-running
		switch os.Getenv("PROC_TEST_END") {
		case "interrupt", "below":
			h.Interrupt()
			e.Result = h.Wait()
		case "close":
			table.Close()
			e.Result = h.Wait()
		}
	}
	if json.NewEncoder(os.Stderr).Encode(e) != nil {
		return 1
	}
	return 0
}

// SHEL-14: a leader that belongs to another user, as that of sudo does, cannot
// be signalled; the call ends without it and names it.
//
// It begins alone: a program that was just written cannot be run while another
// child is being started.
func TestAnUnkillableLeaderHoldsNothingUp(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can make a program that runs as another user")
	}
	program, file := copies(t)
	for _, how := range []string{"interrupt", "close", "below"} { // the last has a leader of our own
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			cmd := exec.CommandContext(ctx, program)
			cmd.Env = []string{"PROC_TEST_ROLE=program", "PROC_TEST_FILE=" + file, "PROC_TEST_END=" + how}
			cmd.Dir = "/"
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
			var told bytes.Buffer
			cmd.Stderr = &told
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v: %s", err, &told)
			}
			var e ending
			if err := json.Unmarshal(told.Bytes(), &e); err != nil {
				t.Fatalf("%v: %s", err, &told)
			}
			if len(e.Result.Left) != 1 || e.Result.Left[0].User != "root" {
				t.Fatalf("%+v", e)
			}
			if err := syscall.Kill(e.Result.Left[0].PID, syscall.SIGKILL); err != nil {
				t.Errorf("what was left is not there: %v", err)
			}
			if !e.Result.Interrupted || string(e.Result.Output) != "running\n" || e.Result.Exit != -1 {
				t.Errorf("%+v", e)
			}
		})
	}
}

// copies are this very program twice, the second owned by root and run as root
// by everybody. A system that runs no such programs skips the test.
func copies(t *testing.T) (plain, setuid string) {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "proc") //nolint:usetesting // the folders above one of t's are closed to others
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	plain, setuid = filepath.Join(dir, "plain"), filepath.Join(dir, "setuid")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		os.WriteFile(plain, text, 0o600), os.WriteFile(setuid, text, 0o600),
		os.Chmod(dir, 0o755), os.Chmod(plain, 0o755), os.Chmod(setuid, 0o755|os.ModeSetuid),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{plain, setuid} {
		probe := exec.CommandContext(t.Context(), name)
		probe.Env = []string{"PROC_TEST_ROLE=become"}
		probe.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		err := probe.Run()
		if want := name == setuid; (err == nil) != want {
			t.Skipf("no program runs as another user here: %v", err)
		}
	}
	return plain, setuid
}

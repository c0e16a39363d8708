package proc_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"go.uber.org/goleak"
	"golang.org/x/sys/windows"

	"assent/internal/proc"
)

// TestMain lets the test binary play the programs that a command starts, since
// no shell can be counted on here: the variable says which.
func TestMain(m *testing.M) {
	if role := os.Getenv("PROC_TEST_ROLE"); role != "" {
		play(role)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// play is one program. Those that start others give them their own output, as
// a shell does.
func play(role string) {
	var next *exec.Cmd
	role, below, _ := strings.Cut(role, " ")
	if below != "" {
		next = exec.Command(os.Args[0])
		next.Env = append(os.Environ(), "PROC_TEST_ROLE="+below)
		next.Stdout, next.Stderr = os.Stdout, os.Stderr
		if err := next.Start(); err != nil {
			fmt.Println("start:", err)
			return
		}
	}
	switch role {
	case "job":
		var in int32
		asked, _, _ := windows.NewLazySystemDLL("kernel32.dll").NewProc("IsProcessInJob").Call(uintptr(windows.CurrentProcess()), 0, uintptr(unsafe.Pointer(&in)))
		fmt.Println("in a job:", asked != 0 && in != 0)
	case "hold":
		fmt.Println("pid", os.Getpid())
		time.Sleep(5 * time.Minute) // it is ended before
	case "leave":
		fmt.Println("pid", next.Process.Pid) // it may be ended before it says so itself
	case "exit":
		os.Exit(7)
	case "read":
		s := bufio.NewScanner(os.Stdin)
		for s.Scan() {
			fmt.Println("got", s.Text())
		}
	case "env":
		fmt.Println(strings.Join(os.Environ(), "\n"))
	}
}

// as is a Spec that runs this binary in a role, and what tells the ids of the
// processes that said theirs.
func as(role string) (proc.Spec, func(int) []int) {
	var mu sync.Mutex
	var said strings.Builder
	more := make(chan struct{}, 1000)
	s := proc.Spec{Argv: []string{os.Args[0]}, Env: []string{"PROC_TEST_ROLE=" + role}, Out: func(b []byte) {
		mu.Lock()
		defer mu.Unlock()
		said.Write(b)
		more <- struct{}{}
	}}
	return s, func(n int) []int {
		for {
			var ids []int
			mu.Lock()
			for line := range strings.Lines(said.String()) {
				if id, ok := strings.CutPrefix(strings.TrimSpace(line), "pid "); ok {
					if n, err := strconv.Atoi(id); err == nil && strings.HasSuffix(line, "\n") {
						ids = append(ids, n)
					}
				}
			}
			mu.Unlock()
			if len(ids) >= n {
				return ids
			}
			<-more
		}
	}
}

// lives says whether a process has not ended.
func lives(pid int) bool {
	h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return false
	}
	defer func() { _ = windows.CloseHandle(h) }()
	event, err := windows.WaitForSingleObject(h, 1000)
	return err == nil && event == uint32(windows.WAIT_TIMEOUT)
}

// TestACallEndsWithItsLeader is SHEL-04: a child that keeps the pipes open does
// not hold the call up, and does not outlive it.
func TestACallEndsWithItsLeader(t *testing.T) {
	t.Parallel()
	s, ids := as("leave hold")
	r, err := proc.Run(t.Context(), s)
	if err != nil || r.Exit != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	if r.Survivors != 1 { // none, had it waited for them
		t.Errorf("%d were left behind, not 1", r.Survivors)
	}
	for _, id := range ids(1) {
		if lives(id) {
			t.Errorf("%d lives on", id)
		}
	}
}

// TestCancelEndsTheTree is SHEL-16: what a cancelled command started ends with
// it, to the last grandchild.
func TestCancelEndsTheTree(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(context.CancelFunc, *proc.Handle){
		"cancelled":   func(cancel context.CancelFunc, _ *proc.Handle) { cancel() },
		"interrupted": func(_ context.CancelFunc, h *proc.Handle) { h.Interrupt() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			s, ids := as("hold hold hold")
			h, err := proc.Start(ctx, s)
			if err != nil {
				t.Fatal(err)
			}
			all := ids(3)
			end(cancel, h)
			if r := h.Wait(); !r.Interrupted || len(r.Left) > 0 {
				t.Errorf("%+v", r)
			}
			for _, id := range all {
				if lives(id) {
					t.Errorf("%d lives on", id)
				}
			}
		})
	}
}

func TestTimeLimit(t *testing.T) {
	t.Parallel()
	s, _ := as("hold hold")
	s.Timeout = 2 * time.Second
	if r, err := proc.Run(t.Context(), s); err != nil || !r.TimedOut {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestNothingRunsOutsideTheJob: the first instruction of a command is run in
// the job already, so that nothing it starts can escape.
func TestNothingRunsOutsideTheJob(t *testing.T) {
	t.Parallel()
	for range 10 {
		s, _ := as("job")
		if r, err := proc.Run(t.Context(), s); err != nil || strings.TrimSpace(string(r.Stdout)) != "in a job: true" {
			t.Fatalf("%s %v", r.Stdout, err)
		}
	}
}

func TestEndAndInput(t *testing.T) {
	t.Parallel()
	s, _ := as("exit")
	if r, err := proc.Run(t.Context(), s); err != nil || r.Exit != 7 || r.Signal != "" {
		t.Errorf("%+v, %v", r, err)
	}
	s, _ = as("read")
	s.Stdin = []byte("a\r\nb\n")
	if r, err := proc.Run(t.Context(), s); err != nil || string(r.Stdout) != "got a\ngot b\n" {
		t.Errorf("%q, %v", r.Stdout, err)
	}
	if _, err := proc.Run(t.Context(), proc.Spec{Argv: []string{"no-such-program-here"}}); err == nil {
		t.Error("a program that is not there was run")
	}
}

// TestTheKeyIsWithheld: names of variables have no capitals here.
func TestTheKeyIsWithheld(t *testing.T) {
	t.Setenv("Assent_Api_Key", "not for commands")
	s, _ := as("env")
	r, err := proc.Run(t.Context(), s)
	if err != nil || strings.Contains(string(r.Stdout), "not for commands") {
		t.Errorf("%s, %v", r.Stdout, err)
	}
}

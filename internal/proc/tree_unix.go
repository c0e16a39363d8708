//go:build unix

package proc

import (
	"os"
	"os/exec"
	"os/user"
	"strings"
	"syscall"
)

// detach puts a command into a session of its own, so that it has no
// controlling terminal that a prompt could open, and leads a group.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

// userName is the name of a user by number, or the number where no name is
// known.
func userName(id string) string {
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}
	return id
}

// status reads how a leader ended.
func status(s *os.ProcessState) (exit int, signal string) {
	if s == nil {
		return -1, ""
	}
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return -1, signalName(w.Signal())
	}
	return s.ExitCode(), ""
}

func signalName(s syscall.Signal) string {
	names := map[syscall.Signal]string{
		syscall.SIGHUP: "SIGHUP", syscall.SIGINT: "SIGINT", syscall.SIGQUIT: "SIGQUIT", syscall.SIGILL: "SIGILL",
		syscall.SIGTRAP: "SIGTRAP", syscall.SIGABRT: "SIGABRT", syscall.SIGBUS: "SIGBUS", syscall.SIGFPE: "SIGFPE",
		syscall.SIGKILL: "SIGKILL", syscall.SIGSEGV: "SIGSEGV", syscall.SIGPIPE: "SIGPIPE", syscall.SIGALRM: "SIGALRM",
		syscall.SIGTERM: "SIGTERM", syscall.SIGXCPU: "SIGXCPU", syscall.SIGXFSZ: "SIGXFSZ",
	}
	if n := names[s]; n != "" {
		return n
	}
	return strings.ToUpper(s.String())
}

package proc

import (
	"os"
	"os/exec"
)

func shellArgv(command string) ([]string, error) {
	return windowsShell(os.Getenv, func(program string) (string, bool) {
		path, err := exec.LookPath(program)
		return path, err == nil
	}, command)
}

// PlainShell reports whether commands run in a sh that is not known to be a
// bash. On Windows each that is found is one.
func PlainShell() bool { return false }

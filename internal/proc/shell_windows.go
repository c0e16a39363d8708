package proc

import (
	"os"
	"os/exec"
	"strings"
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

// Zsh reports whether commands run in zsh.
func Zsh() bool {
	argv, err := shellArgv("")
	return err == nil && strings.TrimSuffix(strings.ToLower(base(argv[0])), ".exe") == "zsh"
}

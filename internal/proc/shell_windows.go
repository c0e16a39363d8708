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

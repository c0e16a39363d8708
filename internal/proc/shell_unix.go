//go:build unix

package proc

import (
	"os"
	"os/exec"
)

func shellArgv(command string) ([]string, error) { return []string{userShell(), "-c", command}, nil }

// userShell is $SHELL when it is one that Shell uses and is there.
func userShell() string {
	if s := os.Getenv("SHELL"); s != "" && knownShell(s) {
		if found, err := exec.LookPath(s); err == nil {
			return found
		}
	}
	return "/bin/sh"
}

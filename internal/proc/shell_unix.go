//go:build unix

package proc

import (
	"os"
	"os/exec"
)

func shellArgv(command string) ([]string, error) { return []string{userShell(), "-c", command}, nil }

// userShell is $SHELL when it is one that reads what commands are judged in
// and is there, else a bash, and sh where there is none.
func userShell() string {
	if s := os.Getenv("SHELL"); s != "" && knownShell(s) && base(s) != "sh" {
		if found, err := exec.LookPath(s); err == nil {
			return found
		}
	}
	for _, s := range []string{"bash", "/bin/bash"} {
		if found, err := exec.LookPath(s); err == nil {
			return found
		}
	}
	return "/bin/sh"
}

// PlainShell reports whether commands run in a sh that is not known to be a
// bash: it reads in another way what only bash and its like know.
func PlainShell() bool { return base(userShell()) == "sh" }

// Zsh reports whether commands run in zsh.
func Zsh() bool { return base(userShell()) == "zsh" }

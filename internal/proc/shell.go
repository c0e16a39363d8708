package proc

import (
	"errors"
	"strings"
)

// ErrNoShell tells that this machine has no shell that reads the language
// which commands are judged in. Only Windows can be without one.
var ErrNoShell = errors.New("no bash was found to run commands in; install Git for Windows, which brings one, and start again")

// Shell returns the program and arguments that run a command line in the
// user's shell, without a prompt: $SHELL when it is bash or zsh, else a bash,
// else /bin/sh (see PlainShell); on Windows a bash, and where there is none the error is ErrNoShell.
//
// The shell is neither a login nor an interactive one, so it inherits the
// environment of the terminal that this program was started in, and reads only
// what such a shell reads: zsh its .zshenv, bash the file that BASH_ENV names,
// sh nothing. Each command is a new shell in the folder that Spec.Dir names: a
// cd, an export or an alias lasts for one command. See Login for what a login
// shell would add.
func Shell(command string) ([]string, error) {
	if command != "" && strings.ContainsRune("-+", rune(command[0])) {
		command = " " + command // not an option of the shell
	}
	return shellArgv(command)
}

// knownShell reports whether a shell takes -c as sh does and reads the language
// that command lines are parsed as.
func knownShell(program string) bool {
	switch strings.TrimSuffix(strings.ToLower(base(program)), ".exe") {
	case "bash", "zsh", "sh":
		return true
	}
	return false
}

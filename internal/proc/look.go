package proc

import "os/exec"

// Look finds a program in PATH. A program of the current folder is never
// found: a repository could have brought it.
func Look(name string) (path string, ok bool) {
	path, err := exec.LookPath(name)
	return path, err == nil
}

package proc

import "os/exec"

// ErrNotFound is what the error of Start and Run wraps when there is no program
// of that name.
var ErrNotFound = exec.ErrNotFound

// Find returns the path of a program, "" when there is none. A program in the
// current folder does not count.
func Find(program string) string {
	path, err := exec.LookPath(program)
	if err != nil {
		return ""
	}
	return path
}

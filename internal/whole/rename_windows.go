package whole

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// patience bounds how long a rename waits for those who read the old file:
// here a file that is open cannot be replaced, and readers (of this program, or
// one that looks for viruses) have it open for a moment only.
const patience = 2 * time.Second

const sharingViolation syscall.Errno = 32

// rename gives a file another's name, in its place.
func rename(from, to string) error {
	end := time.Now().Add(patience)
	for wait := time.Millisecond; ; wait = min(2*wait, patience/20) {
		err := os.Rename(from, to)
		if err == nil || !errors.Is(err, syscall.ERROR_ACCESS_DENIED) && !errors.Is(err, sharingViolation) || folder(to) || time.Now().Add(wait).After(end) {
			return err
		}
		time.Sleep(wait)
	}
}

// folder says whether a name is a folder's, which no waiting helps.
func folder(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.IsDir()
}

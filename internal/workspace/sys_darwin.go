package workspace

import "golang.org/x/sys/unix"

func renameExclusive(from int, base string, to int, newBase string) error {
	return unix.RenameatxNp(from, base, to, newBase, unix.RENAME_EXCL)
}

package workspace

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// openFlags: nothing that can be opened by name below a folder waits here.
const openFlags = 0

// shortNames says that the system gives files a second, shortened name.
const shortNames = true

const (
	errBusy        = windows.ERROR_SHARING_VIOLATION
	errCrossDevice = windows.ERROR_NOT_SAME_DEVICE
)

// mayWrite is writable: to open a file tells nobody here that it changed.
func mayWrite(dir *os.Root, base string) error { return writable(dir, base) }

// storedName is the name of a file as its folder has it, by whichever capitals
// or short name it is called: one question, where reading the folder for each
// of its files would take ages.
func storedName(full string) (string, bool) {
	p, err := windows.UTF16PtrFromString(full)
	if err != nil {
		return "", false
	}
	var found windows.Win32finddata
	h, err := windows.FindFirstFile(p, &found)
	if err != nil {
		return "", false
	}
	_ = windows.FindClose(h) // one answer is enough
	return windows.UTF16ToString(found.FileName[:]), true
}

// native is a name as programs of this system spell it; see nativeName. Root is
// the folder whose drive a name without one is on.
func native(name, root string) string { return nativeName(name, filepath.VolumeName(root)) }

// readings are the other names by which programs may find a file; see
// nativeReadings.
func readings(name, root string) []string {
	return nativeReadings(name, filepath.VolumeName(root), os.TempDir())
}

// checkName refuses what the system would read as something else: a drive
// without a root, streams ("a:b"), devices (NUL, COM1), trailing dots and
// blanks.
func checkName(name string) error {
	volume := filepath.VolumeName(name)
	if strings.HasPrefix(volume, `\\?\`) || strings.HasPrefix(volume, `\\.\`) || strings.HasPrefix(volume, `\??\`) {
		return fmt.Errorf("%w: %q names a device, not a folder; begin with a drive", ErrName, name)
	}
	if volume != "" && !filepath.IsAbs(name) {
		return fmt.Errorf("%w: %q names a drive but no folder of it", ErrName, name)
	}
	for _, part := range split(name) {
		if part == ".." {
			continue
		}
		if foreignName(part) || !filepath.IsLocal(part) {
			return fmt.Errorf("%w: %q means something else to this system", ErrName, part)
		}
	}
	return nil
}

// hardLinks is not asked here: the answer needs the file opened again.
func hardLinks(fs.FileInfo) int { return 1 }

// keepOwner: a new file inherits from its folder, as every editor leaves it.
func keepOwner(*os.File, fs.FileInfo) {}

func keepAttributes(*os.Root, string, *os.File) {}

// syncFolder: folders cannot be synced; the file system orders renames itself.
func syncFolder(*os.Root) error { return nil }

// lockFolder: folders cannot be locked here; what is left is the moment between
// looking at a file and replacing it.
func lockFolder(*os.Root) (unlock func()) { return func() {} }

// rename moves a name between two folders that were opened and checked. The
// system offers no rename by two handles to Go, so full names are used.
func rename(dir *os.Root, base string, into *os.Root, newBase string, replace bool) error {
	from, err := windows.UTF16PtrFromString(filepath.Join(dir.Name(), base))
	if err != nil {
		return err
	}
	to, err := windows.UTF16PtrFromString(filepath.Join(into.Name(), newBase))
	if err != nil {
		return err
	}
	flags := uint32(windows.MOVEFILE_WRITE_THROUGH)
	if replace {
		flags |= windows.MOVEFILE_REPLACE_EXISTING
	}
	return windows.MoveFileEx(from, to, flags)
}

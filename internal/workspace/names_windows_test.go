package workspace_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/windows"

	"assent/internal/workspace"
)

const hardLinksKnown = false

func TestNamesOfOtherThings(t *testing.T) {
	t.Parallel()
	w, _ := open(t, map[string]string{"f": "x"})
	for _, name := range []string{"f::$DATA", "f:stream", "NUL", "sub/COM1", "f.", "f ", "C:f"} {
		if _, err := w.Resolve(name, ""); !errors.Is(err, workspace.ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestStoredSpelling: a file is called by its folder's spelling, whichever
// capitals or short name it was named with.
func TestStoredSpelling(t *testing.T) {
	t.Parallel()
	w, dir := open(t, map[string]string{"Secret Things/Long.Name.txt": "x"})
	names := []string{"secret things/LONG.name.TXT", `SECRET THINGS\long.name.txt`, `\\?\` + dir + `\Secret things\Long.Name.txt`}
	from, err := windows.UTF16PtrFromString(filepath.Join(dir, "Secret Things", "Long.Name.txt"))
	if err != nil {
		t.Fatal(err)
	}
	short := make([]uint16, 500)
	if n, err := windows.GetShortPathName(from, &short[0], uint32(len(short))); err == nil && n > 0 {
		names = append(names, windows.UTF16ToString(short))
	}
	for _, name := range names {
		p, err := w.Resolve(name, "")
		if err != nil || p.RealRel != "Secret Things/Long.Name.txt" || p.Root != 0 || !p.Exists {
			t.Errorf("%s is %+v, %v", name, p, err)
		}
	}
}

// TestNamesOfOneFile: a drive is one drive, by whichever letter and by the
// names that shells here have for it; what has no drive is on the root's.
func TestNamesOfOneFile(t *testing.T) {
	t.Parallel()
	w, dir := open(t, map[string]string{"sub/f": "x"})
	slashed := filepath.ToSlash(dir)
	for _, name := range []string{
		dir + `\sub\f`, slashed + "/sub/f", strings.ToLower(dir[:1]) + dir[1:] + `\sub\f`, "/" + strings.ToLower(dir[:1]) + slashed[2:] + "/sub/f",
		slashed[2:] + "/sub/f", "//?/" + slashed + "/sub/f", `\\.\` + dir + `\sub\f`,
	} {
		p, err := w.Resolve(name, "")
		if err != nil || p.Root != 0 || p.Rel != "sub/f" || p.RealRel != "sub/f" {
			t.Errorf("%s is %+v, %v", name, p, err)
		}
	}
	for _, name := range []string{"/etc/passwd", `\Windows\win.ini`, "/c/Windows", "//host/share/f", "d:/f"} {
		if p, err := w.Resolve(name, ""); err != nil || p.Root >= 0 {
			t.Errorf("%s is %+v, %v", name, p, err)
		}
	}
	for _, name := range []string{`\\.\pipe\x`, `\\?\Volume{1}\f`, `\\.\NUL`, `\\?\GLOBALROOT\Device\x`} {
		if p, err := w.Resolve(name, ""); !errors.Is(err, workspace.ErrName) {
			t.Errorf("%s is %+v, %v", name, p, err)
		}
	}
}

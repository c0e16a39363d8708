package workspace

import (
	"strings"
	"testing"
)

// FuzzNames: whatever a name of Windows looks like, it is spelled in one way,
// and what is read out of a refused one are files that it could mean: on a
// drive or on none, without streams, dots and blanks at the ends of parts.
func FuzzNames(f *testing.F) {
	for _, s := range []string{
		`C:\a\b`, `/c/x`, `/cygdrive/d/x`, `\\?\C:\x`, `\\?\UNC\h\s\x`, `\\.\c:/x`, `f::$DATA`, `NUL.txt`, `a. .\b..`, `c:`, `c:x`, `\\h\c$\x`, `/tmp/x:y`,
		`\proc\cygdrive\c`, `con .txt`, `..`, `. .`, `\??\z:\\`, `é:\x`, "lpt\u00b9", `/c`, `\\?\Volume{1}\x`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		is := nativeName(name, "C:")
		if strings.Contains(is, "/") || driveOf(is) != "" && is[:2] != driveOf(is) {
			t.Fatalf("%q is %q", name, is)
		}
		if again := nativeName(is, "D:"); again != is && !strings.HasPrefix(is, `\\`) {
			t.Fatalf("%q is %q, and that is %q", name, is, again)
		}
		for _, r := range nativeReadings(name, "C:", `T:\temp`) {
			rest := r[len(driveOf(r)):]
			for _, part := range strings.Split(rest, `\`) {
				if part != ".." && (strings.Contains(part, ":") || strings.TrimRight(part, ". ") != part) {
					t.Fatalf("%q may be %q", name, r)
				}
			}
		}
		if foreignName(name) || strings.ContainsAny(name, `/\`) || name == "" || name == "." {
			return
		}
		// Such a name means itself.
		if got := bare("C:", []string{name}); got != `C:\`+name {
			t.Fatalf("%q is taken for %q", name, got)
		}
	})
}

package workspace

import (
	"slices"
	"testing"
)

func TestForeignNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"f::$DATA", "f:stream", "C:f", "NUL", "nul", "Nul.txt", "nul.tar.gz", "COM1", "com9.log", "LPT¹", "CONIN$", "con .txt", "aux",
		"f.", "f ", "f. .", "...", "a*b", "what?", `say"it"`, "a|b", "a<b", "tab\tname", "\x00",
	} {
		if !foreignName(name) {
			t.Errorf("%q is taken for a name of its own", name)
		}
	}
	for _, name := range []string{
		"f", ".git", "..", ".", "", "...f", "f.txt", "com10", "comet", "console", "null", "nul1", "auxiliary.go", "lpt", "com", "a b", " a", "ü", "con_", "x.con", "COM¹0",
	} {
		if foreignName(name) {
			t.Errorf("%q is refused", name)
		}
	}
}

// One file, many spellings: a denied path must be known by all of them.
func TestNativeNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"src/a.go": `src\a.go`, `src\a.go`: `src\a.go`, "": "", ".": ".",
		"c:/ws/.env": `C:\ws\.env`, `C:\ws`: `C:\ws`, "c:x": "C:x",
		"/c/ws/.env": `C:\ws\.env`, "/c": `C:\`, "/C/": `C:\`, "/c//ws": `C:\ws`, "/cygdrive/d/x": `D:\x`, "/proc/cygdrive/c/x": `C:\x`,
		"/etc/passwd": `C:\etc\passwd`, `\Users\me`: `C:\Users\me`, "/": `C:\`, "/cc/x": `C:\cc\x`, "/1/x": `C:\1\x`,
		`\\?\c:\ws\.env`: `C:\ws\.env`, "//?/C:/ws": `C:\ws`, "//./c:/ws": `C:\ws`, `\??\C:\ws`: `C:\ws`,
		`\\?\UNC\host\share\x`: `\\host\share\x`, "//host/share/x": `\\host\share\x`, `\\.\pipe\x`: `\\.\pipe\x`,
	} {
		if got := nativeName(name, "C:"); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

func TestNativeReadings(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		".env::$DATA":                   `.env`,
		"secret/x:y":                    `secret\x`,
		".env.":                         `.env`,
		".env . .":                      `.env`,
		"secret./x":                     `secret\x`,
		"../x.":                         `..\x`,
		"C:secret/x":                    `secret\x`,
		"sub/c:/ws/secret/x":            `C:\ws\secret\x`,
		"c:/ws/.env.":                   `C:\ws\.env`,
		"/c/ws/secret/x:s":              `C:\ws\secret\x`,
		"//localhost/c$/ws/.env":        `C:\ws\.env`,
		"//localhost/D$/ws/.env":        `D:\ws\.env`,
		"//host/share/ws/.env":          `C:\ws\.env`,
		`\\?\Volume{1}\ws\.env`:         `C:\ws\.env`,
		`\\.\GLOBALROOT\x\ws\.env`:      `C:\x\ws\.env`,
		"/tmp/ws/.env":                  `T:\temp\ws\.env`,
		"a:stream":                      `A`,
		"sub/a:stream":                  `sub\a`,
		`\\?\c:\ws\secret.\x`:           `C:\ws\secret\x`,
		"secret/.../x":                  `secret\x`,
		"sub/.. /x":                     `sub\..\x`,
		"//localhost/c$/ws/.env::$DATA": `C:\ws\.env`,
	} {
		if got := nativeReadings(name, "C:", `T:\temp`); !slices.Contains(got, want) {
			t.Errorf("%q may be read as %q, and not as %q", name, got, want)
		}
	}
}

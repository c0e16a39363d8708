package workspace

import "testing"

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

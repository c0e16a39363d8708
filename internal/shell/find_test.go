package shell_test

import (
	"testing"

	"assent/internal/shell"
)

// TestProgram: a program is known by its name, wherever it stands and however
// the system lets it be written.
func TestProgram(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"rm": "rm", "/bin/rm": "rm", "./rm": "rm", "RM": "rm", "rm.exe": "rm", "Rm.EXE": "rm", `C:\Git\usr\bin\rm.exe`: "rm",
		`C:\Git\usr\bin\rm`: "rm", `..\bin\RM`: "rm", `C:/Git/bin\rm`: "rm", "/c/Git/bin/rm": "rm",
		"npm.cmd": "npm", "NPM.CMD": "npm", `C:\node\yarn.bat`: "yarn", "format.com": "format",
		"[": "[", ".": ".", "a.sh": "a.sh", ".exe": ".exe", `\`: `\`, "": "",
	} {
		if got := shell.Program(word); got != want {
			t.Errorf("%q is %q, want %q", word, got, want)
		}
	}
}

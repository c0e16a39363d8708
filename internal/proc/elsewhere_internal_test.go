package proc

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// Which shell a command gets on Windows, by what is there.
func TestWindowsShell(t *testing.T) {
	t.Parallel()
	const (
		gitBash = `C:\Program Files\Git\bin\bash.exe`
		ownBash = `C:\Users\me\AppData\Local\Programs\Git\bin\bash.exe`
		wslBash = `c:\windows\system32\bash.exe`
	)
	machine := map[string]string{"SystemRoot": `C:\Windows`, "ProgramFiles": `C:\Program Files`, "LocalAppData": `C:\Users\me\AppData\Local`}
	for _, c := range []struct {
		name  string
		shell string
		there map[string]string // what is looked up, and what is found
		want  string
	}{
		{"nothing", "", nil, ``},
		{"a bash on the PATH", "", map[string]string{"bash": `D:\msys\bash.exe`}, `D:\msys\bash.exe -c`},
		{"the bash of WSL is passed over", "", map[string]string{"bash": wslBash}, ``},
		{"Git for Windows", "", map[string]string{"bash": wslBash, gitBash: gitBash}, gitBash + ` -c`},
		{"Git of one user", "", map[string]string{ownBash: ownBash}, ownBash + ` -c`},
		{"the user's shell", `C:\tools\ZSH.EXE`, map[string]string{`C:\tools\ZSH.EXE`: `C:\tools\ZSH.EXE`, "bash": `D:\bash.exe`}, `C:\tools\ZSH.EXE -c`},
		{"a slash that leans the other way", `/usr/bin/bash`, map[string]string{`/usr/bin/bash`: `C:\git\usr\bin\bash.exe`}, `C:\git\usr\bin\bash.exe -c`},
		{"a shell of another language", `C:\tools\fish.exe`, map[string]string{`C:\tools\fish.exe`: `x`, "bash": `D:\bash.exe`}, `D:\bash.exe -c`},
		{"a shell that is gone", `C:\gone\bash.exe`, nil, ``},
		{"a folder that begins like the system's", "", map[string]string{"bash": `C:\WindowsTools\bash.exe`}, `C:\WindowsTools\bash.exe -c`},
	} {
		get := func(name string) string {
			if name == "SHELL" {
				return c.shell
			}
			return machine[name]
		}
		find := func(program string) (string, bool) { found, ok := c.there[program]; return found, ok }
		argv, err := windowsShell(get, find, "echo hi")
		if c.want == "" {
			if !errors.Is(err, ErrNoShell) || argv != nil {
				t.Errorf("%s: %q, %v", c.name, argv, err)
			}
			continue
		}
		if got := strings.Join(argv, " "); got != c.want+" echo hi" || err != nil {
			t.Errorf("%s: %q, %v", c.name, argv, err)
		}
	}
	bare, err := windowsShell(func(string) string { return "" }, func(string) (string, bool) { return "", false }, "x")
	if !errors.Is(err, ErrNoShell) || bare != nil {
		t.Errorf("on a machine that says nothing: %q, %v", bare, err)
	}
}

func TestWindowsEditor(t *testing.T) {
	t.Parallel()
	for editor, want := range map[string][]string{
		`notepad`:                            {"notepad", "F"},
		`code --wait`:                        {"code", "--wait", "F"},
		`"C:\Program Files\Vim\vim.exe"  -f`: {`C:\Program Files\Vim\vim.exe`, "-f", "F"},
		"subl\t-w":                           {"subl", "-w", "F"},
		`ed --name="a b"`:                    {"ed", "--name=a b", "F"},
	} {
		if got := windowsEditor(editor, "F"); !slices.Equal(got, want) {
			t.Errorf("%s: %q", editor, got)
		}
	}
}

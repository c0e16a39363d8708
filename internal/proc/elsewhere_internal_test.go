package proc

import (
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
		{"nothing", "", nil, `C:\Windows\System32\cmd.exe /d /s /c`},
		{"a bash on the PATH", "", map[string]string{"bash": `D:\msys\bash.exe`}, `D:\msys\bash.exe -c`},
		{"the bash of WSL is passed over", "", map[string]string{"bash": wslBash}, `C:\Windows\System32\cmd.exe /d /s /c`},
		{"Git for Windows", "", map[string]string{"bash": wslBash, gitBash: gitBash}, gitBash + ` -c`},
		{"Git of one user", "", map[string]string{ownBash: ownBash}, ownBash + ` -c`},
		{"the user's shell", `C:\tools\ZSH.EXE`, map[string]string{`C:\tools\ZSH.EXE`: `C:\tools\ZSH.EXE`, "bash": `D:\bash.exe`}, `C:\tools\ZSH.EXE -c`},
		{"a slash that leans the other way", `/usr/bin/bash`, map[string]string{`/usr/bin/bash`: `C:\git\usr\bin\bash.exe`}, `C:\git\usr\bin\bash.exe -c`},
		{"a shell of another language", `C:\tools\fish.exe`, map[string]string{`C:\tools\fish.exe`: `x`, "bash": `D:\bash.exe`}, `D:\bash.exe -c`},
		{"a shell that is gone", `C:\gone\bash.exe`, nil, `C:\Windows\System32\cmd.exe /d /s /c`},
		{"a folder that begins like the system's", "", map[string]string{"bash": `C:\WindowsTools\bash.exe`}, `C:\WindowsTools\bash.exe -c`},
	} {
		get := func(name string) string {
			if name == "SHELL" {
				return c.shell
			}
			return machine[name]
		}
		find := func(program string) (string, bool) { found, ok := c.there[program]; return found, ok }
		argv := windowsShell(get, find, "echo hi")
		if got := strings.Join(argv[:len(argv)-1], " "); got != c.want || argv[len(argv)-1] != "echo hi" {
			t.Errorf("%s: %q", c.name, argv)
		}
	}
	bare := windowsShell(func(string) string { return "" }, func(string) (string, bool) { return "", false }, "x")
	if len(bare) != 5 || bare[4] != "x" {
		t.Errorf("on a machine that says nothing: %q", bare)
	}
}

// cmd.exe reads what stands between its first and last quote as it is.
func TestTheCommandLineOfCmd(t *testing.T) {
	t.Parallel()
	const cmd = `C:\Windows\System32\cmd.exe`
	for command, want := range map[string]string{
		`dir`:                         `cmd.exe /d /s /c "dir"`,
		`echo "a b" & type "c d.txt"`: `cmd.exe /d /s /c "echo "a b" & type "c d.txt""`,
		`"C:\Program Files\x.exe" /y`: `cmd.exe /d /s /c ""C:\Program Files\x.exe" /y"`,
		`echo \"`:                     `cmd.exe /d /s /c "echo \""`,
		``:                            `cmd.exe /d /s /c ""`,
	} {
		if got := cmdLine([]string{cmd, "/d", "/s", "/c", command}); got != want {
			t.Errorf("%s\n got %s\nwant %s", command, got, want)
		}
	}
	for _, argv := range [][]string{{"bash", "-c", "x"}, {cmd, "/k", "a", "b", "c"}, {`C:\x\notcmd.exe`, "/d", "/s", "/c", "x"}, {cmd}, nil} {
		if got := cmdLine(argv); got != "" {
			t.Errorf("%q is given the rules of cmd.exe: %s", argv, got)
		}
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

package proc

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func shellArgv(command string) []string {
	if s := os.Getenv("SHELL"); s != "" && knownShell(s) {
		if found, err := exec.LookPath(s); err == nil {
			return []string{found, "-c", command}
		}
	}
	// The bash of the system folder starts another system (WSL) with other
	// paths; the one of Git for Windows is what scripts expect.
	system := os.Getenv("SystemRoot")
	if found, err := exec.LookPath("bash"); err == nil && !strings.HasPrefix(strings.ToLower(found), strings.ToLower(system)) {
		return []string{found, "-c", command}
	}
	for _, dir := range []string{os.Getenv("ProgramFiles"), os.Getenv("LocalAppData")} {
		for _, below := range []string{`Git\bin\bash.exe`, `Programs\Git\bin\bash.exe`} {
			if found, err := exec.LookPath(filepath.Join(dir, below)); dir != "" && err == nil {
				return []string{found, "-c", command}
			}
		}
	}
	return []string{filepath.Join(system, "System32", "cmd.exe"), "/d", "/s", "/c", command}
}

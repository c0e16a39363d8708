//go:build unix

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// breaking says, to a run of this test's binary, that it shall break down.
const breaking = "ASSENT_TEST_BREAKS"

// A panic ends the program with exit code 1, one line that names the report,
// and no trace on the screen.
func TestABreakdownLeavesAReport(t *testing.T) {
	if os.Getenv(breaking) != "" {
		os.Exit(func() (code int) {
			defer rescue(&code)
			panic("broken inside")
		}())
	}
	t.Parallel()
	home := t.TempDir()
	self, err := os.Executable()
	check(t, err)
	cmd := exec.Command(self, "-test.run", "^TestABreakdownLeavesAReport$")
	cmd.Env = []string{breaking + "=1", "HOME=" + home, "ASSENT_HOME=" + home}
	fault, err := cmd.StderrPipe()
	check(t, err)
	check(t, cmd.Start())
	said, _ := io.ReadAll(fault)
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 || strings.Count(string(said), "\n") != 1 {
		t.Errorf("exit %d, said %q", code, said)
	}
	var reports []string
	check(t, filepath.WalkDir(home, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			reports = append(reports, name)
		}
		return err
	}))
	if len(reports) != 1 || !strings.Contains(string(said), reports[0]) {
		t.Fatalf("reports %q, said %q", reports, said)
	}
	text, err := os.ReadFile(reports[0])
	check(t, err)
	if !strings.Contains(string(text), "broken inside") || !strings.Contains(string(text), "crash_test.go") {
		t.Errorf("the report says %s", text)
	}
}

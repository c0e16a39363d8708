//go:build unix

package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// breaking says, to a run of this test's binary, that it shall break down.
const breaking = "ASSENT_TEST_BREAKS"

// configured is a key that only the config of the run says.
const configured = "a-key-of-no-known-shape"

// A panic ends the program with exit code 1, one line that names the report,
// and no trace on the screen.
func TestABreakdownLeavesAReport(t *testing.T) {
	if os.Getenv(breaking) != "" {
		os.Exit(func() (code int) {
			c := &cli{version: version, in: os.Stdin, out: io.Discard, err: io.Discard, env: os.LookupEnv}
			defer rescue(&code, c)
			if err := c.execute(context.Background(), []string{"doctor"}); err != nil {
				return 3
			}
			panic("broken inside, with " + configured)
		}())
	}
	t.Parallel()
	home := t.TempDir()
	self, err := os.Executable()
	check(t, err)
	check(t, os.WriteFile(filepath.Join(home, "config.json"), []byte(`{"apiKey":"`+configured+`"}`), 0o600))
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
		if err == nil && filepath.Ext(name) == ".txt" {
			reports = append(reports, name)
		}
		return err
	}))
	if len(reports) != 1 || !strings.Contains(string(said), reports[0]) {
		t.Fatalf("reports %q, said %q", reports, said)
	}
	text, err := os.ReadFile(reports[0])
	check(t, err)
	if strings.Contains(string(text)+string(said), configured) {
		t.Errorf("the key of the config is in what was said %s or in the report %s", said, text)
	}
	if !strings.Contains(string(text), "broken inside") || !strings.Contains(string(text), "crash_test.go") {
		t.Errorf("the report says %s", text)
	}
}

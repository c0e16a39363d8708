//go:build unix

package main

import (
	"os"
	"os/exec"
	"testing"
)

// The demo does not say that it mended what the user did not let it touch.
func TestTheDemoOfWhoDenies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), named(t, dir), "demo")
	cmd.Dir = dir
	cmd.Env = append([]string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + dir}, terminal...)
	g := behind(t, cmd, 100, 40)
	g.answer("n", "sh test.sh")
	g.answer("n", "allow edit_file", "till.sh")
	g.see("guard refused", "allow bash", ask)
	g.answer("n", "sh test.sh")
	g.see("not all of it was allowed")
	g.ready()
	g.lose("All four tests pass")
	if code := g.leave(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

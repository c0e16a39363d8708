package wholetest

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"testing"
	"time"
)

// alone is the variable that tells a process that it runs one test only.
const alone = "WHOLETEST_ALONE"

// Alone reports whether this process runs nothing but this test. Where it does
// not, it runs the test in a process of its own, fails as that fails, and the
// test has nothing more to do:
//
//	if !wholetest.Alone(t) {
//		return
//	}
func Alone(t *testing.T) bool {
	t.Helper()
	if os.Getenv(alone) != "" {
		return true
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, "-test.run=^"+regexp.QuoteMeta(t.Name())+"$", "-test.v")
	cmd.Env = append(os.Environ(), alone+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

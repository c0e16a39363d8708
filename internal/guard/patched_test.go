package guard_test

import (
	"strings"
	"testing"

	"assent/internal/guard"
	"assent/internal/policy"
	"assent/internal/shell"
)

// TestPatchBehindDecoys covers a file that a patch names behind hundreds of
// lines that look like headers, which patch passes over.
func TestPatchBehindDecoys(t *testing.T) {
	t.Parallel()
	for _, decoy := range []string{"--- x\n", "--- x\n+++ y\n", "> --- x\n", "  +++ x\n", "Index: x\n", "diff --git a/x b/x\n"} {
		text := strings.Repeat(decoy, 400) + "--- a/y\n+++ b/.git/hooks/pre-commit\n@@ -0,0 +1 @@\n+x\n"
		plan := policy.ShellPlan("patch -p1 <<'E'\n"+text+"E", shell.Options{})
		if r := guard.Check(guard.Builtin(guard.Options{}), guard.Call{Tool: "bash", Effect: policy.Exec, Plan: plan, Paths: disk}); r == nil {
			t.Errorf("%q: the hook behind it is not seen", decoy)
		}
	}
}

package app

import (
	"fmt"
	"strings"
	"testing"
)

// The output of git is text that may speak of failures: it is cut in its middle,
// where that of a command is sifted for them.
func TestGitIsNotSifted(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "+plain %d\n", i)
		if i%500 == 0 {
			fmt.Fprintf(&b, "FAIL: test %d\n", i)
		}
	}
	for tool, sifted := range map[string]bool{"git": false, "bash": true} {
		got, cut := shorten(tool)(b.String(), "git_show")
		if !cut || (strings.Count(got, " cut]") > 1) != sifted {
			t.Errorf("%s: %d gaps", tool, strings.Count(got, " cut]"))
		}
	}
}

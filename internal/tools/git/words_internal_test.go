package git

import (
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// FuzzPorcelain: each file that git says is changed is one line with its code
// and its name, whatever the name holds.
func FuzzPorcelain(f *testing.F) {
	f.Add("## main...origin/main [ahead 1]\x00 M a b\x00R  new\x00old\x00?? \"x\"\x00")
	f.Add("?? a\nbranch evil\x00")
	f.Add("C  only\x00")
	f.Add("\x00\x00?? \x00")
	f.Fuzz(func(t *testing.T, z string) {
		if strings.Contains(z, " -> ") {
			return // the line would have to be read like a person does
		}
		text, changed := porcelain(z)
		files := 0
		for line := range strings.Lines(text) {
			line, ended := strings.CutSuffix(line, "\n")
			if !ended || strings.ContainsFunc(line, unicode.IsControl) {
				t.Fatalf("%q holds %q", text, line)
			}
			branch, isBranch := strings.CutPrefix(line, "branch ")
			if isBranch && (strings.Contains(z, "## "+branch) || strings.HasPrefix(branch, `"`)) {
				continue
			}
			files++
			for _, name := range strings.Split(line[min(3, len(line)):], " -> ") {
				if strings.HasPrefix(name, `"`) {
					if plain, err := strconv.Unquote(name); err == nil {
						name = plain
					}
				}
				if !strings.Contains(z, name) {
					t.Fatalf("%q is no name in %q", name, z)
				}
			}
		}
		if files != changed {
			t.Fatalf("%d changed files on %d lines of %q", changed, files, text)
		}
	})
}

// FuzzPlain: a message out of a fence is a part of what the model said, without
// blanks around it.
func FuzzPlain(f *testing.F) {
	for _, s := range []string{"```\nFix it\n```", "```text\nFix it\n\nWhy.\n```\n", "Fix it", "```", "```\n```", " ```x``` "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := plain(text)
		if !strings.Contains(text, got) || got != strings.TrimSpace(got) {
			t.Fatalf("%q is %q", text, got)
		}
	})
}

// TestStatusOfOddNames: a name cannot look like another line.
func TestStatusOfOddNames(t *testing.T) {
	t.Parallel()
	text, n := porcelain("?? a\nbranch evil\x00 M b\x00R  \"c\x00d\te\x00")
	if want := "?? \"a\\nbranch evil\"\n M b\nR  \"d\\te\" -> \"\\\"c\"\n"; text != want || n != 3 {
		t.Errorf("%d: %s", n, text)
	}
}

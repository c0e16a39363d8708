package screen

import (
	"strings"
	"testing"
)

// What is asked for and not there is answered with what there is.
func TestWhatThereIsInsteadOfACommand(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"undo":         "There is no command /undo. Nearest: /diff (what changed since the last commit).",
		"compact":      "/context",
		"mcp":          "/tools",
		"quit":         "/exit",
		"perm":         "/permissions",
		"sesions":      "; did you mean /sessions (",
		"hlep":         "/help",
		"todos":        "in this version; /help lists the commands.",
		"frobnicate":   "There is no command /frobnicate; /help lists the commands.",
		"answer:again": "in this version",
	} {
		if got := unknown(name); !strings.Contains(got, want) {
			t.Errorf("/%s: %q, want %q", name, got, want)
		}
	}
}

// The table is of what is not there, and names what is.
func TestCommandsWithAnotherInsteadAreNone(t *testing.T) {
	t.Parallel()
	for name, other := range instead {
		if _, there := find(name); there {
			t.Errorf("/%s is there: take it off the table", name)
		}
		if _, there := find(other); !there && other != "" {
			t.Errorf("/%s names /%s, which is not there", name, other)
		}
		if _, _, ok := Parse("/" + name); !ok {
			t.Errorf("/%s does not parse", name)
		}
	}
}

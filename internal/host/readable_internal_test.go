package host

import (
	"errors"
	"strings"
	"testing"

	"assent/internal/gate"
	"assent/internal/policy"
)

// A change that is too long to be read is cut at a line, and says how much of it
// is not shown; a command is shown whole, however long.
func TestHowLongAnApprovalIs(t *testing.T) {
	t.Parallel()
	same := func(s string) string { return s }
	line := "+" + strings.Repeat("x", 9) + "\n"
	for name, c := range map[string]struct {
		effect policy.Effect
		detail string
		ends   string // empty: it is shown whole
	}{
		"a usual change":     {policy.Write, "@@ -1 +1 @@\n" + line, ""},
		"as many as can be":  {policy.Write, strings.Repeat(line, mostLines), ""},
		"one more":           {policy.Write, strings.Repeat(line, mostLines+1), "\n\\ 1 more line (1 KB) is not shown"},
		"many more":          {policy.Write, strings.Repeat(line, mostLines+6000), "\n\\ 6000 more lines (65 KB) are not shown"},
		"without an end":     {policy.Write, strings.Repeat(line, mostLines+2) + "+y", "\n\\ 3 more lines ("},
		"long lines":         {policy.Write, strings.Repeat("+"+strings.Repeat("x", mostBytes/4)+"\n", 8), "\n\\ 5 more lines ("},
		"one endless line":   {policy.Write, "+" + strings.Repeat("x", mostBytes) + "\n", "\\ 1 more line (513 KB)"},
		"a very long script": {policy.Exec, strings.Repeat("echo\n", 2*mostLines), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kept := ""
			a := Approvals{mask: same, keep: func(text string) (string, error) { kept = text; return "/kept/approval.diff", nil }}
			e := a.approval("1", gate.Prompt{Request: gate.Request{Effect: c.effect, Detail: c.detail}})
			got := e.Detail
			if c.ends == "" {
				if got != c.detail || e.Hidden != "" || kept != "" {
					t.Errorf("%d bytes of %d are shown, hidden %q", len(got), len(c.detail), e.Hidden)
				}
				return
			}
			if kept != c.detail || !strings.Contains(e.Hidden, "more line") || !strings.HasSuffix(e.Hidden, ": /kept/approval.diff") {
				t.Errorf("%d bytes of %d can be read, it says %q", len(kept), len(c.detail), e.Hidden)
			}
			i := strings.LastIndex(got, "\\ ")
			if i < 0 || !strings.HasPrefix(c.detail, got[:i]) || !strings.Contains(got, c.ends) || len(got) > mostBytes+200 {
				t.Errorf("%d bytes are shown and end in %q", len(got), got[max(0, len(got)-100):])
			}
		})
	}
}

// What is not shown and cannot be read elsewhere either is not to be allowed, and
// the question says so.
func TestAChangeThatCannotBeRead(t *testing.T) {
	t.Parallel()
	long := gate.Prompt{Request: gate.Request{Effect: policy.Write, Detail: strings.Repeat("+x\n", mostLines+1)}}
	for name, keep := range map[string]func(string) (string, error){
		"nowhere to store it": nil,
		"no room":             func(string) (string, error) { return "", errors.New("disk full, my hunter2") },
	} {
		a := Approvals{keep: keep, mask: func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") }}
		got := a.approval("1", long).Hidden
		if !strings.Contains(got, "1 more line") || !strings.Contains(got, "deny it") || strings.Contains(got, "hunter2") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

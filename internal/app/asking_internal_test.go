package app

import (
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/host"
)

// Who is asked about an edit sees what it makes of the file, or that it would
// fail; of a file that may not be read only what the call says.
func TestAnEditIsAskedAboutInItsPlace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, call string
		exact      bool
		detail     []string
		reason     string
	}{
		{"in place", `{"name":"edit_file","input":{"path":"sub/deep/a.txt","old_string":"three","new_string":"drei"}}`, true, []string{"@@ -1,4 +1,4 @@", " one\n", "-three\n", "+drei\n"}, "default"},
		{"what is replaced", `{"name":"write_file","input":{"path":"main.go","content":"package main\n"}}`, true, []string{"-func main() {}\n"}, "default"},
		{"new file", `{"name":"write_file","input":{"path":"new.txt","content":"x\n"}}`, false, []string{"+x\n"}, "default"},
		{"would fail", `{"name":"edit_file","input":{"path":"main.go","old_string":"nowhere","new_string":"x"}}`, false, []string{"-nowhere\n"}, "this call would fail: main.go: the text to replace is not in it"},
		{"not to be read", `{"name":"edit_file","input":{"path":"denied/b.txt","old_string":"cre","new_string":"x"}}`, false, []string{"-cre\n"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := project(t)
			h := w.open(w.script(`{"calls":[`+tt.call+`]}`, `{"text":"done"}`))
			c := h.Events()
			defer c.Close()
			do(t, h, host.Submit{Text: "go"})
			a, _ := waitFor[event.Approval](t, c)
			if a.Exact != tt.exact || !strings.Contains(a.Reason, tt.reason) {
				t.Errorf("asked %+v", a)
			}
			for _, part := range tt.detail {
				if !strings.Contains(a.Detail, part) {
					t.Errorf("%q lacks %q", a.Detail, part)
				}
			}
			if strings.Contains(a.Detail, "secret") {
				t.Errorf("shows a secret: %q", a.Detail)
			}
			do(t, h, host.Decide{ID: a.ID, Choice: "deny"})
			waitFor[event.Done](t, c)
		})
	}
}

package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/llm"
)

// Who is asked about a change of files sees what it makes of them as they are.
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
		{"new file", `{"name":"write_file","input":{"path":"new.txt","content":"x\n"}}`, true, []string{"@@ -0,0 +1 @@", "+x\n"}, "default"},
		{"several edits", `{"name":"multi_edit","input":{"path":"main.go","edits":[{"old_string":"main\n","new_string":"other\n"},{"old_string":"{}","new_string":"{ }"}]}}`, true, []string{"-package main\n", "+func main() { }\n"}, "default"},
		{
			"a patch of several files",
			`{"name":"apply_patch","input":{"patch":"*** Begin Patch\n*** Update File: main.go\n@@\n-func main() {}\n+func main() { }\n*** Update File: sub/deep/a.txt\n@@\n three\n-four\n+vier\n*** Add File: new.txt\n+x\n*** End Patch"}}`,
			true,
			[]string{"--- a/main.go\n", "@@ -1,3 +1,3 @@\n package main\n", "--- a/sub/deep/a.txt\n", "@@ -1,4 +1,4 @@\n one\n", "+vier\n", "new.txt\n", "+x\n"},
			"default",
		},
		{
			"a patch that deletes what may not be read",
			`{"name":"apply_patch","input":{"patch":"*** Begin Patch\n*** Update File: main.go\n@@\n-func main() {}\n+func main() { }\n*** Delete File: keys/server.pem\n*** End Patch"}}`,
			true,
			[]string{"+func main() { }\n", "\\ D keys/server.pem\n"},
			"default",
		},
		{"what may not be read", `{"name":"write_file","input":{"path":"denied/b.txt","content":"x\n"}}`, false, []string{"+x\n"}, "default"},
		{
			"would fail, and reading asks", `{"name":"edit_file","input":{"path":"sub/deep/a.txt","old_string":"thref","new_string":"drei"}}`,
			false,
			[]string{"-thref\n"},
			"this call would fail: sub/deep/a.txt: old_string not found",
		},
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

// A call that is certain to fail bothers nobody: the model gets the error that
// the call would have given, or that the file is not to be read. Nothing of a
// file that may not be read is in it.
func TestWhatIsCertainToFailIsNotAsked(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, call, want string }{
		{"not found", `{"name":"edit_file","input":{"path":"main.go","old_string":"nowhere","new_string":"x"}}`, "main.go: old_string not found"},
		{"not unique", `{"name":"edit_file","input":{"path":"main.go","old_string":"main","new_string":"x"}}`, "add lines around it to make it unique"},
		{"no such file", `{"name":"edit_file","input":{"path":"gone.go","old_string":"main","new_string":"x"}}`, "gone.go: no such file"},
		{"one of several", `{"name":"multi_edit","input":{"path":"main.go","edits":[{"old_string":"func","new_string":"x"},{"old_string":"func","new_string":"y"}]}}`, "edit 2 of 2 in main.go"},
		{"a folder", `{"name":"write_file","input":{"path":".assent","content":"x"}}`, ".assent is a directory"},
		{"below a file", `{"name":"write_file","input":{"path":"main.go/x","content":"x"}}`, "main.go"},
		{"as it is", `{"name":"write_file","input":{"path":"main.go","content":"package main\n\nfunc main() {}\n"}}`, "holds exactly this already"},
		{"changed since it was read", `{"name":"read_file","input":{"path":"main.go"}},{"name":"bash","input":{"command":"sh change.sh"}},{"name":"write_file","input":{"path":"main.go","content":"x"}}`, "main.go changed since you read it"},
		{"a patch that does not fit", `{"name":"apply_patch","input":{"patch":"*** Begin Patch\n*** Add File: new.txt\n+x\n*** Update File: main.go\n@@\n-nowhere\n+x\n*** End Patch"}}`, "nothing was changed"},
		{"a patch that is none", `{"name":"apply_patch","input":{"patch":"*** Begin Patch\n*** Frob: main.go\n*** End Patch"}}`, "nothing was changed"},
		{"a move onto a file", `{"name":"move_file","input":{"from":"main.go","to":".gitignore"}}`, ".gitignore exists already"},
		{"a move of nothing", `{"name":"move_file","input":{"from":"gone.go","to":"new.go"}}`, "gone.go: no such file"},
		{"a removal of a folder", `{"name":"delete_file","input":{"path":".assent"}}`, ".assent is a directory"},
		{"what may not be read", `{"name":"edit_file","input":{"path":"denied/b.txt","old_string":"sekret","new_string":"x"}}`, "denied"},
		{"whether it is there", `{"name":"edit_file","input":{"path":"denied/none.txt","old_string":"sekret","new_string":"x"}}`, "denied"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := project(t)
			w.write("change.sh", "echo >>main.go\n")
			f := w.script(`{"calls":[`+tt.call+`]}`, `{"text":"done"}`)
			f.Allow = []string{"bash"}
			h := w.open(f)
			c := h.Events()
			defer c.Close()
			do(t, h, host.Submit{Text: "go"})
			var failed []event.ToolError
			for done := false; !done; {
				news, err := c.Next(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range news {
					switch e := e.(type) {
					case event.Approval:
						t.Errorf("asked %+v", e)
						do(t, h, host.Decide{ID: e.ID, Choice: "deny"})
					case event.ToolError:
						failed = append(failed, e)
					case event.Done:
						done = true
					default:
					}
				}
			}
			if len(failed) != 1 || failed[0].Status != llm.StatusError || !strings.Contains(failed[0].Error, tt.want) || strings.Contains(failed[0].Error, "secret") {
				t.Errorf("got %+v, want one error with %q", failed, tt.want)
			}
			text, err := os.ReadFile(filepath.Join(w.root, "main.go"))
			if _, made := os.Stat(filepath.Join(w.root, "new.txt")); err != nil || !strings.Contains(string(text), "func main") || made == nil {
				t.Errorf("it changed something: %q, %v", text, err)
			}
		})
	}
}

// A rule that refuses a call comes before what the call would come to.
func TestARefusalComesBeforeTheTrial(t *testing.T) {
	t.Parallel()
	w := project(t)
	w.config(`{"permission":{"edit_file":{"main.go":"deny"}}}`)
	h := w.open(w.script(`{"calls":[{"name":"edit_file","input":{"path":"main.go","old_string":"nowhere","new_string":"x"}}]}`, `{"text":"done"}`))
	c := h.Events()
	defer c.Close()
	do(t, h, host.Submit{Text: "go"})
	_, all := waitFor[event.Done](t, c)
	var denied event.ToolDenied
	for _, e := range all {
		if d, ok := e.(event.ToolDenied); ok {
			denied = d
		}
	}
	if denied.By != "rule" || strings.Contains(denied.Reason, "old_string") {
		t.Errorf("denied %+v", denied)
	}
}

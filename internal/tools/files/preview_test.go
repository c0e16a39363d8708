package files_test

import (
	"encoding/json"
	"strings"
	"testing"

	"assent/internal/tools/files"
)

// The pieces of an edit are no files: what is shown of them says nothing of the
// end of a file.
func TestPreviewOfAnEdit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, old, new, want string }{
		{"within a line", "c", "C", "-c\n+C\n"},
		{"whole lines", "a\nb\n", "a\nc\n", " a\n-b\n+c\n"},
		{"a line goes", "b\n", "", "-b\n"},
		{"a piece goes", "b", "", "-b\n+\n"},
		{"a line end goes", "b\n", "b", " b\n-\n"},
		{"a line end comes", "b", "b\n", " b\n+\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for name, input := range map[string]args{
				"edit_file":  {"path": "f", "old_string": tt.old, "new_string": tt.new},
				"multi_edit": {"path": "f", "edits": []args{{"old_string": tt.old, "new_string": tt.new}}},
			} {
				tool, _ := files.Tools().Find(name)
				p, err := tool.Prepare("1", must(json.Marshal(input)))
				if err != nil {
					t.Fatal(err)
				}
				_, body, _ := strings.Cut(p.Request().Detail, "@@\n")
				if body != tt.want {
					t.Errorf("%s: got %q, want %q", name, body, tt.want)
				}
			}
		})
	}
}

package files_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"assent/internal/tools/files"
)

// What the user is shown of an edit is what it makes of the file.
func TestShown(t *testing.T) {
	t.Parallel()
	const file = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"
	tests := []struct {
		name, tool, input string
		diff              []string // parts of it
		err               string
	}{
		{"edit", "edit_file", `{"path":"a","old_string":"ix","new_string":"IX"}`, []string{"@@ -3,5 +3,5 @@", " three\n", "-six\n", "+sIX\n"}, ""},
		{"several", "multi_edit", `{"path":"a","edits":[{"old_string":"one","new_string":"1"},{"old_string":"1","new_string":"uno"}]}`, []string{"-one\n", "+uno\n"}, ""},
		{"write", "write_file", `{"path":"a","content":"one\n"}`, []string{" one\n", "-two\n"}, ""},
		{"not there", "edit_file", `{"path":"a","old_string":"zzz","new_string":"y"}`, nil, "a: the text to replace is not in it"},
		{"second not there", "multi_edit", `{"path":"a","edits":[{"old_string":"one","new_string":"1"},{"old_string":"one","new_string":"2"}]}`, nil, "edit 2 of 2 in a: the text"},
		{"more than one", "edit_file", `{"path":"a","old_string":"e","new_string":"y"}`, nil, "a: "},
		{"no change", "write_file", `{"path":"a","content":"one\ntwo\nthree\nfour\nfive\nsix\nseven\n"}`, nil, "would be as it is"},
		{"new file", "write_file", `{"path":"new","content":"x"}`, nil, ""},
		{"another tool", "bash", `{"command":"ls"}`, nil, ""},
		{"no object", "edit_file", `[]`, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			diff, err := files.Shown(tt.tool, json.RawMessage(tt.input), func(path string) ([]byte, error) {
				if path != "a" {
					return nil, errors.New("no such file")
				}
				return []byte(file), nil
			})
			if (tt.err == "") != (err == nil) || err != nil && (!strings.Contains(err.Error(), tt.err) || strings.Contains(err.Error(), "\n")) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
			if (diff == "") != (tt.diff == nil) {
				t.Errorf("diff %q", diff)
			}
			for _, part := range tt.diff {
				if !strings.Contains(diff, part) {
					t.Errorf("%q lacks %q", diff, part)
				}
			}
		})
	}
}

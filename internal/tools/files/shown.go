package files

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"assent/internal/edit"
	"assent/internal/workspace"
)

// Shown is what a call that edits a file would make of the file as it is now, as
// a diff for the person who decides: with real line numbers, and what is around
// them. The error says in one line why the call would fail. Neither means that
// nothing is known: another tool, a file that is new or cannot be read.
func Shown(tool string, input json.RawMessage, read func(path string) ([]byte, error)) (diff string, err error) {
	var in struct {
		multiInput
		change
		Content string `json:"content"`
	}
	if json.Unmarshal(input, &in) != nil {
		return "", nil //nolint:nilerr // no arguments of these tools
	}
	edits := in.Edits
	switch tool {
	case "edit_file":
		edits = []change{in.change}
	case "multi_edit", "write_file":
	default:
		return "", nil
	}
	data, err := read(in.Path)
	if err != nil {
		return "", nil //nolint:nilerr // what cannot be read is not known
	}
	text, err := workspace.Decode(data)
	if err != nil {
		return "", nil //nolint:nilerr // the call says it, if it is made
	}
	content := text.Content
	if tool == "write_file" {
		content = like(text, in.Content)
	}
	for i, e := range edits {
		content, _, err = edit.Replace(content, edit.Edit{Old: e.Old, New: e.New, All: e.All, Normal: normal})
		if err != nil {
			return "", fails(in.Path, i, len(edits), err)
		}
	}
	if content == text.Content {
		return "", fmt.Errorf("%s would be as it is", in.Path)
	}
	return edit.Diff(in.Path, text.Content, content), nil
}

// fails says in one line why an edit cannot be made.
func fails(path string, i, n int, err error) error {
	what := path
	if n > 1 {
		what = fmt.Sprintf("edit %d of %d in %s", i+1, n, path)
	}
	if _, ok := errors.AsType[*edit.NotFoundError](err); ok {
		return fmt.Errorf("%s: the text to replace is not in it", what)
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Errorf("%s: %s", what, first)
}

package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"assent/internal/amount"
	"assent/internal/edit"
	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/tool"
	"assent/internal/workspace"
)

type change struct {
	Old string `json:"old_string" jsonschema:"exactly as in the file"`
	New string `json:"new_string"`
	All bool   `json:"replace_all,omitempty"`
}

type editInput struct {
	Path string `json:"path"`
	Old  string `json:"old_string"  jsonschema:"exactly as in the file"`
	New  string `json:"new_string"`
	All  bool   `json:"replace_all,omitempty"`
}

type multiInput struct {
	Path  string   `json:"path"`
	Edits []change `json:"edits" jsonschema:"the edits, made one after the other"`
}

func (t tools) editFile() tool.Tool {
	return tool.Define(tool.Definition{
		Name: "edit_file", Effect: policy.Write, Set: tool.Core,
		Description: "Replace a piece of text in a file. It must occur exactly once unless replace_all is set. Send it without the line numbers of read_file.",
		Title:       "path",
		Detail: func(input json.RawMessage) string {
			var in editInput
			_ = json.Unmarshal(input, &in) // checked already
			return preview(in.Path, in.Old, in.New)
		},
	}, func(in editInput) policy.Plan {
		p := touch(policy.AccessWrite, in.Path)
		p.Content = []string{in.New}
		return p
	}, func(ctx context.Context, h gate.Hands, in editInput) (tool.Result, error) {
		return t.edit(ctx, h, in.Path, []change{{in.Old, in.New, in.All}}, false)
	})
}

func (t tools) multiEdit() tool.Tool {
	return tool.Define(tool.Definition{
		Name: "multi_edit", Effect: policy.Write, Set: tool.EditPlus,
		Description: "Make several edits of one file, in order, all or none. Each works on what the ones before it left, by the rules of edit_file.",
		Title:       "path",
		Bounds:      map[string]tool.Bound{"edits": {Min: 1}},
		Detail: func(input json.RawMessage) string {
			var in multiInput
			_ = json.Unmarshal(input, &in) // checked already
			var b strings.Builder
			for _, e := range in.Edits {
				b.WriteString(preview(in.Path, e.Old, e.New))
			}
			return b.String()
		},
	}, func(in multiInput) policy.Plan {
		p := touch(policy.AccessWrite, in.Path)
		for _, e := range in.Edits {
			p.Content = append(p.Content, e.New)
		}
		return p
	}, func(ctx context.Context, h gate.Hands, in multiInput) (tool.Result, error) {
		return t.edit(ctx, h, in.Path, in.Edits, true)
	})
}

// preview is an edit as a diff of its pieces. A piece that ends within a line
// is written as whole lines: it is no file, so nothing can be said of the line
// end of one.
func preview(path, old, text string) string {
	whole := func(s string) bool { return s == "" || strings.HasSuffix(s, "\n") }
	if !whole(old) || !whole(text) {
		old, text = old+"\n", text+"\n"
	}
	return edit.Diff(path, old, text)
}

// edit makes edits of one file, all or none. An edit names the text that it
// replaces, so when another program changed the file meanwhile it is made again
// on what is there now.
func (t tools) edit(ctx context.Context, h gate.Hands, path string, edits []change, many bool) (r tool.Result, err error) {
	leave, err := t.turn(ctx)
	if err != nil {
		return r, err
	}
	defer leave()
	for range 4 {
		if r, err = t.editOnce(h, path, edits, many); !errors.Is(err, workspace.ErrMeanwhile) {
			break
		}
	}
	return r, err
}

func (t tools) editOnce(h gate.Hands, path string, edits []change, many bool) (tool.Result, error) {
	d, err := t.open(h, path)
	if err != nil {
		return tool.Result{}, err
	}
	content := d.text.Content
	var how, warnings []string
	count := 0
	for i, e := range edits {
		text, m, err := edit.Replace(content, edit.Edit{Old: e.Old, New: e.New, All: e.All, Normal: normal})
		if err != nil {
			what := path
			if many {
				what = fmt.Sprintf("edit %d of %d in %s (none were applied)", i+1, len(edits), path)
			}
			return tool.Result{}, refusal(what, err, d)
		}
		content, count = text, count+m.Count
		how = append(how, matched(i, many, m))
		if warning := collapsed(e.Old, e.New); warning != "" {
			warnings = append(warnings, warning)
		}
	}
	if content == d.text.Content {
		return tool.Result{}, fmt.Errorf("%s: the edits undo each other; nothing was written", path)
	}
	if err := t.save(h, path, d, content); err != nil {
		return tool.Result{}, err
	}
	first := fmt.Sprintf("Edited %s: %s, %s.", path, amount.Of(count, "replacement"), strings.Join(how, "; "))
	more := append(notes(path, d.File), warnings...)
	if d.stale {
		more = append(more, "The file had moved on since you read it; the text was still there and was replaced in the new version."+changed(d, ""))
	}
	return tool.Result{
		Output:  join(first, more, snippet(content, edit.Changed(d.text.Content, content))),
		Summary: amount.Of(count, "replacement"), Diff: edit.Diff(path, d.text.Content, content),
	}, nil
}

// matched says where and how an edit matched.
func matched(i int, many bool, m edit.Match) string {
	s := "at " + edit.Lines(m.Lines) + ", " + tier(m.Tier)
	if many {
		s = fmt.Sprintf("edit %d %s", i+1, s)
	}
	if m.Stripped {
		s += ", after taking off the line numbers of the read view"
	}
	return s
}

// tier says how tolerant a match was.
func tier(name string) string {
	switch name {
	case edit.Exact:
		return "exact match"
	case edit.Unicode:
		return "tolerant match (quotes, dashes, blanks or normal forms differ)"
	case edit.Indentation:
		return "tolerant match (indentation differs; what was inserted stands as you sent it)"
	default:
		return "tolerant match (" + name + " differ)"
	}
}

// refusal words a failed edit, with what to do next.
func refusal(what string, err error, d document) error {
	hint := ""
	if _, ok := errors.AsType[*edit.AmbiguousError](err); ok {
		hint = "; add lines around it to make it unique, or set replace_all"
		return fmt.Errorf("%s: old_string %w%s", what, err, hint)
	}
	if e, ok := errors.AsType[*edit.NotFoundError](err); ok {
		if d.stale {
			hint = "\nThe file changed since you read it." + changed(d, "")
		} else if e.Line > 0 {
			hint = "\nSend old_string exactly as the file has it."
		} else {
			hint = "; read the file again"
		}
		return fmt.Errorf("%s: old_string %w%s", what, err, hint)
	}
	switch {
	case errors.Is(err, edit.ErrEmpty):
		hint = "; name the text to replace, or write the whole file with write_file"
	case errors.Is(err, edit.ErrSame):
		hint = "; nothing was written"
	}
	return fmt.Errorf("%s: %w%s", what, err, hint)
}

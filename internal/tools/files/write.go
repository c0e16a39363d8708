package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"assent/internal/amount"
	"assent/internal/edit"
	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/tool"
	"assent/internal/workspace"
)

type writeInput struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

func (t tools) writeFile() tool.Tool {
	return tool.Define(tool.Definition{
		Name: "write_file", Effect: policy.Write, Set: tool.Core,
		Description: "Create a file, or replace all of one; folders are made. To change part of a file use edit_file.",
		Title:       "path",
		Detail: func(input json.RawMessage) string {
			var in writeInput
			_ = json.Unmarshal(input, &in) // checked already
			return edit.Diff(in.Path, "", in.Content)
		},
	}, func(in writeInput) policy.Plan {
		p := touch(policy.AccessWrite, in.Path)
		p.Content = []string{in.Content}
		return p
	}, func(ctx context.Context, h gate.Hands, in writeInput) (tool.Result, error) {
		return t.write(ctx, h, in)
	})
}

func (t tools) write(ctx context.Context, h gate.Hands, in writeInput) (tool.Result, error) {
	leave, err := t.turn(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	defer leave()
	old, err := t.existing(h, in.Path)
	if _, unread := errors.AsType[*gate.DeniedError](err); unread {
		return t.writeUnread(h, in)
	}
	if err != nil {
		return tool.Result{}, err
	}
	if old == nil {
		if err := t.put(in, func(data []byte) error { return h.Replace(in.Path, data, 0, nil) }); err != nil {
			return tool.Result{}, err
		}
		n := amount.Of(lineCount(in.Content), "line")
		return tool.Result{
			Output:  fmt.Sprintf("Created %s (%s, %s).", in.Path, n, amount.Of(len(in.Content), "byte")),
			Summary: "created, " + n, Diff: edit.Diff(in.Path, "", in.Content),
		}, nil
	}
	if old.stale {
		return tool.Result{}, fmt.Errorf("%s changed since you read it, so it was not replaced.%s\nRead it again and write it with those changes, or change parts of it with edit_file", in.Path, changed(*old, in.Content))
	}
	content := like(old.text, in.Content)
	if content == old.text.Content {
		return tool.Result{Output: in.Path + " holds exactly this already; nothing was written.", Summary: "unchanged"}, nil
	}
	if err := t.save(h, in.Path, *old, content); err != nil {
		return tool.Result{}, err
	}
	inserted, removed := edit.Stat(old.text.Content, content)
	first := fmt.Sprintf("Replaced the content of %s (%s, %s; +%d -%d lines).", in.Path, amount.Of(lineCount(content), "line"), amount.Of(len(content), "byte"), inserted, removed)
	more := notes(in.Path, old.File)
	if old.text.Encoding != workspace.UTF8 || old.text.BOM || old.text.EOL != "\n" && !strings.Contains(in.Content, "\r\n") {
		more = append(more, "It keeps how it was stored: "+stored(old.text)+".")
	}
	if warning := collapsed(old.text.Content, content); warning != "" {
		more = append(more, warning)
	}
	return tool.Result{
		Output: join(first, more, ""), Summary: fmt.Sprintf("+%d -%d", inserted, removed),
		Diff: edit.Diff(in.Path, old.text.Content, content),
	}, nil
}

// put writes the content as it is given.
func (t tools) put(in writeInput, write func([]byte) error) error {
	data := []byte(in.Content)
	if err := write(data); err != nil {
		return explain(in.Path, err)
	}
	t.memory.put(gate.Hash(data), in.Content)
	return nil
}

// writeUnread replaces a file that may be written but not read. What it held,
// and how it was stored, is not looked at, and the result says so.
func (t tools) writeUnread(h gate.Hands, in writeInput) (tool.Result, error) {
	if err := t.put(in, func(data []byte) error { return h.Write(in.Path, data, 0) }); err != nil {
		return tool.Result{}, err
	}
	n := amount.Of(lineCount(in.Content), "line")
	return tool.Result{
		Output:  fmt.Sprintf("Replaced %s (%s, %s; it may not be read, so nothing of what it held was compared or kept).", in.Path, n, amount.Of(len(in.Content), "byte")),
		Summary: "replaced, " + n,
	}, nil
}

// existing is the file that is to be replaced; nil when there is none. The
// error is a *gate.DeniedError when it may not be read.
func (t tools) existing(h gate.Hands, path string) (*document, error) {
	d, err := t.openRaw(h, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		if _, ok := errors.AsType[*gate.DeniedError](err); ok {
			if p, lost := h.Resolve(path); lost == nil && !p.Exists {
				return nil, nil // nothing is there to be read
			}
			return nil, err
		}
		if b, ok := errors.AsType[*workspace.BinaryError](err); ok {
			return nil, fmt.Errorf("%s is %w and was left as it is; delete it first if text is to take its place", path, b)
		}
		if k, ok := errors.AsType[*workspace.KindError](err); ok && k.Kind == workspace.KindTooLarge {
			return nil, fmt.Errorf("%s is too large to be compared and kept (%s), so it was left as it is; delete it first if it is to be replaced", path, size(int(k.Size)))
		}
		return nil, explain(path, err)
	}
	return &d, nil
}

// openRaw is open with the error as the hands gave it.
func (t tools) openRaw(h gate.Hands, path string) (document, error) {
	f, err := h.Read(path, maxFile)
	if err != nil {
		return document{}, err
	}
	return t.decode(h, path, f)
}

// like gives new content the line ends and the mark of the file that it
// replaces, unless it brings its own.
func like(old workspace.Text, content string) string {
	if old.BOM {
		content = strings.TrimPrefix(content, "\uFEFF")
	}
	if old.EOL == "\r\n" && !strings.Contains(content, "\r\n") {
		return edit.WithEnds(content, old.EOL)
	}
	return content
}

// stored says how a text file is stored.
func stored(t workspace.Text) string {
	s := t.Encoding
	if t.BOM {
		s += " with a byte order mark"
	}
	if t.EOL == "\r\n" {
		s += ", CRLF line ends"
	}
	return s
}

// collapsed warns of a rewrite that has most of the text on few of the lines:
// the line breaks were lost on the way.
func collapsed(old, text string) string {
	was, is := lineCount(old), lineCount(text)
	if was < 8 || is*4 > was || len(text)*2 < len(old) {
		return ""
	}
	return fmt.Sprintf("Warning: %d lines became %d with about as much text. If line breaks were lost, write it again with them.", was, is)
}

// changed shows how a file differs from what the model saw of it, or, when
// that is forgotten, from what it wants to write.
func changed(d document, wanted string) string {
	const most = 4000
	head, diff := " Since then:\n", ""
	if d.knew {
		diff = edit.Diff("", d.was, d.text.Content)
	} else if wanted != "" {
		head, diff = " From the file as it is to what you sent:\n", edit.Diff("", d.text.Content, wanted)
	}
	if diff == "" {
		return ""
	}
	if len(diff) > most {
		diff = strings.ToValidUTF8(diff[:most], "") + "\n[the rest of the difference is left out]"
	}
	return head + strings.TrimSuffix(diff, "\n")
}

package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"assent/internal/gate"
	"assent/internal/host"
	"assent/internal/tool"
)

// expand answers what a "#" word or an "@" path stands for. Content comes
// through the tools and so through the gate: what a model may not read is not
// attached either.
func (q *answers) expand(ctx context.Context, word string) (host.Expansion, error) {
	switch {
	case word == "#diff":
		return q.changes(ctx)
	case word == "#staged":
		return q.through(ctx, "staged changes", "git_diff", map[string]any{"staged": true})
	case word == "#tree":
		return q.through(ctx, "files of the workspace", "list_dir", map[string]any{"path": ".", "depth": 3})
	case strings.HasPrefix(word, "#file:"):
		return q.file(ctx, strings.TrimPrefix(word, "#file:"))
	case strings.HasPrefix(word, "@"):
		return q.file(ctx, strings.Trim(strings.TrimPrefix(word, "@"), `"`))
	case strings.HasPrefix(word, "#"):
		return q.fragment(ctx, strings.TrimPrefix(word, "#"))
	}
	return host.Expansion{}, nil
}

// file attaches a file, or the lines FROM-TO of it.
func (q *answers) file(ctx context.Context, name string) (host.Expansion, error) {
	input := map[string]any{"path": name}
	label := name
	if path, lines, ok := cutLast(name, ":"); ok {
		if from, to, ok := lineRange(lines); ok {
			input = map[string]any{"path": path, "offset": from, "limit": to - from + 1}
			label = fmt.Sprintf("%s, lines %d to %d", path, from, to)
		}
	}
	if strings.HasSuffix(name, "/") {
		return q.through(ctx, label, "list_dir", map[string]any{"path": strings.TrimSuffix(name, "/"), "depth": 2})
	}
	return q.through(ctx, label, "read_file", input)
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// lineRange reads "10-40" or "10".
func lineRange(s string) (from, to int, ok bool) {
	first, last, both := strings.Cut(s, "-")
	from, err := strconv.Atoi(first)
	if err != nil || from < 1 {
		return 0, 0, false
	}
	if !both {
		return from, from, true
	}
	to, err = strconv.Atoi(last)
	return from, to, err == nil && to >= from
}

// admitted passes a call of a reading tool through the gate of what the user
// attaches: it is granted by that act; only a deny or a guard is not lifted.
func (q *answers) admitted(ctx context.Context, name string, input map[string]any) (tool.Planned, *gate.Grant, error) {
	text, err := json.Marshal(input)
	if err != nil {
		return tool.Planned{}, nil, err
	}
	t, _ := q.c.tools.Find(name) // none refuses every call
	planned, err := t.Prepare("expand", text)
	if err != nil {
		return tool.Planned{}, nil, err
	}
	q.c.reader.Begin()
	grant, decision := q.c.reader.Decide(ctx, planned.Request())
	if grant == nil {
		return tool.Planned{}, nil, errors.New(decision.Reason)
	}
	return planned, grant, nil
}

// unnamed is why something could not be attached, without its name before it:
// who asked says the word itself.
func unnamed(err error, input map[string]any) error {
	name, _ := input["path"].(string)
	text := err.Error()
	for _, head := range []string{"read " + name + ": ", name + ": "} {
		text = strings.TrimPrefix(text, head)
	}
	if name == "" || text == err.Error() {
		return err
	}
	return &bareError{text, err}
}

// bareError is an error with a shorter text.
type bareError struct {
	text string
	err  error
}

// Error is the short text.
func (e *bareError) Error() string { return e.text }

// Unwrap is the error.
func (e *bareError) Unwrap() error { return e.err }

// through runs a reading tool as a call would.
func (q *answers) through(ctx context.Context, label, name string, input map[string]any) (host.Expansion, error) {
	planned, grant, err := q.admitted(ctx, name, input)
	if err != nil {
		return host.Expansion{}, unnamed(err, input)
	}
	result, err := planned.Run(ctx, grant)
	if err != nil {
		return host.Expansion{}, unnamed(err, input)
	}
	masked, _ := q.app.masker(q.loaded()).String(result.Output)
	return host.Expansion{OK: true, Label: label, Text: masked, Images: result.Images}, nil
}

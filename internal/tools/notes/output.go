package notes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/tool"
)

// Outputs reads what was kept aside of earlier calls.
type Outputs interface {
	// Read returns a kept output by its name. The error is fs.ErrNotExist when
	// there is none of that name.
	Read(name string) ([]byte, error)
}

// Bounds of one page.
const (
	pageLines  = 500
	pageBytes  = 24_000
	pageHits   = 200
	lineLength = 2_000
)

type outputInput struct {
	ID      string `json:"id" jsonschema:"the name that was told"`
	Offset  int    `json:"offset,omitempty" jsonschema:"first line, from 1"`
	Limit   int    `json:"limit,omitempty"`
	Pattern string `json:"pattern,omitempty" jsonschema:"only lines that match this regular expression"`
}

// ReadOutput is the tool that pages and searches outputs that were too long to
// be shown whole.
func ReadOutput(outputs Outputs) tool.Tool {
	return tool.Define(tool.Definition{
		Name: "read_output", Effect: policy.State, Set: tool.Session,
		Description: "Read the whole of an output that was shortened.",
		Title:       "id",
		Bounds:      map[string]tool.Bound{"id": {Min: 1}, "offset": {Min: 1}, "limit": {Min: 1, Max: pageLines}},
	}, nil, func(_ context.Context, _ gate.Hands, in outputInput) (tool.Result, error) {
		data, err := outputs.Read(in.ID)
		if errors.Is(err, fs.ErrNotExist) {
			return tool.Result{}, fmt.Errorf("read output %q: there is none of that name; use the name that the shortened output told", in.ID)
		}
		if err != nil {
			return tool.Result{}, fmt.Errorf("read output %q: %w", in.ID, err)
		}
		var keep *regexp.Regexp
		if in.Pattern != "" {
			if keep, err = regexp.Compile(in.Pattern); err != nil {
				return tool.Result{}, fmt.Errorf("read output %q: the pattern is no regular expression: %w", in.ID, err)
			}
		}
		return page(string(data), in, keep), nil
	})
}

// page shows a part of a text with line numbers, whole lines only.
func page(text string, in outputInput, keep *regexp.Regexp) tool.Result {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if text == "" {
		lines = nil
	}
	first, most := max(in.Offset, 1), in.Limit
	if most == 0 {
		most = pageLines
		if keep != nil {
			most = pageHits
		}
	}
	var b strings.Builder
	shown, next := 0, 0
	for i := first - 1; i < len(lines); i++ {
		line := lines[i]
		if keep != nil && !keep.MatchString(line) {
			continue
		}
		if len(line) > lineLength {
			line = strings.ToValidUTF8(line[:lineLength], "") + fmt.Sprintf("… (%d more bytes)", len(line)-lineLength)
		}
		if shown == most || b.Len()+len(line) > pageBytes {
			next = i + 1
			break
		}
		fmt.Fprintf(&b, "%d: %s\n", i+1, line)
		shown++
	}
	what := "lines"
	if keep != nil {
		what = "matching lines"
	}
	summary := fmt.Sprintf("%d %s of %d lines", shown, what, len(lines))
	switch {
	case next > 0:
		fmt.Fprintf(&b, "(%s; more from offset %d)", summary, next)
	case first > max(len(lines), 1):
		fmt.Fprintf(&b, "(the output has %d lines; offset %d is behind its end)", len(lines), first)
	default:
		fmt.Fprintf(&b, "(%s)", summary)
	}
	return tool.Result{Output: b.String(), Summary: summary}
}

package files

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"assent/internal/amount"
	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/tool"
)

// Limits of list_dir: entries shown, entries looked at.
const (
	listShown  = 300
	listLooked = 20_000
)

type listInput struct {
	Path    string `json:"path,omitempty" jsonschema:"the folder (default: the workspace root)"`
	Depth   int    `json:"depth,omitempty" jsonschema:"levels to show, 1 to 6 (default 1)"`
	Ignored bool   `json:"include_ignored,omitempty" jsonschema:"show what git ignores too"`
}

// folder is the folder to list, as the model wrote it.
func (in listInput) folder() string {
	if in.Path == "" {
		return "."
	}
	return in.Path
}

func (t tools) listDir() tool.Tool {
	return tool.Define(tool.Definition{
		Name: "list_dir", Effect: policy.Read, Set: tool.EditPlus,
		Description: "List a folder, at most 300 entries.",
		Title:       "path",
		Bounds:      map[string]tool.Bound{"depth": {Max: 6}},
	}, func(in listInput) policy.Plan {
		return touch(policy.AccessTree, in.folder())
	}, list)
}

func list(ctx context.Context, h gate.Hands, in listInput) (tool.Result, error) {
	info, err := h.Stat(in.folder())
	if err != nil {
		return tool.Result{}, explain(in.folder(), err)
	}
	if !info.IsDir() {
		return tool.Result{}, fmt.Errorf("%s is a file; read it with read_file", in.folder())
	}
	depth := max(in.Depth, 1)
	var found []gate.Entry
	levels := make([]int, depth+1) // entries by level
	skipped, err := h.Walk(ctx, in.folder(), gate.WalkOptions{Ignored: in.Ignored, Dirs: true, Depth: depth}, func(e gate.Entry) error {
		if len(found) == listLooked {
			return fs.SkipAll
		}
		found = append(found, e)
		levels[level(e)]++
		return nil
	})
	if err != nil {
		return tool.Result{}, explain(in.folder(), err)
	}
	shown, total := 1, levels[1] // as many levels as fit, the first in any case
	for shown < depth && total+levels[shown+1] <= listShown {
		shown++
		total += levels[shown]
	}
	var b strings.Builder
	n := 0
	for _, e := range found {
		if level(e) <= shown && n < listShown {
			n++
			b.WriteString(strings.Repeat("  ", level(e)-1) + entryName(e) + "\n")
		}
	}
	if n == 0 {
		b.WriteString("[nothing to show]\n")
	}
	for _, note := range listNotes(found, n, shown, depth, skipped) {
		b.WriteString("[" + note + "]\n")
	}
	return tool.Result{Output: strings.TrimSuffix(b.String(), "\n"), Summary: entries(n)}, nil
}

// listNotes say what a listing does not show.
func listNotes(found []gate.Entry, n, shown, depth int, s gate.Skipped) []string {
	var list []string
	rest := fmt.Sprint(len(found) - n)
	if len(found) == listLooked {
		rest = "at least " + rest
	}
	switch {
	case n < len(found) && shown < depth && n < listShown:
		list = append(list, fmt.Sprintf("%s not shown: only %s fit into %d entries; list a deeper folder", rest, amount.Of(shown, "level"), listShown))
	case n < len(found):
		list = append(list, fmt.Sprintf("%s not shown: at most %d entries; list a deeper folder or use glob", rest, listShown))
	}
	if s.Ignored > 0 {
		list = append(list, fmt.Sprintf("%d ignored by git not shown; include_ignored shows them", s.Ignored))
	}
	if n := s.Secret + s.Denied; n > 0 {
		list = append(list, fmt.Sprintf("%d not shown because they may not be read", n))
	}
	if s.Unreadable > 0 {
		list = append(list, fmt.Sprintf("%d could not be listed", s.Unreadable))
	}
	return list
}

// level is how deep an entry lies, from 1.
func level(e gate.Entry) int { return 1 + strings.Count(e.Rel, "/") }

func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}

// entryName is an entry's name, marked as a folder or a link, and quoted when
// it holds what would not stay on its line.
func entryName(e gate.Entry) string {
	name := path.Base(e.Rel)
	if !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		name = strconv.Quote(name)
	}
	switch {
	case e.Link:
		return name + "@"
	case e.Dir:
		return name + "/"
	default:
		return name
	}
}

package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"assent/internal/amount"
	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/tool"
)

// Limits of glob.
const (
	usualFiles = 100
	mostShown  = 1000
)

type globInput struct {
	Pattern string `json:"pattern" jsonschema:"such as **/*.go or src/{a,b}/*.ts; without a slash it is the name at any depth"`
	Path    string `json:"path,omitempty" jsonschema:"folder (default: the workspace root)"`
	Limit   int    `json:"limit,omitempty" jsonschema:"default 100, at most 1000"`
	Ignored bool   `json:"include_ignored,omitempty" jsonschema:"show what git ignores too"`
}

// filter is a glob over paths; the zero value takes all.
type filter struct {
	pattern string
	base    bool // matches the last part of a path
}

func filterOf(pattern string) (filter, error) {
	pattern = strings.TrimPrefix(pattern, "./")
	if pattern == "" {
		return filter{}, nil
	}
	if !doublestar.ValidatePattern(pattern) {
		return filter{}, fmt.Errorf("read pattern %q: a bracket or brace is not closed; escape what is meant literally with a backslash", pattern)
	}
	if spellings(pattern) > mostSpellings {
		return filter{}, fmt.Errorf("read pattern %q: its braces stand for more than %d patterns; search for fewer at once", pattern, mostSpellings)
	}
	return filter{pattern, !strings.Contains(pattern, "/")}, nil
}

// mostSpellings bounds what the braces of a pattern stand for: each spelling may
// be tried on each name.
const mostSpellings = 1000

// spellings counts what the braces of a valid pattern stand for, as far as
// mostSpellings and one more.
func spellings(pattern string) int {
	type level struct{ alternatives, now int } // of the braces that are open
	stack := []level{{0, 1}}
	class := false
	for i := 0; i < len(pattern); i++ {
		top := &stack[len(stack)-1]
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '{':
			stack = append(stack, level{0, 1})
		case c == ',' && len(stack) > 1:
			top.alternatives, top.now = top.alternatives+top.now, 1
		case c == '}' && len(stack) > 1:
			n := top.alternatives + top.now
			stack = stack[:len(stack)-1]
			top = &stack[len(stack)-1]
			top.now = min(top.now*min(n, mostSpellings+1), mostSpellings+1)
		}
	}
	return stack[0].now
}

func (f filter) matches(name string) bool {
	if f.pattern == "" {
		return true
	}
	if f.base {
		name = path.Base(name)
	}
	return doublestar.MatchUnvalidated(f.pattern, name)
}

// place splits a pattern into the folder that it names literally and the rest.
// What is named so is shown even if git ignores it.
func (in globInput) place() (folder, rest string) {
	pattern := strings.TrimPrefix(in.Pattern, "./")
	base, rest := doublestar.SplitPattern(pattern)
	switch {
	case base == "." && !strings.HasPrefix(pattern, "/"):
		return orRoot(in.Path), rest
	case strings.HasPrefix(base, "/") || strings.HasPrefix(base, "~") || in.Path == "":
		return base, rest
	}
	return path.Join(in.Path, base), rest
}

func globTool(o Options) tool.Tool {
	return tool.Define(tool.Definition{
		Name: "glob", Effect: policy.Read, Set: tool.Core,
		Description: "Find files by name, the newest first.",
		Title:       "pattern",
		Bounds:      map[string]tool.Bound{"pattern": {Min: 1, Max: 2000}, "limit": {Min: 1, Max: mostShown}},
	}, func(in globInput) policy.Plan {
		folder, _ := in.place()
		return tree(folder)
	}, func(ctx context.Context, h gate.Hands, in globInput) (tool.Result, error) {
		folder, rest := in.place()
		only, err := filterOf(rest)
		if err != nil {
			return tool.Result{}, err
		}
		only.base = only.base && !strings.Contains(strings.TrimPrefix(in.Pattern, "./"), "/")
		g := &glob{options: o, in: in, folder: folder, only: only, exact: !strings.ContainsAny(rest, `*?[{\`)}
		return g.run(ctx, h)
	})
}

// glob is one search for names.
type glob struct {
	options Options
	in      globInput
	folder  string
	only    filter
	exact   bool // the rest of the pattern is a name

	mu     sync.Mutex
	total  int
	files  []named // the newest, and some more
	oldest time.Time
	fault  fault
}

type named struct {
	name string
	at   time.Time
}

func (g *glob) run(ctx context.Context, h gate.Hands) (tool.Result, error) {
	limited, cancel := context.WithTimeout(ctx, g.options.Time)
	defer cancel()
	o := gate.WalkOptions{Ignored: g.in.Ignored || g.exact && !g.only.base}
	only := func(f gate.Found) bool { return g.only.matches(f.Rel) }
	if !strings.Contains(g.only.pattern, "**") && !g.only.base {
		o.Depth = strings.Count(g.only.pattern, "/") + 1
	}
	skipped, err := h.Sweep(limited, g.folder, o, only, g.visit)
	switch {
	case ctx.Err() != nil:
		return tool.Result{}, ctx.Err()
	case g.fault.stopped(err, g.options):
	case errors.Is(err, fs.ErrNotExist) && g.folder != orRoot(g.in.Path):
		g.fault.note("there is no folder %s", g.folder)
	case err != nil:
		return tool.Result{}, explain(g.folder, err)
	}
	return g.report(skipped), nil
}

func (g *glob) visit(f gate.Found) error {
	_, at, _ := f.Info() // gone meanwhile: the oldest
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.total == g.options.Files {
		return errTooMany
	}
	if g.total++; at.Before(g.oldest) {
		return nil
	}
	if g.files = append(g.files, named{f.Name(), at}); len(g.files) >= 4*mostShown {
		g.prune()
	}
	return nil
}

// prune keeps the newest files that may be shown.
func (g *glob) prune() {
	slices.SortFunc(g.files, func(a, b named) int {
		return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.name, b.name))
	})
	if len(g.files) > mostShown {
		g.files = g.files[:mostShown]
		g.oldest = g.files[mostShown-1].at
	}
}

func (g *glob) report(s gate.Skipped) tool.Result {
	limit := g.in.Limit
	if limit == 0 {
		limit = usualFiles
	}
	g.prune()
	var b strings.Builder
	for _, f := range g.files[:min(limit, len(g.files))] {
		b.WriteString(spelled(f.name) + "\n")
	}
	switch {
	case len(g.files) == 0:
		b.WriteString("no files\n")
	case g.total > limit:
		g.fault.note("the newest %d of %d files are shown", limit, g.total)
	}
	g.fault.hidden(s)
	for _, n := range g.fault.notes {
		b.WriteString("[" + n + "]\n")
	}
	return tool.Result{Output: strings.TrimSuffix(b.String(), "\n"), Summary: amount.Of(g.total, "file", "files")}
}

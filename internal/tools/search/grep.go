package search

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"assent/internal/crew"
	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/tool"
	"assent/internal/walk"
)

// Limits of a search.
const (
	// mostHits is how many lines are shown.
	mostHits = 200
	// mostBytes is the size up to which a file is searched.
	mostBytes = 32 << 20
	// mostContext is how many lines around a hit are shown.
	mostContext = 20
	// worthRipgrep is how many files make it worth to start another program.
	worthRipgrep = 200
)

type grepInput struct {
	Pattern    string `json:"pattern" jsonschema:"regular expression (RE2), matched line by line"`
	Path       string `json:"path,omitempty" jsonschema:"folder or file (default: the workspace root)"`
	Include    string `json:"include,omitempty" jsonschema:"only files like *.go or src/**/*.{ts,tsx}"`
	IgnoreCase bool   `json:"ignore_case,omitempty"`
	Context    int    `json:"context,omitempty" jsonschema:"lines shown around each hit"`
	Ignored    bool   `json:"include_ignored,omitempty" jsonschema:"search what git ignores too"`
}

// Options make the tools. The zero value works.
type Options struct {
	// alone leaves ripgrep alone where it is installed. The answers are the
	// same, which tests compare.
	alone bool
	// Time is how long a search may take, zero means 30 seconds, and Files how
	// many files it may look at, zero means a million. What was found until
	// then is shown.
	Time  time.Duration
	Files int
}

// Tools returns glob and grep.
func Tools(o Options) tool.Set {
	if o.Time <= 0 {
		o.Time = 30 * time.Second
	}
	if o.Files <= 0 {
		o.Files = 1_000_000
	}
	return tool.Set{globTool(o), grepTool(o)}
}

func grepTool(o Options) tool.Tool {
	return tool.Define(tool.Definition{
		Name: "grep", Effect: policy.Read, Set: tool.Core,
		Description: "Search file contents. Gives path:line: text, at most 200 lines.",
		Title:       "pattern",
		Bounds:      map[string]tool.Bound{"pattern": {Min: 1, Max: 2000}, "context": {Max: mostContext}},
	}, func(in grepInput) policy.Plan {
		return tree(orRoot(in.Path))
	}, func(ctx context.Context, h gate.Hands, in grepInput) (tool.Result, error) {
		p, err := compile(in.Pattern, in.IgnoreCase)
		if err != nil {
			return tool.Result{}, err
		}
		only, err := filterOf(in.Include)
		if err != nil {
			return tool.Result{}, err
		}
		g := &grep{options: o, hands: h, in: in, pattern: p, only: only, found: collector{most: mostHits + 1}}
		return g.run(ctx)
	})
}

// tree plans a folder to be gone down.
func tree(path string) policy.Plan {
	return policy.Plan{Subjects: []policy.Subject{{Kind: policy.KindPath, Text: path, Access: policy.AccessTree}}}
}

func orRoot(path string) string {
	if path == "" {
		return "."
	}
	return path
}

// grep is one search.
type grep struct {
	options Options
	hands   gate.Hands
	in      grepInput
	pattern *pattern
	only    filter
	found   collector

	mu    sync.Mutex
	files []gate.Found // to be asked about, when ripgrep does
	large int          // files over mostBytes
	seen  int          // files looked at
	fault fault
}

func (g *grep) run(ctx context.Context) (tool.Result, error) {
	limited, cancel := context.WithTimeout(ctx, g.options.Time)
	defer cancel()
	ask := !g.pattern.here() && !g.options.alone
	var only func(gate.Found) bool
	if g.in.Include != "" {
		only = func(f gate.Found) bool { return g.only.matches(f.Rel) || !g.only.base && g.only.matches(f.Name()) }
	}
	skipped, err := g.hands.Sweep(limited, orRoot(g.in.Path), gate.WalkOptions{Ignored: g.in.Ignored}, only, func(f gate.Found) error { return g.visit(f, ask) })
	if err == nil && ask {
		err = g.ask(limited)
	}
	switch {
	case ctx.Err() != nil:
		return tool.Result{}, ctx.Err()
	case g.fault.stopped(err, g.options):
	case err != nil:
		return tool.Result{}, explain(orRoot(g.in.Path), err)
	}
	return g.report(skipped), nil
}

var errTooMany = errors.New("too many files")

// visit searches a file, or notes it to be asked about.
func (g *grep) visit(f gate.Found, ask bool) error {
	if f.Link {
		return nil
	}
	g.mu.Lock()
	g.seen++
	full := g.seen > g.options.Files
	if ask && !full {
		g.files = append(g.files, f)
	}
	g.mu.Unlock()
	switch {
	case full:
		return errTooMany
	case ask:
		if size, _, err := f.Info(); err == nil && size > mostBytes {
			g.tooLarge()
		}
		return nil
	case g.found.beyond(f.Rel):
		return nil
	}
	buf := buffers.Get().(*[]byte) //nolint:forcetypeassert // the pool holds nothing else
	defer buffers.Put(buf)
	text, err := f.Read(*buf, mostBytes)
	switch {
	case errors.Is(err, walk.ErrTooLarge):
		g.tooLarge()
	case errors.Is(err, gate.ErrClosed):
		return err
	case err == nil:
		if cap(text) > cap(*buf) && cap(text) <= largestKept {
			*buf = text
		}
		g.found.search(g.pattern, f.Rel, f.Name(), text, g.in.Context)
	}
	return nil // a file that cannot be read has no lines
}

func (g *grep) tooLarge() {
	g.mu.Lock()
	g.large++
	g.mu.Unlock()
}

// buffers are what files are read into. A large one is not kept.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 64<<10); return &b }} //nolint:gochecknoglobals // a cache without state

const largestKept = 1 << 20

// ask lets ripgrep name the files that may match and searches those; without
// it all of them.
func (g *grep) ask(ctx context.Context) error {
	slices.SortFunc(g.files, func(a, b gate.Found) int { return strings.Compare(a.Rel, b.Rel) })
	files := g.files
	if len(files) >= worthRipgrep {
		named, ok, err := g.hands.Matching(ctx, g.pattern.ripgrep, files)
		switch {
		case err != nil:
			return err
		case ok:
			slices.SortFunc(named, func(a, b gate.Found) int { return strings.Compare(a.Rel, b.Rel) })
			files = named
		}
	}
	return g.each(ctx, files)
}

// each searches files in parallel, the first of the order first.
func (g *grep) each(ctx context.Context, files []gate.Found) error {
	next := make(chan gate.Found)
	var workers crew.Group
	for range 4 {
		workers.Go(func() {
			defer func() {
				for range next { // one that breaks down holds nobody up
				}
			}()
			for f := range next {
				if g.found.beyond(f.Rel) {
					continue
				}
				file, err := g.hands.Read(f.Name(), mostBytes)
				if err == nil {
					g.found.search(g.pattern, f.Rel, f.Name(), file.Data, g.in.Context)
				}
			}
		})
	}
	defer workers.Wait()
	defer close(next)
	for _, f := range files {
		select {
		case next <- f:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// stopped notes that a search met a limit.
func (f *fault) stopped(err error, o Options) bool {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		f.note("stopped after %s, there may be more; search a deeper folder or narrow what is searched", o.Time)
	case errors.Is(err, errTooMany):
		f.note("stopped after %d files, there may be more; search a deeper folder or narrow what is searched", o.Files)
	default:
		return false
	}
	return true
}

// explain words an error of the hands for the model.
func explain(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file or folder (paths are relative to the workspace root)", path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: the system does not permit to list it (%w)", path, err)
	}
	return err
}

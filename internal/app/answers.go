package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"assent/internal/engine"
	"assent/internal/history"
	"assent/internal/host"
	"assent/internal/provider"
	"assent/internal/session"
	"assent/internal/walk"
)

// Bounds of the path picker's list: how many paths, and for how long it looks
// for them. A home folder or a root is only sampled.
const (
	mostPaths     = 50_000
	mostHomePaths = 5_000
	pathTime      = 5 * time.Second
)

// answers is what fronts may ask of a conversation.
type answers struct {
	app     *App
	c       *conversation
	history history.File
	// opened is what was said before the conversation was opened.
	opened host.Replay
}

func (a *App) answers(c *conversation, waiting []engine.OpenCall) *answers {
	l := c.loaded
	mask := a.masker(l)
	q := &answers{app: a, c: c, history: history.File{
		Path:   filepath.Join(l.paths.Data, "history", session.Project(session.RealPath(l.root))+".jsonl"),
		Redact: func(s string) string { s, _ = mask.String(s); return s },
	}}
	if c.log != nil {
		q.opened = earlier(c.log.Branch(), waiting)
	}
	return q
}

// ask answers one query.
func (q *answers) ask(ctx context.Context, query host.Query) (host.Answer, error) {
	switch query := query.(type) {
	case host.Paths:
		return q.paths(ctx)
	case host.Expand:
		return q.expand(ctx, query.Word)
	case host.Picture:
		return q.picture(ctx, query.Path)
	case host.Fragments:
		return q.fragments(ctx), nil
	case host.History:
		prompts, err := q.history.Load(0)
		return host.PromptList{Prompts: prompts}, err
	case host.Remember:
		return host.PromptList{}, q.history.Add(ctx, query.Prompt)
	case host.Models:
		return q.models(ctx, query)
	case host.Providers:
		return q.providers(ctx), nil
	case host.Sessions:
		return q.sessions()
	case host.Report:
		return q.report(ctx, query.Name)
	case host.Earlier:
		return q.opened, nil
	case host.Export:
		return q.export(query.File)
	case host.Configure:
		return q.configure(ctx, query)
	default:
		return nil, fmt.Errorf("unknown query %T", query)
	}
}

// paths lists what the ignore rules leave in, the newest first.
func (q *answers) paths(ctx context.Context) (host.PathList, error) {
	l := q.loaded()
	root, err := os.OpenRoot(l.root)
	if err != nil {
		return host.PathList{}, fmt.Errorf("list the workspace: %w", err)
	}
	defer root.Close()
	most := mostPaths
	if q.app.wide(l.root) {
		most = mostHomePaths
	}
	ctx, stop := context.WithTimeout(ctx, pathTime)
	defer stop()
	rules, _ := walk.Rules(l.root, walk.Setting{Home: q.app.home(), ConfigHome: q.app.get("XDG_CONFIG_HOME")})
	type found struct {
		path string
		time time.Time
	}
	var mu sync.Mutex
	var list []found
	_, err = walk.Walk(ctx, root, walk.Options{Rules: rules, Dirs: true}, func(e walk.Entry) error {
		f := found{path: e.Rel}
		if e.Type.IsDir() {
			f.path += "/"
		}
		if _, modified, err := e.Info(); err == nil {
			f.time = modified
		}
		mu.Lock()
		defer mu.Unlock()
		if len(list) >= most {
			return fs.SkipAll
		}
		list = append(list, f)
		return nil
	})
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return host.PathList{}, fmt.Errorf("list the workspace: %w", err)
	}
	slices.SortFunc(list, func(a, b found) int {
		if c := b.time.Compare(a.time); c != 0 {
			return c
		}
		return strings.Compare(a.path, b.path)
	})
	answer := host.PathList{Paths: make([]string, len(list)), Partial: err != nil || len(list) >= most}
	for i, f := range list {
		answer.Paths[i] = f.path
	}
	return answer, nil
}

// models asks the endpoint of a provider.
func (q *answers) models(ctx context.Context, asked host.Models) (host.ModelList, error) {
	q.c.mu.Lock()
	chosen := q.c.choice
	q.c.mu.Unlock()
	if name := asked.Provider; name != "" {
		next, err := q.c.choose(ctx, q.loaded().at(name, anyModel, "/models").tried(asked))
		if err != nil {
			return host.ModelList{}, err
		}
		chosen = next
	}
	lister, _, err := q.c.models.open(chosen)
	if err != nil {
		return host.ModelList{}, err
	}
	if lister == nil {
		return host.ModelList{}, fmt.Errorf("the provider %s reports no models", chosen.preset.Name)
	}
	ids, err := lister.Models(ctx)
	if err != nil {
		return host.ModelList{}, err
	}
	q.c.models.reports(chosen, ids)
	var list host.ModelList
	for _, id := range ids {
		facts := q.c.models.catalogue.Lookup(chosen.preset.Name, id)
		list.Models = append(list.Models, host.Model{Provider: chosen.preset.Name, ID: id, Window: facts.ContextWindow})
	}
	return list, nil
}

// providers lists the presets with what was found of each: those with a key
// and the local servers that answer come first.
func (q *answers) providers(ctx context.Context) host.ProviderList {
	return q.app.providerList(ctx, q.loaded(), q.c.models)
}

// probeTime bounds the wait for a local server.
const probeTime = 500 * time.Millisecond

func (a *App) providerList(ctx context.Context, l loaded, m *models) host.ProviderList {
	var list host.ProviderList
	for _, p := range provider.Presets() {
		if p.Name == "script" {
			continue
		}
		row := host.Provider{Name: p.Name, BaseURL: p.BaseURL, KeyEnv: p.KeyEnv, NeedsURL: p.BaseURL == "", Keyless: p.Keyless}
		if chosen, err := a.choose(ctx, l.at(p.Name, anyModel, "the set-up"), m.catalogue); err == nil {
			row.KeyFrom, row.BaseURL = chosen.keyFrom, chosen.baseURL
			if p.Local {
				chosen.key = nil // a probe shows nobody a key
				row.Running = answersNow(ctx, m, chosen)
			}
		}
		list.Providers = append(list.Providers, row)
	}
	rank := func(p host.Provider) int {
		switch {
		case p.KeyFrom != "":
			return 0
		case p.Running:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(list.Providers, func(a, b host.Provider) int { return rank(a) - rank(b) })
	return list
}

// answersNow reports whether a local server lists its models at once.
func answersNow(ctx context.Context, m *models, c choice) bool {
	ctx, stop := context.WithTimeout(ctx, probeTime)
	defer stop()
	lister, _, err := m.open(c)
	if err != nil || lister == nil {
		return false
	}
	_, err = lister.Models(ctx)
	return err == nil
}

func (q *answers) sessions() (host.SessionList, error) {
	infos, err := q.app.store(q.loaded().paths, nil).List(q.loaded().root, false)
	if err != nil {
		return host.SessionList{}, err
	}
	var list host.SessionList
	for _, i := range infos {
		list.Sessions = append(list.Sessions, host.SessionInfo{ID: i.ID, Title: i.Title, Updated: i.Updated, Turns: i.Turns})
	}
	return list, nil
}

// export writes the session where the user says, else into the workspace. It
// replaces only an export of its own name.
func (q *answers) export(file string) (host.Page, error) {
	own := file == ""
	if own {
		file = "assent-" + q.c.log.ID()[:8] + ".html"
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(q.loaded().root, file)
	}
	format, err := exportFormat("", file)
	if err != nil {
		return host.Page{}, err
	}
	if err := exportFile(file, q.c.log.Tree(), format, own); err != nil {
		return host.Page{}, err
	}
	return host.Page{Title: "export", Markdown: "Written to `" + file + "`."}, nil
}

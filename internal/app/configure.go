package app

import (
	"context"
	"fmt"
	"strings"

	"assent/internal/config"
	"assent/internal/host"
)

// loaded is the configuration as it is now.
func (q *answers) loaded() loaded {
	q.c.mu.Lock()
	defer q.c.mu.Unlock()
	return q.c.loaded
}

// configure sets a field of the user's config file. A key goes where keys are
// kept.
func (q *answers) configure(ctx context.Context, c host.Configure) (host.Page, error) {
	if _, err := known(c.Field); err != nil {
		return host.Page{}, err
	}
	l := q.loaded()
	page := host.Page{Title: "config"}
	switch c.Field {
	case "apiKey":
		where, err := q.keep(ctx, l, c.Value)
		if err != nil {
			return host.Page{}, err
		}
		page.Markdown = fmt.Sprintf("The key is kept in %s.", where)
	case "provider":
		if err := q.leave(ctx, l, c.Value); err != nil {
			return host.Page{}, err
		}
		fallthrough
	default:
		if err := q.set(ctx, l, c.Field, c.Value); err != nil {
			return host.Page{}, err
		}
		page.Markdown = fmt.Sprintf("`%s` is set in `%s`; it holds from the next %s on.", c.Field, l.paths.File(), q.holds(c.Field))
	}
	return page, q.reload()
}

// holds says from when on a field that is set now holds: reload takes over what
// is asked for anew, unless a flag of this run stands over it.
func (q *answers) holds(field string) string {
	f := q.c.flags
	switch field, part, _ := strings.Cut(field, "."); {
	case q.c.gate == nil: // nothing has begun
	case field == "maxSteps" && f.MaxSteps == 0, field == "maxCostUsd" && f.MaxCost == 0,
		field == "toolSets", field == "readOnly", field == "retry" && part != "idle":
		return "prompt"
	}
	return "start"
}

func (q *answers) set(ctx context.Context, l loaded, field, value string) error {
	path, err := config.ParsePath(field)
	if err != nil {
		return err
	}
	return config.Set(ctx, l.paths.File(), path, value, q.app.words())
}

// leave clears what the file says beside the name of another provider: it is
// not meant for the new one.
func (q *answers) leave(ctx context.Context, l loaded, provider string) error {
	if l.FileProvider == "" || l.FileProvider == provider {
		return nil
	}
	for _, field := range []string{"model", "baseUrl", "apiKey"} {
		if old, ok, err := config.Get(l.paths.File(), []string{field}); err != nil || !ok || old == "" || old == `""` {
			continue // nothing to clear; a fault of the file is told by Set
		}
		if err := q.set(ctx, l, field, ""); err != nil {
			return err
		}
	}
	return nil
}

// keep stores the key of the provider that the file names: where the file
// holds one already, there, else among the stored keys.
func (q *answers) keep(ctx context.Context, l loaded, key string) (where string, err error) {
	name := l.FileProvider
	if name == "" {
		name = l.Provider
	}
	if name == "" {
		return "", usagef("keep a key: choose its provider first")
	}
	q.app.mask.Learn(key)
	if old, ok, err := config.Get(l.paths.File(), []string{"apiKey"}); err == nil && ok && old != "" && old != `""` {
		return l.paths.File(), q.set(ctx, l, "apiKey", key)
	}
	return q.app.vault(l).Store(ctx, name, key)
}

// reload takes over what the file says now; agent, model and thinking of the
// running conversation stay, and what the agent may do is told to the gate, so
// that it lets through what is offered.
func (q *answers) reload() error {
	fresh, err := q.app.load(q.c.flags)
	if err != nil {
		return err
	}
	q.c.mu.Lock()
	defer q.c.mu.Unlock()
	fresh.begun = q.c.loaded.begun
	q.c.loaded = fresh
	if q.c.gate != nil {
		q.c.gate.SetMode(q.c.agent.mode(fresh.ReadOnly))
	}
	return nil
}

package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// noModelError says that nothing names a model of a provider that has no
// default.
type noModelError struct{ choice choice }

// Error says how to name one.
func (e *noModelError) Error() string {
	name := e.choice.preset.Name
	return fmt.Sprintf("no model is set for %s: give --model ID, set ASSENT_MODEL or model in your config (`assent models %s` lists them)", name, name)
}

// chosen is choose for a run that begins. A server of this machine that was
// named without a model is asked for it; l is told of the answer.
func (a *App) chosen(ctx context.Context, l *loaded, m *models) (choice, error) {
	c, err := a.choose(ctx, *l, m.catalogue)
	none := (*noModelError)(nil)
	if !errors.As(err, &none) || !none.choice.preset.Local {
		return c, err
	}
	model, err := soleModel(ctx, m, none.choice)
	if err != nil {
		return c, err
	}
	l.Source = maps.Clone(l.Source)
	l.Model, l.Source["model"] = model, "what "+none.choice.preset.Name+" serves"
	return a.choose(ctx, *l, m.catalogue)
}

// soleTime bounds the question which models a server of this machine has.
const soleTime = 3 * time.Second

// soleModel is the model that a server of this machine has: the only one, else the
// only one that is loaded.
func soleModel(ctx context.Context, m *models, c choice) (string, error) {
	ctx, stop := context.WithTimeout(ctx, soleTime)
	defer stop()
	lister, _, err := m.open(c)
	if err != nil {
		return "", err
	}
	ids, err := lister.Models(ctx)
	if err != nil {
		return "", usagef("ask %s which models it has: %w; or give --model ID", c.preset.Name, err)
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return strings.Contains(strings.ToLower(id), "embed") })
	if runner, ok := lister.(interface {
		Running(context.Context) []string
	}); ok && len(ids) > 1 {
		running := runner.Running(ctx)
		if one := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !slices.Contains(running, id) }); len(one) == 1 {
			ids = one
		}
	}
	switch {
	case len(ids) == 0:
		return "", usagef("%s at %s has no model yet: load one there, then try again", c.preset.Name, c.baseURL)
	case len(ids) > 1:
		shown, more := ids, ""
		if len(shown) > 8 {
			shown, more = shown[:8], fmt.Sprintf(" and %d more", len(ids)-8)
		}
		return "", usagef("%s has several models: choose one with --model: %s%s", c.preset.Name, strings.Join(shown, ", "), more)
	}
	return ids[0], nil
}

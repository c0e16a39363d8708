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

func (e *noModelError) missing() string { return "no model is set for " + e.choice.preset.Name }

// Error says how to name one.
func (e *noModelError) Error() string {
	name := e.choice.preset.Name
	return e.missing() + fmt.Sprintf(": give --model ID, set ASSENT_MODEL or model in your config (`assent models %s` lists them)", name)
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
		return "", &UsageError{&unreadyError{fmt.Sprintf("ask %s which models it has: %v", c.preset.Name, err), "; or give --model ID"}}
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
		return "", &UsageError{&unreadyError{fmt.Sprintf("%s at %s has no model yet", c.preset.Name, c.baseURL), ": load one there, then try again"}}
	case len(ids) > 1:
		shown, more := ids, ""
		if len(shown) > 8 {
			shown, more = shown[:8], fmt.Sprintf(" and %d more", len(ids)-8)
		}
		return "", &UsageError{&unreadyError{c.preset.Name + " has several models", fmt.Sprintf(": choose one with --model: %s%s", strings.Join(shown, ", "), more)}}
	}
	return ids[0], nil
}

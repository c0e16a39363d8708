package app

import (
	"context"
	"errors"
	"time"

	"assent/internal/event"
	"assent/internal/host"
)

// announceTime bounds a notification command.
const announceTime = 10 * time.Second

// errNoProvider says that nothing tells which model to use.
var errNoProvider = errors.New("no model provider is set up")

// unreadyError says that what is set up reaches no model. On a terminal the
// set-up opens in its place, and says only what is missing.
type unreadyError struct {
	missing string
	next    string // what to do about it without a set-up
}

// Error says what is missing and what to do.
func (e *unreadyError) Error() string { return e.missing + e.next }

// unready reports whether the set-up can mend an error, and what it then says
// first.
func unready(err error) (missing string, ok bool) {
	var e *unreadyError
	var none *noModelError
	switch {
	case errors.Is(err, errNoProvider):
		return "", true
	case errors.As(err, &none):
		return none.missing(), true
	case errors.As(err, &e):
		return e.missing, true
	}
	return "", false
}

// desk answers the set-up before there is a conversation. It carries out no
// command.
type desk struct {
	*answers
	events event.Log
	chosen func(field, value string) // told of what was stored
}

// firstRun prepares the set-up.
func (a *App) firstRun(l loaded, f Flags, chosen func(field, value string)) (*desk, error) {
	m, err := a.newModels(l)
	if err != nil {
		return nil, err
	}
	c := &conversation{loaded: l, flags: f, models: m, choose: func(ctx context.Context, l loaded) (choice, error) { return a.choose(ctx, l, m.catalogue) }}
	return &desk{answers: a.answers(c, nil), chosen: chosen}, nil
}

// Do refuses: there is nobody to do it.
func (d *desk) Do(context.Context, host.Command) error { return errNoProvider }

// Ask answers what the set-up needs.
func (d *desk) Ask(ctx context.Context, q host.Query) (host.Answer, error) {
	switch q := q.(type) {
	case host.Providers, host.Models:
		return d.ask(ctx, q)
	case host.Configure:
		a, err := d.ask(ctx, q)
		if err == nil {
			d.chosen(q.Field, q.Value)
		}
		return a, err
	default:
		return nil, errNoProvider
	}
}

// Unqueue finds nothing.
func (d *desk) Unqueue() (host.Submit, bool) { return host.Submit{}, false }

// Events tells nothing.
func (d *desk) Events() *event.Cursor { return d.events.Follow() }

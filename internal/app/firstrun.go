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

// desk answers the set-up before there is a conversation. It carries out no
// command.
type desk struct {
	*answers
	events event.Log
}

// firstRun prepares the set-up.
func (a *App) firstRun(l loaded, f Flags) (*desk, error) {
	m, err := a.newModels(l)
	if err != nil {
		return nil, err
	}
	c := &conversation{loaded: l, flags: f, models: m, choose: func(ctx context.Context, l loaded) (choice, error) { return a.choose(ctx, l, m.catalogue) }}
	return &desk{answers: a.answers(c, nil)}, nil
}

// Do refuses: there is nobody to do it.
func (d *desk) Do(context.Context, host.Command) error { return errNoProvider }

// Ask answers what the set-up needs.
func (d *desk) Ask(ctx context.Context, q host.Query) (host.Answer, error) {
	switch q.(type) {
	case host.Providers, host.Models, host.Configure:
		return d.ask(ctx, q)
	default:
		return nil, errNoProvider
	}
}

// Unqueue finds nothing.
func (d *desk) Unqueue() (host.Submit, bool) { return host.Submit{}, false }

// Events tells nothing.
func (d *desk) Events() *event.Cursor { return d.events.Follow() }

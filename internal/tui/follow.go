package tui

import (
	"context"
	"time"

	"assent/internal/event"
	"assent/internal/tui/screen"
)

// follow takes in the host's events from now on.
func (u *ui) follow() {
	ctx, stop := context.WithCancel(u.ctx)
	u.unhost = stop
	events, unread := make(chan []event.Event), make(chan []event.Event, 1)
	u.events, u.unread = events, unread
	cursor := u.host.Events()
	u.goes(func() {
		defer close(unread)
		defer cursor.Close()
		unread <- follow(ctx, cursor, events)
	})
}

// unfollow takes in what was told until now, and nothing more.
func (u *ui) unfollow() {
	u.unhost()
	u.apply(<-u.unread)
}

// flush is the time between two batches of events: what streams is merged and
// drawn at this pace.
const flush = 60 * time.Millisecond

// follow hands events on, at a pace that a reader can follow. It returns those
// that were told before its end and that nobody took.
func follow(ctx context.Context, cursor *event.Cursor, to chan<- []event.Event) []event.Event {
	pace := time.NewTimer(flush)
	defer pace.Stop()
	for {
		list, err := cursor.Next(ctx)
		if err != nil {
			return nil // the conversation is closed, or left
		}
		select {
		case to <- list:
		case <-ctx.Done():
			return append(list, told(ctx, cursor)...)
		}
		pace.Reset(flush)
		select {
		case <-pace.C:
		case <-ctx.Done():
			return told(ctx, cursor)
		}
	}
}

// told is what a cursor has not read; ctx is done.
func told(ctx context.Context, cursor *event.Cursor) []event.Event {
	list, err := cursor.Next(ctx)
	if err != nil {
		return nil // there is nothing
	}
	return list
}

// leave prints what was told and not drawn yet, the end, and what the user
// needs to come back.
func (u *ui) leave() {
	u.endShell()
	u.unfollow()
	u.state = screen.Left(u.state)
	u.settle()
	u.print([]screen.Block{u.state.Leave()})
}

// endShell ends the user's own command and takes in what it printed, if it
// ends as it should.
func (u *ui) endShell() {
	if u.shell == nil {
		return
	}
	const endTime = time.Second
	u.shell()
	for late := time.After(endTime); u.shell != nil && u.ctx.Err() == nil; {
		select {
		case f := <-u.posts:
			f()
		case <-late:
			return
		}
	}
}

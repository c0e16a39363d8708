package tui

import (
	"context"
	"io"
	"time"

	"assent/internal/event"
	"assent/internal/host"
)

// Host is what the front needs of a conversation.
type Host interface {
	Do(ctx context.Context, c host.Command) error
	Ask(ctx context.Context, q host.Query) (host.Answer, error)
	// Unqueue takes the newest waiting prompt back; ok is false without one.
	Unqueue() (s host.Submit, ok bool)
	Events() *event.Cursor
}

// Options are the parameters of a run. In and Out are needed.
type Options struct {
	// In and Out are the terminal's files. When they are no terminals they are
	// taken for one of the given Size.
	In  io.Reader
	Out io.Writer
	// Size tells the size in cells, and Resized when it has changed; nil asks
	// the system.
	Size    func() (cols, rows int)
	Resized <-chan struct{}
	// Lookup reads a variable of the environment; nil reads none.
	Lookup func(string) (string, bool)

	// Interrupted reports whether what ended the context is ctrl+c, which ends
	// nothing while something else has the terminal; nil takes nothing for it.
	Interrupted func(cause error) bool

	// Now is the clock of what is shown and of how soon a key may answer; nil is
	// the system's.
	Now func() time.Time

	// Version is for the banner.
	Version string
	// About tells of the conversation that the front has just opened; nil tells
	// nothing.
	About func() About
	// Agents are the names that /agent offers.
	Agents []string
	// Prompt is sent at once.
	Prompt string
	// Setup says that there is no provider yet: the set-up is open, and the
	// Host need only answer its queries.
	Setup bool
	// Missing is what it says first: what keeps the run from its model.
	Missing string
	// Theme is auto, light, dark or none; NoColor draws without colours.
	Theme   string
	NoColor bool
	// Plain prints lines only and reads lines: for screen readers and for
	// terminals that cannot do more.
	Plain bool
	// Notify says how a user who looks elsewhere is told.
	Notify Notify

	// Shell runs a command in the user's name; out is given what it prints.
	// Nil refuses.
	Shell func(ctx context.Context, command string, out func([]byte)) (exit int, output string, err error)
	// Edit lets the user write a text in an editor that has the terminal. Nil
	// refuses.
	Edit func(ctx context.Context, text string) (string, error)
	// Reopen leaves the conversation for another, which it returns, with a
	// prompt to send there at once; the old one goes on when that fails. Nil
	// refuses.
	Reopen func(ctx context.Context, to Target) (h Host, prompt string, err error)
}

// Target is the conversation to go to.
type Target struct {
	// Session is the one to resume, empty for a new one. Fork goes on in a copy
	// of it, Demo plays the demo.
	Session    string
	Fork, Demo bool
}

// About is what the front shows of a conversation that no event tells.
type About struct {
	// Facts are lines for the banner: what asks, what holds here.
	Facts []string
	// Passing says that nothing is left to come back to.
	Passing bool
}

// Notify says how a user who looks elsewhere is told that an answer is waited
// for or that a turn is done.
type Notify struct {
	// Off tells nothing.
	Off bool
	// Channels are bell, osc9 and osc777; with none the terminal's own is used.
	Channels []string
	// Command is told the text as well, and what happened, in the words of
	// screen.AlertAsks and screen.AlertDone; nil for none.
	Command func(ctx context.Context, event, text string)
}

// Exit codes.
const (
	exitOK          = 0
	exitError       = 1
	exitInterrupted = 130
)

// get reads a variable; an unset one is empty.
func (o Options) get(name string) string {
	if o.Lookup == nil {
		return ""
	}
	v, _ := o.Lookup(name)
	return v
}

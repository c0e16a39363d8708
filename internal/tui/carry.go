package tui

import (
	"context"
	"encoding/base64"
	"errors"
	"unicode/utf8"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/tui/area"
	"assent/internal/tui/screen"
)

// carry takes over a state and does what it asks for.
func (u *ui) carry(s screen.State, intents []screen.Intent) {
	u.state = s
	for _, i := range intents {
		switch i := i.(type) {
		case screen.Pass:
			u.edited(u.area.Press(u.key.Name, u.key.Text))
		case screen.SetText:
			u.area = u.area.Set(i.Text, i.Cursor)
		case screen.Insert:
			u.edited(u.area.Insert(i.Text))
		case screen.Do:
			if !u.quit { // what waited for the end of a command stays in the history
				u.do(i.Command)
			}
		case screen.Ask:
			u.ask(i.Query)
		case screen.TakeBack:
			u.takeBack(i.All)
		case screen.Shell:
			u.runShell(i.Command)
		case screen.KillShell:
			if u.shell != nil {
				u.shell()
			}
		case screen.Edit:
			u.edit(i.Text)
		case screen.Copy:
			u.copy(i.Text)
		case screen.Switch:
			u.reopen(Target(i))
		case screen.Theme:
			u.theme(i.Name)
		case screen.Redraw:
			u.painter.Again()
		case screen.Suspend:
			u.released(suspend)
		case screen.Quit:
			u.quit = true
		}
	}
}

// edited takes over what the text area made of a key.
func (u *ui) edited(a area.Area) {
	u.area = a
	u.carry(screen.Edited(u.state, u.snapshot()))
}

// snapshot is the prompt as the screen is told of it.
func (u *ui) snapshot() screen.Snapshot {
	top, bottom := u.area.Edge()
	return screen.Snapshot{Text: u.area.Text(), Cursor: u.area.Cursor(), Top: top, Bottom: bottom}
}

// takeBack takes waiting prompts out of the host's queue.
func (u *ui) takeBack(all bool) {
	h := u.host
	u.errand.add(func() {
		if texts := takeBack(h, all); len(texts) > 0 {
			u.post(func() { u.carry(screen.TookBack(u.state, texts)) })
		}
	})
}

// errShell says that this front runs no commands.
var errShell = errors.New("this run carries out no commands of yours")

// runShell runs a command of the user's own.
func (u *ui) runShell(command string) {
	if u.o.Shell == nil {
		u.carry(screen.ShellDone(u.state, exitError, "", errShell))
		return
	}
	ctx, stop := context.WithCancel(u.ctx)
	u.shell = stop
	live := newSpool(func(text string) { u.post(func() { u.state = screen.ShellOutput(u.state, text) }) })
	u.goes(func() { live.run(ctx) })
	u.goes(func() {
		defer stop()
		exit, output, err := u.o.Shell(ctx, command, live.write)
		if ctx.Err() != nil && err == nil {
			err = errors.New("you ended it")
		}
		u.post(func() {
			u.shell = nil
			u.carry(screen.ShellDone(u.state, exit, output, err))
		})
	})
}

// released gives the terminal to something else for a while.
func (u *ui) released(f func()) {
	u.certain()
	u.term.write(u.painter.Clear())
	u.hearOut()
	u.term.leave()
	u.lent.Store(true)
	f()
	u.lent.Store(false)
	if err := u.term.take(u.reading); err != nil {
		u.quit, u.code = true, exitError
	}
	u.painter.Again()
	u.measure()
	u.seen = 0
}

// edit lets the user write the prompt in an editor.
func (u *ui) edit(text string) {
	if u.o.Edit == nil {
		u.state = screen.Apply(u.state, event.Notice{Text: "There is no editor here."})
		return
	}
	var err error
	u.released(func() { text, err = u.o.Edit(u.ctx, text) })
	if err != nil {
		u.state = screen.Apply(u.state, event.Notice{Text: err.Error()})
	}
	u.carry(screen.Wrote(u.state, text, err == nil))
}

// mostCopy is the most that terminals take at once, in bytes.
const mostCopy = 4 << 20

// copy puts a text on the clipboard of the terminal, which works over ssh too.
// The text is the source, without the line breaks of the screen (TUI-29).
func (u *ui) copy(text string) {
	if u.term.basic() { // it would show the sequence
		u.state = screen.Apply(u.state, event.Error{Message: "this terminal has no clipboard that assent can reach"})
		return
	}
	u.term.write(u.outer("\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(head(text, mostCopy))) + "\a"))
}

// head is the beginning of a text, at most n bytes of whole characters.
func head(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// theme changes the colours, now and for the next time.
func (u *ui) theme(name string) {
	if !u.look.choose(name) {
		u.state = screen.Apply(u.state, event.Error{Message: "unknown theme " + name + " (valid: auto, light, dark, none)"})
		return
	}
	u.painter.Again()
	u.ask(host.Configure{Field: "theme", Value: name})
}

// apply takes events in and tells a user who looks elsewhere what matters.
func (u *ui) apply(list []event.Event) {
	before := u.state
	u.state = screen.Tick(u.state, u.o.Now())
	for _, e := range list {
		u.state = screen.Apply(u.state, e)
		if opening, ok := e.(event.Session); ok && opening.Resumed {
			u.recall()
		}
	}
	u.carry(screen.Returned(u.state))
	if happened, text := screen.Alert(before, u.state); text != "" && u.away {
		u.alert(happened, text)
	}
}

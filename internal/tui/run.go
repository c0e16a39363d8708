package tui

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/tui/area"
	"assent/internal/tui/inline"
	"assent/internal/tui/screen"
)

// ui is a run of the front. Only the loop's goroutine touches its fields,
// except the few that say otherwise.
type ui struct {
	o   Options
	ctx context.Context
	// reading ends when nothing is read from the terminal any more.
	reading context.Context
	term    *terminal
	look    look
	state   screen.State
	area    area.Area
	key     screen.Key // the one that was pressed last

	painter inline.Painter
	sizing  sizing
	after   screen.Block // the one that was printed last
	// blocks and lines wait to be printed with the next frame.
	blocks  []screen.Block
	printed []string
	// skip names blocks that are not printed; nil for none.
	skip func(screen.Block) bool
	// previewed is the approval that was printed because it did not fit.
	previewed int
	// seen is the one that the terminal shows.
	seen int

	host   Host
	events chan []event.Event // of the host's cursor
	unhost context.CancelFunc // ends following it
	unread chan []event.Event // what was told by then and not taken in
	posts  chan func()        // what other goroutines want done in the loop
	errand errands
	shell  context.CancelFunc // of the user's own command
	*sides

	away bool         // the terminal has lost the focus
	lent *atomic.Bool // something else has the terminal
	quit bool
	code int
	tick *time.Timer
}

// Run plays the front on a terminal until the user leaves, the input ends or
// ctx does, and returns the exit code. The host is not closed. The terminal is
// as it was before in any case.
func Run(ctx context.Context, h Host, o Options) (code int, err error) {
	if o.Plain {
		return runPlain(ctx, h, o)
	}
	var away atomic.Bool
	ctx, stop := uninterrupted(ctx, o.Interrupted, away.Load)
	// What the terminal still answers is read also when ctx has ended: left
	// alone it would be typed into the shell.
	reading, deaf := context.WithCancel(context.WithoutCancel(ctx))
	u := newUI(ctx, h, o)
	u.lent, u.reading = &away, reading
	defer func() {
		stop()
		u.hearOut()
		deaf()
		u.term.leave()
		// A panic goes on when the terminal can show it.
		if r := recover(); r != nil {
			panic(r)
		}
		u.await()
	}()
	if err := u.term.take(reading); err != nil {
		return exitError, err
	}
	defer u.watchSize()()
	u.open()
	u.put(u.compose())
	u.term.ask()
	u.loop()
	u.leave()
	u.certain()
	u.term.write(u.painter.Clear())
	return u.code, nil
}

func newUI(ctx context.Context, h Host, o Options) *ui {
	if o.Now == nil {
		o.Now = time.Now
	}
	u := &ui{o: o, ctx: ctx, reading: ctx, sizing: newSizing(), host: h, sides: newSides(), posts: make(chan func()), tick: time.NewTimer(time.Hour), lent: &atomic.Bool{}}
	u.tick.Stop()
	u.term = newTerminal(o, u.sides)
	u.look = newLook(o)
	u.painter = inline.Painter{Reflows: reflows(o), Rewinds: tmux(o)}
	u.area = area.New(1)
	u.state = u.fresh()
	return u
}

// fresh is the state of a new conversation.
func (u *ui) fresh() screen.State {
	var about About
	if u.o.About != nil {
		about = u.o.About()
	}
	return screen.New(screen.Options{
		Version: u.o.Version, Facts: about.Facts, Passing: about.Passing, Agents: u.o.Agents, Themes: themes(), Lines: u.o.Plain, Now: u.o.Now(),
	})
}

// open shows the beginning of the conversation.
func (u *ui) open() {
	u.measure()
	u.goes(func() { u.errand.work(u.ctx) })
	u.follow()
	switch {
	case u.o.Setup:
		u.carry(screen.StartSetup(u.state, true))
		u.state = screen.Missing(u.state, u.o.Missing)
	case u.o.Prompt != "":
		u.send(u.o.Prompt)
	}
}

// send sends a prompt as if it had been typed.
func (u *ui) send(text string) {
	u.area = u.area.Set(text, len(text))
	u.press("enter", "")
}

// watchSize makes changes of size known; the returned function ends that.
func (u *ui) watchSize() func() {
	if u.o.Resized != nil || u.term.out == nil {
		return func() {}
	}
	c := make(chan struct{}, 1)
	u.o.Resized = c
	return watchSize(u.sides, c)
}

// frameTime is how long the loop takes in what is there before it draws.
const frameTime = 12 * time.Millisecond

// loop waits, takes in everything that is there, and draws.
func (u *ui) loop() {
	for !u.quit {
		u.wait(true)
		until := time.Now().Add(frameTime)
		for !u.quit && u.wait(false) && time.Now().Before(until) {
		}
		if !u.quit {
			u.draw()
		}
	}
}

// wait takes in one thing. Unless it shall block it reports whether there was
// one.
func (u *ui) wait(block bool) bool {
	var idle <-chan struct{} // never, when it blocks
	if !block {
		idle = closed
	}
	// An input is never kept waiting by a flood of events.
	select {
	case list, more := <-u.term.inputs:
		u.typed(list, more)
		return true
	default:
	}
	select {
	case list, more := <-u.term.inputs:
		u.typed(list, more)
	case list := <-u.events:
		u.apply(list)
	case f := <-u.posts:
		f()
	case text := <-u.broke:
		panic(text)
	case <-u.o.Resized:
		u.resized()
	case <-u.sizing.timer.C:
		u.timed()
	case <-u.tick.C:
		at := u.o.Now()
		u.carry(screen.Due(screen.Tick(u.state, at), at))
	case <-u.ctx.Done():
		u.quit, u.code = true, exitInterrupted
	case <-idle:
		return false
	}
	return true
}

// closed is a channel from which there is always something to read.
var closed = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// typed takes in what the terminal sent. When nothing more can come the front
// ends.
func (u *ui) typed(list []input, more bool) {
	if !more {
		u.check()
		u.quit = true
		return
	}
	for i, in := range list {
		switch {
		case in.placed:
			u.placed(in.row)
		case in.size[0] > 0:
			u.sizing.told = in.size
		case u.quit:
			return
		case in.pasted:
			u.carry(screen.Paste(u.state, in.paste))
		case in.focus != 0:
			u.away = in.focus < 0
		case in.mode != nil:
			u.mode(in)
		case in.ground != 0:
			u.look.ground(in.ground > 0)
		case in.name != "":
			burst := in.text != "" && i+1 < len(list) && list[i+1].text != ""
			u.pressAt(u.o.Now(), screen.Key{Name: in.name, Text: in.text, Burst: burst})
		}
	}
}

func (u *ui) press(name, text string) {
	u.pressAt(u.o.Now(), screen.Key{Name: name, Text: text})
}

func (u *ui) pressAt(at time.Time, k screen.Key) {
	u.state = screen.Covered(u.state, u.sizing.held || u.unseen(), at)
	k.At, k.Editor = at, u.snapshot()
	u.key = k
	u.carry(screen.Press(u.state, u.key))
}

// post has a function run in the loop. After the end it does nothing.
func (u *ui) post(f func()) {
	select {
	case u.posts <- f:
	case <-u.ctx.Done():
	}
}

// errReopen says that this front cannot change the conversation.
var errReopen = errors.New("this run cannot change to another session")

// reopen goes to another conversation. What was meant for the old one has
// reached it by then.
func (u *ui) reopen(to Target) {
	u.errand.add(func() {
		h, prompt, err := Host(nil), "", errReopen
		if u.o.Reopen != nil {
			h, prompt, err = u.o.Reopen(u.ctx, to)
		}
		u.post(func() {
			if err != nil {
				u.state = screen.Apply(u.state, event.Error{Message: err.Error()})
				if u.o.Setup {
					u.carry(screen.StartSetup(u.state, true))
				}
				return
			}
			u.unfollow()
			u.state = screen.Left(u.state)
			u.host, u.o.Setup = h, false
			u.settle()
			u.state = screen.Resize(u.fresh(), u.state.Width, u.state.Height)
			u.area = u.area.Set("", 0)
			u.follow()
			if prompt != "" {
				u.send(prompt)
			}
		})
	})
}

// takeBack asks the host for the waiting prompts, the newest or all.
func takeBack(h Host, all bool) []string {
	var texts []string
	for {
		s, ok := h.Unqueue()
		if !ok {
			return texts
		}
		texts = append([]string{s.Text}, texts...)
		if !all {
			return texts
		}
	}
}

// do gives a command to the host, in the order of the keys.
func (u *ui) do(c host.Command) {
	h := u.host
	u.errand.add(func() {
		if err := h.Do(u.ctx, c); err != nil && u.ctx.Err() == nil {
			u.post(func() { u.carry(screen.Refused(u.state, c, err)) })
		}
	})
}

// recall shows what was said before this run, and has the host go on with what
// waited for the user. The host has the answer at hand.
func (u *ui) recall() {
	a, err := u.host.Ask(u.ctx, host.Earlier{})
	if earlier, ok := a.(host.Replay); ok && err == nil { // it goes on without, too
		u.state = screen.Earlier(u.state, earlier)
	}
	u.do(host.Continue{})
}

// ask gives a query to the host. Queries wait for no command and for no other
// query.
func (u *ui) ask(q host.Query) {
	h := u.host
	u.goes(func() {
		a, err := h.Ask(u.ctx, q)
		u.post(func() { u.carry(screen.Answered(u.state, q, a, err)) })
	})
}

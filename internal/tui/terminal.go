package tui

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/cancelreader"
	"golang.org/x/term"
)

// terminal is the way to the terminal and back. The loop alone calls it, but
// for the reading goroutine that it starts.
type terminal struct {
	o     Options
	in    *os.File // nil when Options.In is no terminal
	out   *os.File
	state *term.State // to go back to
	undo  func()      // of what the platform needs
	on    bool
	plain bool // too simple for keys to be told apart

	// inputs is closed when nothing more can come.
	inputs chan []input
	scan   scanner
	reader cancelreader.CancelReader
	stop   context.CancelFunc
	done   chan struct{} // closed when the scanner has ended
	ended  chan struct{} // closed when nothing is read any more
	sides  *sides
}

// escTime is how long an escape waits for what it may begin, pasteTime how
// long the end of a paste is waited for.
const (
	escTime   = 50 * time.Millisecond
	pasteTime = 2 * time.Second
)

// The modes of the terminal: marked pastes, focus, keys told apart.
const (
	modesOn = ansi.SetModeBracketedPaste + ansi.SetModeFocusEvent
	keysOn  = ansi.SetModifyOtherKeys2 + "\x1b[>1u"
	keysOff = "\x1b[<u" + ansi.ResetModifyOtherKeys
	// modesOff also undoes what a frame that was cut short may have left.
	modesOff = ansi.ResetModeFocusEvent + ansi.ResetModeBracketedPaste + ansi.ResetModeSynchronizedOutput +
		ansi.SetModeAutoWrap + ansi.ResetStyle + ansi.SetModeTextCursorEnable
	// questions are answered by terminals that know the modes.
	questions = ansi.RequestModeSynchronizedOutput + ansi.RequestModeBracketedPaste + ansi.RequestBackgroundColor
)

func newTerminal(o Options, beside *sides) *terminal {
	// The way back asks nothing that could break down once more.
	t := &terminal{o: o, sides: beside, plain: o.get("TERM") == "linux"}
	if f, ok := o.In.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		t.in = f
	}
	if f, ok := o.Out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		t.out = f
	}
	return t
}

// basic reports whether the terminal is too simple for keys to be told apart.
func (t *terminal) basic() bool { return t.plain }

// take makes the terminal ours: raw, its modes on, and read from.
func (t *terminal) take(ctx context.Context) error {
	if t.in != nil {
		state, err := term.MakeRaw(int(t.in.Fd()))
		if err != nil {
			return fmt.Errorf("make the terminal raw: %w", err)
		}
		t.state = state
	}
	t.undo = prepare(t.out)
	t.on = true
	modes := modesOn
	if !t.basic() {
		modes += keysOn
	}
	t.write(modes)
	return t.read(ctx)
}

// ask puts the questions whose answers come as inputs.
func (t *terminal) ask() { t.write(questions) }

// leave gives the terminal back as it was. It may be called at any time, and
// more than once.
func (t *terminal) leave() {
	if !t.on {
		return
	}
	t.on = false
	modes := modesOff
	if !t.basic() {
		modes = keysOff + modesOff
	}
	t.write(modes)
	t.unread()
	if t.undo != nil {
		t.undo()
	}
	if t.state != nil {
		// A terminal that is gone cannot be restored.
		_ = term.Restore(int(t.in.Fd()), t.state) // see above
		t.state = nil
	}
}

// keep returns what gives the terminal back as it is now, where it is changed
// by reading alone: a key is read without its echo, and nobody may come to the
// end of that.
func (t *terminal) keep() (restore func()) {
	if t.in == nil {
		return func() {}
	}
	state, err := term.GetState(int(t.in.Fd()))
	if err != nil {
		return func() {} // it is none any more
	}
	return func() { _ = term.Restore(int(t.in.Fd()), state) } // as leave does
}

// write sends bytes. A terminal that is gone is noticed by the reader.
func (t *terminal) write(s string) {
	if s != "" {
		_, _ = io.WriteString(t.o.Out, s) // see above
	}
}

// size is the size in cells.
func (t *terminal) size() (cols, rows int) {
	if t.o.Size != nil {
		return t.o.Size()
	}
	if t.out != nil {
		if w, h, err := term.GetSize(int(t.out.Fd())); err == nil && w > 0 && h > 0 {
			return w, h
		}
	}
	return 80, 24
}

// read begins to read inputs.
func (t *terminal) read(ctx context.Context) error {
	if t.in == nil && t.done != nil {
		return nil // such a reader cannot be stopped: it reads on
	}
	ctx, t.stop = context.WithCancel(ctx)
	from := t.o.In
	if t.in != nil {
		reader, err := uv.NewCancelReader(t.in)
		if err != nil {
			return fmt.Errorf("read the terminal: %w", err)
		}
		t.reader, from = reader, reader
	}
	t.inputs, t.done = make(chan []input), make(chan struct{})
	read := make(chan []byte)
	ended := make(chan struct{})
	t.ended = ended
	t.sides.apart(func() { readAll(ctx, from, read) }, func() {
		close(read)
		close(ended)
	})
	inputs, done := t.inputs, t.done
	t.sides.apart(func() { t.scan.run(ctx, read, inputs) }, func() {
		close(inputs)
		close(done)
	})
	return nil
}

// unread stops reading, and waits until nothing takes what is typed any more.
func (t *terminal) unread() {
	if t.reader == nil {
		return
	}
	t.stop()
	if t.reader.Cancel() {
		<-t.done
		<-t.ended // it may still look at what is closed next
	}
	_ = t.reader.Close() // only the way to cancel is closed
	t.reader, t.inputs = nil, nil
}

// readAll reads until the reader ends.
func readAll(ctx context.Context, r io.Reader, to chan<- []byte) {
	for {
		b := make([]byte, 4096)
		n, err := r.Read(b)
		if n > 0 {
			select {
			case to <- b[:n]:
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// run turns bytes into inputs until they end.
func (s *scanner) run(ctx context.Context, read <-chan []byte, to chan<- []input) {
	late := time.NewTimer(time.Hour)
	defer late.Stop()
	for {
		late.Stop()
		switch {
		case s.pasting:
			late.Reset(pasteTime)
		case s.waits():
			late.Reset(escTime)
		}
		var list []input
		select {
		case b, more := <-read:
			if !more {
				return
			}
			list = s.feed(b)
		case <-late.C:
			list = s.expire()
		case <-ctx.Done():
			return
		}
		if len(list) == 0 {
			continue
		}
		select {
		case to <- list:
		case <-ctx.Done():
			return
		}
	}
}

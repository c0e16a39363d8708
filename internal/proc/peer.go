package proc

import (
	"context"
	"errors"
	"io"
	"os"
	"time"
)

// leave is how long a peer may take to end once its input was closed.
const leave = time.Second

// Peer is a running command that the caller talks with: Write reaches its
// standard input, Read its standard output. What it prints on standard error
// goes to Spec.Out and the Result.
type Peer struct{ h *Handle }

// Open starts a command to talk with. Spec.Stdin is not used. As with Start,
// the command ends with the context.
func Open(ctx context.Context, s Spec) (*Peer, error) {
	s.peer, s.Stdin = true, nil
	h, err := Start(ctx, s)
	if err != nil {
		return nil, err
	}
	return &Peer{h}, nil
}

// Read reads what the command prints; the end of the command is io.EOF.
func (p *Peer) Read(b []byte) (int, error) {
	n, err := p.h.out.ends[streamOut].Read(b)
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, os.ErrClosed) {
		err = io.EOF // this side ended it
	}
	return n, err
}

// Write writes what the command reads.
func (p *Peer) Write(b []byte) (int, error) { return p.h.feed.Write(b) }

// Done is closed when the command and everything it started has ended.
func (p *Peer) Done() <-chan struct{} { return p.h.done }

// Wait returns how the command ended, once it has.
func (p *Peer) Wait() Result { return p.h.Wait() }

// Close closes the command's input, gives it a second to end, and ends it with
// its tree. It returns when nothing of it is left; closing twice is harmless.
func (p *Peer) Close() error {
	_ = p.h.feed.Close() // it may have been closed by the command's end
	t := time.NewTimer(leave)
	defer t.Stop()
	select {
	case <-p.h.done:
	case <-t.C:
		p.h.Interrupt()
		<-p.h.done
	}
	return nil
}

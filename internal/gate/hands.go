package gate

import (
	"sync/atomic"

	"assent/internal/workspace"
)

// Hands open what a granted call planned, and nothing else. The zero value
// opens nothing. They are safe for concurrent use and end with their call.
type Hands struct{ s *span }

// span is the time in which hands work.
type span struct {
	*mint
	closed atomic.Bool
	// ran says that the granted command was started.
	ran atomic.Bool
}

// planned is a path that a call may touch.
type planned struct {
	path        workspace.Path
	dir         string // that the name was read in
	read, write bool
	// tree says that what lies below may be read as well, under that a path is
	// covered only by the tree above it, and so was not judged itself.
	tree, under bool
}

// Close ends the authority. The runner of a call closes its hands.
func (h Hands) Close() {
	if h.s != nil {
		h.s.closed.Store(true)
	}
}

// live returns why the hands do not work, nil when they do.
func (h Hands) live() error {
	switch {
	case h.s == nil:
		return ErrNoGrant
	case h.s.closed.Load():
		return ErrClosed
	}
	return nil
}

// Emit sends a piece of the call's live output to whoever watches.
func (h Hands) Emit(chunk string) {
	if h.live() == nil && chunk != "" && h.s.request.Emit != nil {
		h.s.request.Emit(chunk)
	}
}

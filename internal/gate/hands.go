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

// spread finds what was planned: a patch may name thousands of files, and ask
// for each several times.
type spread struct {
	// at is what the plan says of a path, by its absolute name.
	at    map[string]planned
	trees []planned
}

// plan spreads out the mint's paths. What several subjects say of one path
// is joined, at where the first of them leads.
func (m *mint) plan() *spread {
	m.once.Do(func() {
		m.spread.at = make(map[string]planned, len(m.paths))
		for _, p := range m.paths {
			if p.tree {
				m.spread.trees = append(m.spread.trees, p)
			}
			if first, ok := m.spread.at[p.path.Abs]; ok {
				first.read, first.write, first.tree = p.read || first.read, p.write || first.write, p.tree || first.tree
				p = first
			}
			m.spread.at[p.path.Abs] = p
		}
	})
	return &m.spread
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

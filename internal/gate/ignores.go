package gate

import "assent/internal/workspace"

// ignorer says what the ignore rules leave out.
type ignorer interface {
	Ignored(rel string, dir bool) bool
}

// ignores returns the ignore rules that hold in the root of a path; nil when
// there are none.
func (g *Gate) ignores(p workspace.Path) ignorer { return nil }

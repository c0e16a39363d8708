package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
)

// Errors of grants and hands.
var (
	// ErrNoGrant says that a grant was nil, a zero value, spent already, or of
	// another call. Nothing happened.
	ErrNoGrant = errors.New("the call has no grant")
	// ErrClosed says that hands were used after their call had ended.
	ErrClosed = errors.New("the call has ended, and its authority with it")
	// ErrNotPlanned says that hands were asked for something that the call's
	// plan did not name.
	ErrNotPlanned = errors.New("not part of what was granted")
)

// Grant is the authority to run one call once. Only a Gate makes one that
// works; copies share its one use.
type Grant struct{ m *mint }

// mint is what was granted.
type mint struct {
	gate    *Gate
	request Request
	// asked is the input before hooks rewrote it.
	asked  json.RawMessage
	paths  []planned
	env    []string // that the command runs with besides
	once   sync.Once
	spread spread // the paths, made once
	spent  atomic.Bool
	// trial says that its hands change nothing; changes counts what they were
	// asked for.
	trial   bool
	disk    paths // that a trial was judged by
	changes atomic.Int32
}

// Spend uses the grant up and returns the hands for its call. Tool and input
// must be those that were decided, the input in its canonical spelling; else,
// and on any second use, the error is ErrNoGrant. A wrong tool or input does
// not use the grant up.
func (g *Grant) Spend(tool string, input json.RawMessage) (Hands, error) {
	if g == nil || g.m == nil || g.m.gate == nil {
		return Hands{}, ErrNoGrant
	}
	if tool != g.m.request.Tool || !bytes.Equal(input, g.m.request.Input) {
		return Hands{}, ErrNoGrant
	}
	if !g.m.spent.CompareAndSwap(false, true) {
		return Hands{}, ErrNoGrant
	}
	if !g.m.trial {
		g.m.gate.repeat.ran(g.m.request)
	}
	return Hands{&span{mint: g.m}}, nil
}

// Input is the input that was granted: the call's own, or what a hook made of
// it.
func (g *Grant) Input() json.RawMessage {
	if g == nil || g.m == nil {
		return nil
	}
	return bytes.Clone(g.m.request.Input)
}

// Rewrote returns the granted input if this grant was minted for that call and
// a hook changed its input.
func (g *Grant) Rewrote(id, tool string, asked json.RawMessage) (json.RawMessage, bool) {
	if g == nil || g.m == nil || g.m.request.ID != id || g.m.request.Tool != tool {
		return nil, false
	}
	if !bytes.Equal(g.m.asked, asked) || bytes.Equal(asked, g.m.request.Input) {
		return nil, false
	}
	return g.Input(), true
}

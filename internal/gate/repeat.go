package gate

import (
	"sync"

	"assent/internal/policy"
)

// repeats is the identical call of one turn that asks.
const repeats = 3

// repeat counts identical calls of a turn, so that a model that goes in a
// circle is noticed. A call that changed the world in between starts the count
// of all others anew: running the tests again after an edit is no circle.
type repeat struct {
	mu     sync.Mutex
	counts map[string]int
}

func (r *repeat) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts = nil
}

// arrive counts a call and reports whether it is one too many. The agent's own
// state may be looked at as often as it likes.
func (r *repeat) arrive(q Request) bool {
	if q.Effect == policy.State {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counts == nil {
		r.counts = map[string]int{}
	}
	r.counts[q.key()]++
	return r.counts[q.key()] >= repeats
}

// approve starts the count of a call anew: the user has seen it.
func (r *repeat) approve(q Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.counts, q.key())
}

// ran notes that a call is run.
func (r *repeat) ran(q Request) {
	if q.Effect == policy.State || q.Effect == policy.Read {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for k := range r.counts {
		if k != q.key() {
			delete(r.counts, k)
		}
	}
}

// key tells identical calls.
func (r Request) key() string {
	return r.conversation() + "\x00" + r.Tool + "\x00" + string(r.Input)
}

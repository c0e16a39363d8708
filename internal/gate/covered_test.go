package gate_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"assent/internal/gate"
	"assent/internal/policy"
)

// desk holds questions until a test answers them.
type desk struct {
	come    chan string
	mu      sync.Mutex
	answers map[string]chan gate.Answer
	causes  map[string]error
}

func newDesk() *desk {
	return &desk{come: make(chan string, 8), answers: map[string]chan gate.Answer{}, causes: map[string]error{}}
}

func (d *desk) of(id string) chan gate.Answer {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.answers[id] == nil {
		d.answers[id] = make(chan gate.Answer, 1)
	}
	return d.answers[id]
}

func (d *desk) Approve(ctx context.Context, p gate.Prompt) (gate.Answer, error) {
	d.come <- p.Request.ID
	select {
	case a := <-d.of(p.Request.ID):
		return a, nil
	case <-ctx.Done():
		d.mu.Lock()
		defer d.mu.Unlock()
		d.causes[p.Request.ID] = context.Cause(ctx)
		return gate.Answer{}, context.Cause(ctx)
	}
}

// TestWhatWaitsIsCoveredByAGrant: "always" in answer to one question answers
// the others that it covers, and no more than these.
func TestWhatWaitsIsCoveredByAGrant(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, nil)
	d := newDesk()
	g := gate.New(gate.Options{Workspace: ws, Asker: d, Rules: rules(t, "ask bash(npm publish *)")})
	type verdict struct {
		granted bool
		by      policy.By
	}
	ends := map[string]chan verdict{}
	for id, command := range map[string]string{"first": "npm test a", "covered": "npm test b", "part": "npm test c && make", "other": "make"} {
		ends[id] = make(chan verdict, 1)
		r := bash(command)
		r.ID = id
		go func() {
			grant, decision := g.Decide(t.Context(), r)
			ends[id] <- verdict{grant != nil, decision.By}
		}()
	}
	for range ends {
		<-d.come
	}
	d.of("first") <- gate.Answer{Choice: gate.Session}
	for id, want := range map[string]verdict{"first": {true, policy.ByUser}, "covered": {true, policy.ByRule}} {
		if got := <-ends[id]; got != want {
			t.Errorf("%s: %+v, want %+v", id, got, want)
		}
	}
	d.mu.Lock()
	if err := d.causes["covered"]; !errors.Is(err, gate.ErrCovered) {
		t.Errorf("the covered question ended with %v", err)
	}
	if len(d.causes) != 1 {
		t.Errorf("ended without an answer: %v", d.causes)
	}
	d.mu.Unlock()
	for _, id := range []string{"part", "other"} {
		d.of(id) <- gate.Answer{}
		if got := <-ends[id]; got != (verdict{false, policy.ByUser}) {
			t.Errorf("%s: %+v", id, got)
		}
	}
}

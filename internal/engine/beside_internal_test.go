package engine

import (
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/redact"
)

// What reads the output of a command does not break down with its listener: the
// call is told of it, with where it was.
func TestLiveOutputThatNobodyCanHear(t *testing.T) {
	t.Parallel()
	told := 0
	f := &flight{tell: func(event.Event) { told++; panic("broken front") }, mask: redact.New().Output()}
	f.emit("one\n")
	f.emit("two\n")
	f.end()
	if told != 1 || f.said() != "one\n" {
		t.Errorf("told %d times, kept %q", told, f.said())
	}
	if b := f.broke(); b == nil || b.cause != "broken front" || !strings.Contains(string(b.stack), "beside_internal_test.go") {
		t.Errorf("the call is told %+v", b)
	}
}

// A panic beside the turn is the turn's.
func TestAPanicBesideTheTurnIsTheTurns(t *testing.T) {
	t.Parallel()
	r := &run{messages: make(chan message), over: make(chan struct{})}
	r.beside(func() { panic("broken step") })
	m := <-r.messages
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, "broken step") {
			t.Errorf("recovered %q", text)
		}
	}()
	m.apply()
}

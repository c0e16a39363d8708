package engine

import (
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/redact"
)

// What reads the output of a command does not break down with its listener.
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

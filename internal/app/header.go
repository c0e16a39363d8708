package app

import (
	"fmt"
	"slices"
	"strings"

	"assent/internal/policy"
)

// header tells what holds in a conversation, a fact a line: what asks, what
// does not count, what is off, what the model is told.
func (q *answers) header() string {
	facts := []string{q.asks()}
	l := q.loaded()
	if off := guardsOff(l); len(off) > 0 {
		slices.Sort(off)
		facts = append(facts, "guards that are off: "+strings.Join(off, ", "))
	}
	switch {
	case len(l.trust.Brings) == 0:
	case l.trust.Trusted:
		facts = append(facts, "this project is trusted: "+strings.Join(l.trust.Brings, ", "))
	default:
		facts = append(facts, "this project is not trusted: what "+strings.Join(l.trust.Brings, ", ")+" would loosen or run does not count (assent trust)")
	}
	if files := q.c.notes.files(); len(files) > 0 {
		facts = append(facts, "instructions: "+strings.Join(files, ", "))
	}
	if q.c.flags.demo {
		facts = append(facts, "The model of this demo is scripted: its words come from a file. Everything else is real.")
	}
	return strings.Join(slices.DeleteFunc(facts, func(s string) bool { return s == "" }), "\n")
}

// effects are what a call may do beyond reading, in words.
var effects = []struct {
	effect policy.Effect
	does   string
}{
	{policy.Write, "writes files"},
	{policy.Exec, "runs commands"},
	{policy.Net, "reaches the network"},
	{policy.Foreign, "calls what others serve"},
}

// asks says what asks. Yolo has a line of its own in every header.
func (q *answers) asks() string {
	if q.c.flags.Yolo {
		return ""
	}
	q.c.mu.Lock()
	offered, _ := q.c.offered()
	q.c.mu.Unlock()
	var does []string
	for _, e := range effects {
		for _, t := range offered {
			if t.Effect() == e.effect {
				does = append(does, e.does)
				break
			}
		}
	}
	if len(does) == 0 {
		return "this agent only reads, so nothing asks"
	}
	text := "asks before it " + strings.Join(does[:len(does)-1], ", ")
	if len(does) > 1 {
		text += " or "
	}
	text += does[len(does)-1]
	if n := len(q.c.gate.Rules().All()); n > 0 {
		text += fmt.Sprintf(", unless a rule says otherwise (/permissions lists %d)", n)
	}
	return text
}

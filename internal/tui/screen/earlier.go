package screen

import (
	"fmt"
	"strings"

	"assent/internal/amount"
	"assent/internal/host"
)

// Earlier puts the end of the conversation before this run into the scrollback.
// It is drawn from its events, as it was when it was new.
func Earlier(s State, r host.Replay) State {
	past := New(s.options)
	past.Now, past.Session = s.Now, s.Session
	for _, e := range r.Events {
		past = Apply(past, e)
	}
	past = past.flush().abandon()
	s = s.flush()
	var gone []string
	if r.Left > 0 {
		gone = append(gone, amount.Of(r.Left, "earlier prompt")+" with what followed")
	}
	if r.Cut {
		gone = append(gone, "parts of what is long")
	}
	if len(gone) > 0 {
		s.out = s.out.add(Notice{fmt.Sprintf("Not shown here: %s. All of it: assent sessions show %s", strings.Join(gone, ", and "), s.Session.ID)})
	}
	for _, b := range past.out.list() {
		s.out = s.out.add(b)
	}
	s.answer = past.answer
	s.answer.again = true
	s.title, s.prompts = r.Title, s.prompts+r.Prompts
	return s
}

package screen

import (
	"errors"

	"assent/internal/address"
	"assent/internal/llm"
)

// noAddress says what an address looks like.
const noAddress = "an address begins with https:// or http://, as in https://host/v1"

// setupURL takes the address that was typed.
func (s State) setupURL(p Setup) (State, []Intent) {
	text, ok := address.Complete(p.URL.Text)
	if !ok {
		p.Note = noAddress
		if p.stray(p.URL.Text) {
			p.Note = keyNote
		}
		s.Panel = p
		return s, nil
	}
	p.URL = NewLine(text)
	return s.setupStep(p, false, true)
}

// Optional reports whether the step goes on with nothing typed.
func (p Setup) Optional() bool { return p.Step == SetupKey && p.ownURL() }

// again is the step whose answer an endpoint did not take, if it says so.
func (p Setup) again(err error) Setup {
	var f *llm.Failure
	switch {
	case !errors.As(err, &f):
	case f.Kind == llm.KindAuth:
		p.Step = SetupKey
	case f.Kind == llm.KindNetwork && p.ownURL():
		p.Step = SetupURL
	}
	return p
}

package screen

import (
	"errors"
	"net/url"
	"strings"

	"assent/internal/llm"
)

// noAddress says what an address looks like.
const noAddress = "an address begins with https:// or http://, as in https://host/v1"

// address is an endpoint as it was typed. A server of this machine needs no
// scheme; for any other it is not guessed, as a key goes there.
func address(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "://") {
		text = "http://" + text
		if u, err := url.Parse(text); err != nil || !loopback(u.Hostname()) {
			return "", false
		}
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" || strings.ContainsAny(text, " \t\n") {
		return "", false
	}
	return text, true
}

func loopback(name string) bool {
	return name == "localhost" || name == "::1" || strings.HasPrefix(name, "127.") && strings.Trim(name, "0123456789.") == ""
}

// setupURL takes the address that was typed.
func (s State) setupURL(p Setup) (State, []Intent) {
	text, ok := address(p.URL.Text)
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

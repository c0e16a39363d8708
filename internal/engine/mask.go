package engine

import "strings"

// maxHeld bounds what a mask holds back.
const maxHeld = 4 << 10

// mask masks live output line by line, so that a secret is not missed because
// it came in two pieces.
type mask struct {
	redact func(string) string
	held   string
}

func masker(redact func(string) string) mask { return mask{redact: redact} }

// write returns what can be let out by now.
func (m *mask) write(s string) string {
	m.held += s
	cut := strings.LastIndexAny(m.held, "\n\r") + 1
	if cut == 0 && len(m.held) > maxHeld {
		cut = len(m.held)
	}
	out := m.held[:cut]
	m.held = m.held[cut:]
	if out == "" {
		return ""
	}
	return m.redact(out)
}

// flush returns the rest.
func (m *mask) flush() string {
	out := m.held
	m.held = ""
	if out == "" {
		return ""
	}
	return m.redact(out)
}

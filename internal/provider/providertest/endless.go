package providertest

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/provider"
)

// Endless feeds a response that never ends, one event again and again, and
// checks that it is given up while it costs little.
func Endless(t *testing.T, wire provider.Wire, make Maker, head, piece string) {
	t.Helper()
	s := &suite{wire: wire, make: make, verbs: map[string]bool{}}
	body := &endless{head: []byte(head), piece: bytes.Repeat([]byte(piece), 1+4096/len(piece))}
	m := s.carried(t, func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(body)}, nil
	})
	_, err := m.Stream(t.Context(), s.ask(), nil)
	var f *llm.Failure
	if !errors.As(err, &f) || f.Kind != llm.KindProvider || f.Retryable || !strings.Contains(f.Message, "it passed") {
		t.Errorf("error is %v", err)
	}
	if body.sent > 100<<20 {
		t.Errorf("it was given up after %d MB", body.sent>>20)
	}
}

// endless is a body: a head, and then one piece without end.
type endless struct {
	head, piece []byte
	off, sent   int
}

// Read copies the next bytes.
func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.head)
	e.head = e.head[n:]
	if n == 0 {
		n = copy(p, e.piece[e.off:])
		e.off = (e.off + n) % len(e.piece)
	}
	e.sent += n
	return n, nil
}

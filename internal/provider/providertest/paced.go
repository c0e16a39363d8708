package providertest

import (
	"io"
	"net/http"
	"time"
)

// Paced answers every request with pieces of a body, for tests whose time is
// that of a bubble: it uses no socket.
type Paced struct {
	Pieces []string
	// Pause is what lies between two pieces.
	Pause time.Duration
	// Open keeps the response open after the last piece, until it is given up.
	Open bool
}

// RoundTrip answers one request.
func (p Paced) RoundTrip(r *http.Request) (*http.Response, error) {
	body, more := io.Pipe()
	go func() {
		done := r.Context().Done()
		for i, piece := range p.Pieces {
			if i > 0 {
				select {
				case <-time.After(p.Pause):
				case <-done:
					_ = more.CloseWithError(r.Context().Err())
					return
				}
			}
			_, _ = io.WriteString(more, piece) // the reader may be gone
		}
		if p.Open {
			<-done
		}
		_ = more.CloseWithError(r.Context().Err()) // a plain end where nobody left
	}()
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Request: r, Body: body}, nil
}

package session

import (
	"io"
	"strings"
	"testing"
)

// breaking is a file of which the rest cannot even be read.
type breaking struct {
	head  io.Reader
	after int
}

func (b *breaking) Read(p []byte) (int, error) {
	if b.after--; b.after < 0 {
		panic("broken disk")
	}
	return b.head.Read(p)
}

// A panic while a session is read is its reader's, who has the terminal to give
// back, and nobody waits for what does not come.
func TestAPanicWhileReadingIsTheCallers(t *testing.T) {
	t.Parallel()
	for after := range 3 {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, "broken disk") {
					t.Errorf("%d: recovered %q", after, text)
				}
			}()
			head := strings.NewReader(strings.Repeat(`{"type":"user","text":"x"}`+"\n", 200_000))
			_, _, _ = read(&breaking{head, after}, "id", 64<<20)
			t.Errorf("%d: it came to an end", after)
		}()
	}
}

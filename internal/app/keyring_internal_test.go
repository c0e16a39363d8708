package app

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/zalando/go-keyring"

	"assent/internal/provider"
)

// shut is a keyring that answers nothing until it is opened.
type shut struct {
	asked chan struct{} // closed by the first question
	once  sync.Once
	open  chan struct{}
}

func (s *shut) Get(string, string) (string, error) {
	s.once.Do(func() { close(s.asked) })
	<-s.open
	return "", keyring.ErrNotFound
}

func (s *shut) Set(string, string, string) error { return nil }

func (s *shut) Delete(string, string) error { return nil }

// TestChoosingEndsWithItsContext: a start-up that waits for a locked keyring
// ends with ctrl+c.
func TestChoosingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "openai"} {
		w := newWorld(t)
		s := &shut{asked: make(chan struct{}), open: make(chan struct{})}
		a := w.app()
		a.env.Keyring = s
		l, err := a.load(Flags{Dir: w.root, Provider: name, Model: "m"})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-s.asked
			cancel()
		}()
		if _, err := a.choose(ctx, l, provider.NewCatalogue(nil)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error is %v", name, err)
		}
		close(s.open)
	}
}

package crew_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"assent/internal/crew"
)

// A panic of a goroutine comes to whoever waits, when all have ended.
func TestACrewHandsItsPanicOn(t *testing.T) {
	t.Parallel()
	var c crew.Group
	var ended atomic.Int32
	for i := range 4 {
		c.Go(func() {
			defer ended.Add(1)
			if i == 2 {
				panic("broken worker")
			}
		})
	}
	defer func() {
		text, _ := recover().(string)
		if !strings.Contains(text, "broken worker") || !strings.Contains(text, "crew_test.go") || ended.Load() != 4 {
			t.Errorf("recovered %q after %d", text, ended.Load())
		}
	}()
	c.Wait()
}

// The owner of a goroutine hears of its panic, and then of its end.
func TestThePanicBesideIsTold(t *testing.T) {
	t.Parallel()
	for _, breaks := range []bool{true, false} {
		told, ended := make(chan string, 1), make(chan struct{})
		crew.Beside(func() {
			if breaks {
				panic("broken beside")
			}
		}, func(text string) { told <- text }, func() { close(ended) })
		<-ended
		select {
		case text := <-told:
			if !breaks || !strings.Contains(text, "broken beside") || !strings.Contains(text, "crew_test.go") {
				t.Errorf("breaks %v: told %q", breaks, text)
			}
		default:
			if breaks {
				t.Error("the end came before the panic was told")
			}
		}
	}
}

package host_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/host"
)

// The time in which a question stands open is the user's; of several at once it
// counts once.
func TestTheUserIsWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := host.NewApprovals(func(event.Event) {}, nil, nil)
		ask := func(id string) context.CancelFunc {
			ctx, cancel := context.WithCancel(t.Context())
			go func() { _, _ = a.Approve(ctx, gate.Prompt{Request: gate.Request{ID: id}}) }()
			synctest.Wait()
			return cancel
		}
		pass := func(d time.Duration) {
			time.Sleep(d)
			synctest.Wait()
		}
		pass(time.Second) // nothing asks
		one := ask("1")
		pass(2 * time.Second)
		two := ask("2")
		pass(3 * time.Second)
		one()
		pass(4 * time.Second)
		if got := a.Waited(); got != 9*time.Second {
			t.Errorf("while one is open: %v", got)
		}
		two()
		pass(5 * time.Second)
		three := ask("3")
		pass(time.Second)
		three()
		pass(time.Second)
		if got := a.Waited(); got != 10*time.Second {
			t.Errorf("in all: %v", got)
		}
	})
	if got := (*host.Approvals)(nil).Waited(); got != 0 {
		t.Errorf("where nobody is asked: %v", got)
	}
}

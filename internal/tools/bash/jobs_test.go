package bash_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"assent/internal/tools/bash"
)

// TestAStartThatTakesItsTime: while the environment of a background command is
// being asked for, nobody else waits, and a call that is cancelled meanwhile
// starts nothing.
func TestAStartThatTakesItsTime(t *testing.T) {
	t.Parallel()
	r := newRoom(t, bash.Options{})
	p, g := r.start("bash", "c1", `{"command":"sleep 300","background":true}`, nil)
	if _, err := p.Run(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	asked := make(chan struct{})
	r.procs.Env = func(ctx context.Context) []string {
		close(asked)
		<-ctx.Done()
		return nil
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	p, g = r.start("bash", "c2", `{"command":"echo started > marker; sleep 300","background":true}`, nil)
	go func() {
		_, err := p.Run(ctx, g)
		done <- err
	}()
	<-asked
	if res, err := r.call(t.Context(), "bash_output", `{"id":"bg1"}`); err != nil || !strings.Contains(res.Output, "bg1 is running") {
		t.Errorf("%+v, %v", res, err)
	}
	if res, err := r.call(t.Context(), "bash_kill", `{"id":"bg1"}`); err != nil || !strings.Contains(res.Output, "bg1 has ended") {
		t.Errorf("%+v, %v", res, err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	r.idle()
	if _, err := r.call(t.Context(), "bash_output", `{"id":"bg2"}`); err == nil || !strings.Contains(err.Error(), "there are bg1") {
		t.Errorf("a command was started by a call that was cancelled: %v", err)
	}
}

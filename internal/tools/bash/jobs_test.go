package bash_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"assent/internal/tools/bash"
)

// TestEndedCommandsHoldLittle: what ended commands printed does not pile up,
// neither once it was shown nor when nobody asks for it.
func TestEndedCommandsHoldLittle(t *testing.T) { // not parallel: it measures the memory of the process
	const each = 2_000_000
	r := newRoom(t, bash.Options{Shorten: func(s, _ string) (string, bool) { return s[:min(len(s), 100)], true }})
	flood := func(id string) {
		t.Helper()
		p, g := r.start("bash", id, fmt.Sprintf(`{"command":"yes | head -c %d # %s","background":true}`, each, id), nil)
		if _, err := p.Run(t.Context(), g); err != nil {
			t.Fatal(err)
		}
		r.idle()
	}
	held := func() int {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before := held()
	for i := range 30 {
		flood(fmt.Sprint("c", i))
	}
	if grew := held() - before; grew > 16<<20 {
		t.Errorf("30 commands that nobody asked about hold %d MB", grew>>20)
	}
	for i := range 30 {
		res, err := r.call(t.Context(), "bash_output", fmt.Sprintf(`{"id":"bg%d"}`, i+1))
		if err != nil {
			t.Fatal(err)
		}
		has(t, res.Output, "has ended: exit code 0", "not kept")
		// The newest eight, and the one that ran when they were counted.
		if kept := strings.Contains(res.Output, "y\ny\n"); kept != (i >= 21) {
			t.Errorf("bg%d: what it printed is there: %v", i+1, kept)
		}
	}
	if grew := held() - before; grew > 4<<20 {
		t.Errorf("30 commands that were shown hold %d MB", grew>>20)
	}
	runtime.KeepAlive(r)
}

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

//go:build unix

package proc_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assent/internal/proc"
)

func TestInterruptEndsOneCall(t *testing.T) {
	t.Parallel()
	var table proc.Table
	s := sh(t, "echo begun; sleep 300 & echo $! >>pids; wait")
	one, err := table.Start(t.Context(), "one", s)
	if err != nil {
		t.Fatal(err)
	}
	other := sh(t, "until test -f go; do sleep 0.01; done; echo unharmed")
	two, err := table.Start(t.Context(), "two", other)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.Start(t.Context(), "two", other); err == nil {
		t.Error("a call ran two commands at once")
	}
	until(t, filepath.Join(s.Dir, "pids"))
	if got := table.Running(); !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("running %q", got)
	}
	if !table.Interrupt("one") || table.Interrupt("three") {
		t.Error("Interrupt does not tell what runs")
	}
	r := one.Wait()
	if !r.Interrupted || string(r.Stdout) != "begun\n" {
		t.Errorf("%+v", r)
	}
	gone(t, append(pids(t, s, "pids"), one.Pid())...)
	run(t, proc.Spec{Argv: []string{"touch", filepath.Join(other.Dir, "go")}})
	if r := two.Wait(); r.Interrupted || string(r.Stdout) != "unharmed\n" {
		t.Errorf("%+v", r)
	}
}

func TestNothingLivesAfterClose(t *testing.T) { // SHEL-11
	t.Parallel()
	var table proc.Table
	var list []int
	for _, call := range []string{"a", "b", "c"} {
		s := sh(t, "setsid sleep 300 >/dev/null 2>&1 & echo $! >>pids; wait")
		if _, err := table.Start(t.Context(), call, s); err != nil {
			t.Fatal(err)
		}
		until(t, filepath.Join(s.Dir, "pids"))
		list = append(list, pids(t, s, "pids")...)
	}
	table.Close()
	gone(t, list...)
	if _, err := table.Start(t.Context(), "d", sh(t, "true")); !errors.Is(err, proc.ErrClosed) {
		t.Errorf("started after Close: %v", err)
	}
}

func TestBackgroundOutputByOffset(t *testing.T) {
	t.Parallel()
	s := sh(t, "echo one; until test -f go; do sleep 0.01; done; echo two >&2")
	h, err := proc.Start(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	var seen []byte
	var next int64
	for !strings.Contains(string(seen), "one\n") {
		data, n, lost := h.Output(next)
		if lost != 0 || n != next+int64(len(data)) {
			t.Fatalf("next %d after %d and %d bytes, %d lost", n, next, len(data), lost)
		}
		seen, next = append(seen, data...), n
	}
	select {
	case <-h.Done():
		t.Error("done while it runs")
	default:
	}
	run(t, proc.Spec{Argv: []string{"touch", filepath.Join(s.Dir, "go")}})
	<-h.Done()
	if data, _, _ := h.Output(next); string(data) != "two\n" {
		t.Errorf("since %d: %q", next, data)
	}
}

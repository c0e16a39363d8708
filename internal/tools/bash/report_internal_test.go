package bash

import (
	"strings"
	"testing"
	"time"

	"assent/internal/proc"
)

// TestWhatCouldNotBeEndedIsNamed: a result never says that all was stopped
// when something was not.
func TestWhatCouldNotBeEndedIsNamed(t *testing.T) {
	t.Parallel()
	o := Options{Shorten: func(s, _ string) (string, bool) { return s, false }}
	one := []proc.Remnant{{PID: 4711, User: "root"}}
	many := append(one[:1:1], make([]proc.Remnant, 9)...)
	for _, c := range []struct {
		name string
		res  proc.Result
		want string
	}{
		{"timeout", proc.Result{TimedOut: true, Exit: -1, Left: one}, "[1 process could not be ended from here and still runs: 4711 of root; ask the user to end it]"},
		{"interrupt", proc.Result{Interrupted: true, Exit: -1, Left: one}, "4711 of root"},
		{"behind a leader", proc.Result{Survivors: 10, Left: many}, "[10 processes could not be ended from here and still run: 4711 of root, 0, 0, 0, 0, 5 more; ask the user to end them]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := report(o, "sudo -n tail -f log", c.res, time.Second, false).Output
			if !strings.Contains(got, c.want) || strings.Contains(got, "with everything") {
				t.Errorf("got %q", got)
			}
		})
	}
}

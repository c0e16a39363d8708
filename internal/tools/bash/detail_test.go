package bash_test

import (
	"testing"

	"assent/internal/tools/bash"
)

// TestDetailIsTheWholeCommand: who approves a command of several lines must
// see all of it.
func TestDetailIsTheWholeCommand(t *testing.T) {
	t.Parallel()
	run, ok := bash.Tools(bash.Options{}).Find("bash")
	if !ok {
		t.Fatal("no bash")
	}
	planned, err := run.Prepare("c1", []byte(`{"command":"echo one\nrm two"}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := planned.Request().Detail; got != "echo one\nrm two" {
		t.Errorf("got %q", got)
	}
}

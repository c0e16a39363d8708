package turn_test

import (
	"fmt"
	"testing"

	"assent/internal/llm"
	"assent/internal/turn"
)

// BenchmarkStep is a step with eight calls that read, from the response to the
// next request.
func BenchmarkStep(b *testing.B) {
	said := turn.Said{Stop: llm.StopCalls}
	for i := range 8 {
		said.Calls = append(said.Calls, turn.Call{ID: fmt.Sprint("c", i), Read: true})
	}
	start, _ := turn.Step(turn.State{}, turn.Submitted{})
	b.ReportAllocs()
	for b.Loop() {
		s, _ := turn.Step(start, said)
		for _, c := range said.Calls {
			s, _ = turn.Step(s, turn.Granted{CallID: c.ID})
		}
		for _, c := range said.Calls {
			s, _ = turn.Step(s, turn.Finished{CallID: c.ID, Status: llm.StatusOK})
		}
		if s.Steps() != 2 {
			b.Fatal("it did not go on")
		}
	}
}

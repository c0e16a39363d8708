package turn_test

import (
	"fmt"
	"testing"

	"assent/internal/llm"
	"assent/internal/turn"
)

// A response with calls without number is bounded: the first are decided and
// run, each other one gets a result that says why it was not.
func TestAResponseWithTooManyCalls(t *testing.T) {
	t.Parallel()
	const most, all = 512, 2000
	said := turn.Said{Stop: llm.StopCalls}
	for i := range all {
		said.Calls = append(said.Calls, turn.Call{ID: fmt.Sprint("c", i), Read: i%2 == 0})
	}
	s, _ := turn.Step(turn.State{}, turn.Submitted{})
	s, orders := turn.Step(s, said)
	var permitted, settled []string
	refused, asked := 0, 0
	for len(orders) > 0 {
		var facts []turn.Fact
		for _, o := range orders {
			switch o := o.(type) {
			case turn.Permit:
				permitted = append(permitted, o.CallID)
				facts = append(facts, turn.Granted(o))
			case turn.Run:
				facts = append(facts, turn.Finished{CallID: o.CallID, Status: llm.StatusOK})
			case turn.Settle:
				settled = append(settled, o.CallID)
				if o.Status == llm.StatusError && o.Text != "" {
					refused++
				}
			case turn.Ask:
				asked++
			default:
			}
		}
		orders = nil
		for _, f := range facts {
			var more []turn.Order
			s, more = turn.Step(s, f)
			orders = append(orders, more...)
		}
	}
	if len(permitted) != most || refused != all-most || asked != 1 || len(settled) != all {
		t.Fatalf("%d permitted, %d refused, %d settled, asked %d times", len(permitted), refused, len(settled), asked)
	}
	for i, id := range settled {
		if id != fmt.Sprint("c", i) {
			t.Fatalf("result %d is that of %s", i, id)
		}
	}
}

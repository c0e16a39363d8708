package gate_test

import (
	"testing"

	"assent/internal/gate"
	"assent/internal/policy"
)

// run decides a call and spends its grant.
func run(t *testing.T, g *gate.Gate, r gate.Request) policy.Decision {
	t.Helper()
	grant, d := g.Decide(t.Context(), r)
	if grant != nil {
		if _, err := grant.Spend(r.Tool, grant.Input()); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func TestRepeat(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, map[string]string{"a.txt": "a", "b.txt": "b"})
	a, b, edit := reading("a.txt"), reading("b.txt"), writing("a.txt")
	note := gate.Request{Tool: "todo_write", Effect: policy.State}
	other := a
	other.Conversation = "task-1"
	cases := []struct {
		name  string
		calls []gate.Request
		last  policy.By
	}{
		{"twice is no circle", []gate.Request{a, a}, policy.ByDefault},
		{"the third identical call", []gate.Request{a, a, a}, policy.ByRepeat},
		{"reads in between change nothing", []gate.Request{a, b, a, b, a}, policy.ByRepeat},
		{"state in between changes nothing", []gate.Request{a, note, a, note, a}, policy.ByRepeat},
		{"a write in between does", []gate.Request{a, a, edit, a}, policy.ByDefault},
		{"a write is no reason to write it again", []gate.Request{edit, a, edit, a, edit}, policy.ByRepeat},
		{"state is exempt", []gate.Request{note, note, note, note}, policy.ByDefault},
		{"another conversation", []gate.Request{a, a, other}, policy.ByDefault},
		{"yolo does not pass it", []gate.Request{edit, edit, edit}, policy.ByRepeat},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := gate.New(gate.Options{Workspace: ws, Yolo: true})
			for i, r := range c.calls {
				d := run(t, g, r)
				if last := i == len(c.calls)-1; last && d.By != c.last || !last && d.By == policy.ByRepeat {
					t.Errorf("call %d: %s by %s (%s)", i, d.Verdict, d.By, d.Reason)
				}
			}
			g.Begin()
			if d := run(t, g, c.calls[0]); d.Verdict != policy.Allow {
				t.Errorf("in the next turn: %s by %s", d.Verdict, d.By)
			}
		})
	}
}

func TestRepeatAsks(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, map[string]string{"a.txt": "a"})
	u := &user{answer: gate.Answer{Choice: gate.Once}}
	g := gate.New(gate.Options{Workspace: ws, Asker: u})
	for i := range 6 {
		if d := run(t, g, reading("a.txt")); d.Verdict != policy.Allow {
			t.Fatalf("call %d: %s", i, d.Reason)
		}
	}
	if u.asked() != 2 { // the third and the sixth
		t.Errorf("asked %d times", u.asked())
	}
	if u.prompts[0].Decision.By != policy.ByRepeat || u.prompts[0].Pattern != "" {
		t.Errorf("asked %+v", u.prompts[0].Decision)
	}
}

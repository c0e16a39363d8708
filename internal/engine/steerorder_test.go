package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/session"
)

// inShort is a conversation in a line.
func inShort(items []llm.Item) string {
	var list []string
	for _, it := range items {
		switch it := it.(type) {
		case llm.User:
			list = append(list, "user:"+it.Text)
		case llm.Assistant:
			list = append(list, fmt.Sprintf("assistant:%s+%d", it.Text(), len(it.Calls())))
		case llm.Result:
			list = append(list, "result:"+it.Name)
		case llm.Note:
			list = append(list, "note")
		}
	}
	return strings.Join(list, " ")
}

// A message that was given while the model spoke stands behind what it
// said then, also for a run that goes on with the session: it was not answered
// by that.
func TestSteeringHasOnePlace(t *testing.T) {
	t.Parallel()
	for name, step := range map[string]llmtest.Step{
		"an answer": {Text: "first"},
		"a call":    {Text: "first", Calls: []llmtest.Call{{Name: "slow"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			speak, free := make(chan struct{}), make(chan struct{})
			begun := make(chan string, 1)
			step.Wait = speak
			m := llmtest.New(t, step, llmtest.Step{Text: "second"})
			k := newKit(t, m, func(_ *engine.Options, in *engine.StepInput, _ *gate.Options) {
				in.Tools = append(in.Tools, slow(begun, false, free))
			})
			ch := k.start(t.Context(), engine.Submit{})
			wait[event.Text](t, k.told, nil)
			for _, text := range []string{"one", "two"} {
				if err := k.eng.Steer(t.Context(), engine.Steering{Text: text}); err != nil {
					t.Fatal(err)
				}
			}
			close(speak)
			if len(step.Calls) > 0 {
				<-begun
				if err := k.eng.Steer(t.Context(), engine.Steering{Text: "three"}); err != nil {
					t.Fatal(err)
				}
			}
			close(free)
			k.ended(ch)
			tree, _, err := session.Load(k.log.Path())
			if err != nil {
				t.Fatal(err)
			}
			if disk, memory := inShort(session.Fold(tree.Branch(""))), inShort(k.eng.Items()); disk != memory {
				t.Errorf("on disk\n%s, in memory\n%s", disk, memory)
			}
		})
	}
}

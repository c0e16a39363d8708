package engine_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/provider"
	"assent/internal/provider/providertest"
	"assent/internal/session"
	"assent/internal/turn"
)

func shot(name string) llm.Image {
	return llm.Image{MIME: "image/png", Name: name, Data: []byte("\x89PNG\r\n\x1a\n" + strings.Repeat(name, 20))}
}

// A provider refuses an image, in words that name it or in words that name
// nothing: the turn goes on without it, the user is told of it once, and it
// does not come again in this process; a resume and another model come through
// as well.
func TestARefusedImageOnEveryWire(t *testing.T) {
	t.Parallel()
	for words, message := range map[string]string{"named": "Could not process image: it is not valid.", "unnamed": "Bad request."} {
		for wire, open := range wires(t) {
			t.Run(wire+" "+words, func(t *testing.T) {
				t.Parallel()
				bad, good := shot("bad.png"), shot("good.png")
				body := fmt.Sprintf(`{"type":"error","error":{"type":"invalid_request_error","message":%q,"code":400,"status":"INVALID_ARGUMENT"}}`, message)
				server := providertest.Start(t, fmt.Sprintf("match %q\nrepeat\nstatus 400\nbody %s\n---\nrepeat\ntext answer", base64.StdEncoding.EncodeToString(bad.Data), body))
				key := func(context.Context, bool) (string, error) { return "key", nil }
				conversation := func() engine.Model {
					m, err := open(provider.Options{Name: wire, BaseURL: server.URL(), Key: key})
					if err != nil {
						t.Fatal(err)
					}
					return m
				}
				k := newKit(t, llmtest.New(t), func(_ *engine.Options, in *engine.StepInput, _ *gate.Options) { in.Model = conversation() })
				say := func(e *engine.Engine, told *told, text string, images ...llm.Image) (requests, tellings int) {
					t.Helper()
					before, heard := len(server.Requests()), len(told.all())
					done, err := e.Run(t.Context(), engine.Submit{Text: text, Images: images})
					if err != nil || done.Reason != turn.Stop || done.Text != "answer" {
						t.Fatalf("%s: %+v, %+v, %v, problems %q", text, done, done.Failure, err, server.Problems())
					}
					for _, ev := range told.all()[heard:] {
						if n, ok := ev.(event.Notice); ok && strings.Contains(n.Text, "bad.png") {
							tellings++
						}
					}
					return len(server.Requests()) - before, tellings
				}
				holds := func(im llm.Image) bool {
					all := server.Requests()
					return bytes.Contains(all[len(all)-1].Body, []byte(base64.StdEncoding.EncodeToString(im.Data)))
				}
				say(k.eng, k.told, "one", good)
				if n, told := say(k.eng, k.told, "two", bad); told != 1 || n < 2 {
					t.Errorf("refused: %d requests, told %d times", n, told)
				}
				if words == "named" && !holds(good) {
					t.Error("the good image went too")
				}
				if n, told := say(k.eng, k.told, "three"); told != 0 || n != 1 {
					t.Errorf("after it: %d requests, told %d times", n, told)
				}
				k.in.Model, k.in.Name = conversation(), "another"
				if n, told := say(k.eng, k.told, "four"); told > 1 || n > 4 {
					t.Errorf("another model: %d requests, told %d times", n, told)
				}
				if n, told := say(k.eng, k.told, "five"); told != 0 || n != 1 {
					t.Errorf("after another model: %d requests, told %d times", n, told)
				}
				in := k.in
				in.Model = conversation()
				again := &told{notify: make(chan struct{})}
				e := engine.New(engine.Options{
					Log: k.disk, Gate: k.gate, Items: session.Fold(k.log.Branch()), Tell: again.tell,
					Step: func(context.Context) (engine.StepInput, error) { return in, nil },
				})
				if n, told := say(e, again, "six"); told != 1 || n > 5 {
					t.Errorf("resumed: %d requests, told %d times", n, told)
				}
				if n, told := say(e, again, "seven"); told != 0 || n != 1 {
					t.Errorf("after the resume: %d requests, told %d times", n, told)
				}
			})
		}
	}
}

// Images that were left out in vain come back: what was refused was something
// else, and a model that takes the rest may see them.
func TestImagesThatWereNotAtFault(t *testing.T) {
	t.Parallel()
	bad := llmtest.Step{Fail: &llm.Failure{Kind: llm.KindProvider, Message: "bad request", Status: 400}}
	m := llmtest.New(t, bad, bad, llmtest.Step{Text: "ok"}, llmtest.Step{Text: "fine"})
	k := newKit(t, m)
	if done := k.run(t.Context(), engine.Submit{Text: "see", Images: []llm.Image{shot("a.png")}}); done.Reason != turn.Error {
		t.Fatalf("done %+v", done)
	}
	for range 2 {
		if done := k.run(t.Context(), engine.Submit{Text: "again"}); done.Reason != turn.Stop {
			t.Fatalf("done %+v", done)
		}
	}
	reqs := m.Requests()
	for i, want := range []int{1, 0, 1, 1} {
		if u := reqs[i].Items[0].(llm.User); len(u.Images) != want || strings.Contains(u.Text, "left out") != (want == 0) {
			t.Errorf("request %d has %d images: %q", i, len(u.Images), u.Text)
		}
	}
}

package session

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assent/internal/llm"
	"assent/internal/policy"
)

// same fails when the quick way accepts a line that the decoder refuses, or
// reads it otherwise.
func same(t interface {
	Helper()
	Fatalf(string, ...any)
}, line []byte,
) (quick bool) {
	t.Helper()
	for _, word := range []string{"result", "call", "assistant", "user", "notice"} {
		got, ok := quickBody(word, line)
		if !ok {
			continue
		}
		quick = true
		want := reflect.New(reflect.TypeOf(got))
		if err := json.Unmarshal(line, want.Interface()); err != nil {
			t.Fatalf("accepted %q: %v", line, err)
		}
		if !reflect.DeepEqual(got, want.Elem().Interface()) {
			t.Fatalf("line %q:\ngot  %#v\nwant %#v", line, got, want.Elem())
		}
	}
	return quick
}

func TestTheQuickWayReadsWhatTheDecoderReads(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String()
		draw := func(what string) string { return text.Draw(t, what) }
		var calls []SaidCall
		for range rapid.IntRange(0, 3).Draw(t, "calls") {
			input, err := json.Marshal(map[string]any{draw("key"): draw("value"), "n": []any{1.5, map[string]any{"}": "{"}}})
			if err != nil {
				t.Fatal(err)
			}
			calls = append(calls, SaidCall{ID: draw("id"), Name: draw("name"), Input: input})
		}
		for _, r := range []Record{
			Result{
				CallID: draw("call"), Name: draw("name"), Status: llm.StatusOK, Output: draw("output"),
				Artifact: draw("artifact"), Summary: draw("summary"), Diff: draw("diff"), DurationMS: rapid.Int64Range(0, 1e9).Draw(t, "ms"),
			},
			Call{CallID: draw("call"), Title: draw("title"), Decide: policy.Verdict(draw("verdict")), By: policy.ByUser, Rule: draw("rule"), Reason: draw("reason")},
			Assistant{Text: draw("text"), Calls: calls, Stop: llm.StopCalls, Provider: draw("provider"), Model: draw("model")},
			User{Text: draw("text"), Expanded: draw("expanded"), Turn: rapid.IntRange(0, 1e9).Draw(t, "turn")},
			Notice{Text: draw("text")},
		} {
			line, err := encode(Meta{ID: "i", Parent: "p", Time: time.Unix(0, 0)}, r)
			if err != nil {
				t.Fatal(err)
			}
			if !same(t, line) {
				t.Fatalf("a line of ours is read the slow way: %s", line)
			}
			at := rapid.IntRange(0, len(line)-1).Draw(t, "at")
			line[at] = rapid.Byte().Draw(t, "byte")
			same(t, line)
			same(t, line[:at])
		}
	})
}

func FuzzQuick(f *testing.F) {
	for _, s := range []string{
		`{"type":"result","id":"i","time":"t","callId":"c","status":"ok","output":"a\n\u00e9\ud83d\ude00\\\"/","durationMs":12}`,
		`{"type":"result","output":"\ud83d"}`, `{"type":"result","output":"\`, `{"type":"result","output":"\u12"}`,
		`{"type":"result","images":[],"durationMs":012}`, "{\"type\":\"result\",\"output\":\"\xff\"}",
		`{"type":"result","output":"a","output":"b","Output":"c"}`, `{"type":"result","output":"a","durationMs":99999999999999}`,
		`{"type":"assistant","id":"i","text":"","calls":[{"id":"c","name":"n","input":{"a":"}","b":[{}]}},{"id":"d","name":"n","input":{}}],"stop":"end"}`,
		`{"type":"assistant","calls":[{"id":"c","name":"n","input":{"a":}}]}`, `{"type":"assistant","calls":[]}`, `{"type":"assistant","calls":[{"id":"c","name":"n","input":{}}],"calls":[]}`,
		"{\"type\":\"user\",\"id\":\"a\x01\",\"text\":\"x\",\"turn\":2}", `{"type":"user","text":"x","turn":99999999999}`, `{"type":"user","text":"x","turn":1.5}`,
		`{"type":"call","callId":"c","decision":"allow","by":"user","decision":"deny"}`, `{"type":"notice","text":"x","TEXT":"y"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) { same(t, line) })
}

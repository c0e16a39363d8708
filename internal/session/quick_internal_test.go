package session

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assent/internal/llm"
)

// same fails when the quick way accepts a line that the decoder refuses, or
// reads it otherwise.
func same(t interface {
	Helper()
	Fatalf(string, ...any)
}, line []byte,
) (quick bool) {
	t.Helper()
	got, ok := quickResult(line)
	if !ok {
		return false
	}
	var want Result
	if err := json.Unmarshal(line, &want); err != nil {
		t.Fatalf("accepted %q: %v", line, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("line %q:\ngot  %#v\nwant %#v", line, got, want)
	}
	return true
}

func TestTheQuickWayReadsWhatTheDecoderReads(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String()
		r := Result{
			CallID: text.Draw(t, "call"), Name: text.Draw(t, "name"), Status: llm.StatusOK, Output: text.Draw(t, "output"),
			Artifact: text.Draw(t, "artifact"), Summary: text.Draw(t, "summary"), Diff: text.Draw(t, "diff"),
			DurationMS: rapid.Int64Range(0, 1e9).Draw(t, "ms"),
		}
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
	})
}

func FuzzQuickResult(f *testing.F) {
	for _, s := range []string{
		`{"type":"result","id":"i","time":"t","callId":"c","status":"ok","output":"a\n\u00e9\ud83d\ude00\\\"/","durationMs":12}`,
		`{"type":"result","output":"\ud83d"}`, `{"type":"result","output":"\`, `{"type":"result","output":"\u12"}`,
		`{"type":"result","images":[],"durationMs":012}`, "{\"type\":\"result\",\"output\":\"\xff\"}",
		`{"type":"result","output":"a","output":"b","Output":"c"}`, `{"type":"result","output":"a","durationMs":99999999999999}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) { same(t, line) })
}

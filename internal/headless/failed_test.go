package headless_test

import (
	"bytes"
	"errors"
	"testing"

	"assent/internal/headless"
	"assent/internal/llm"
)

// HEAD-08: a run that could not begin still ends with the event, or the object,
// that every run ends with.
func TestFailedTellsInTheFormatOfTheRun(t *testing.T) {
	t.Parallel()
	f := llm.Failure{Kind: llm.KindPersistence, Message: "the disk is full"}
	const usage = `"usage":{"inputTokens":0,"outputTokens":0,"cachedTokens":0,"cacheWriteTokens":0,"reasoningTokens":0,"costUsd":null}`
	for format, want := range map[headless.Format]string{
		headless.Text: "",
		headless.StreamJSON: `{"type":"error","message":"the disk is full","kind":"persistence","retryable":false}` + "\n" +
			`{"type":"done","reason":"error",` + usage + `,"steps":0,"durationMs":0}` + "\n",
		headless.JSON: `{"sessionId":"","text":"","reason":"error",` + usage + `,"steps":0,"toolCalls":[],` +
			`"error":{"message":"the disk is full","kind":"persistence"}}` + "\n",
	} {
		var out bytes.Buffer
		if err := headless.Failed(headless.Options{Format: format, Out: &out}, f); err != nil || out.String() != want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", format, err, out.String(), want)
		}
		if err := headless.Failed(headless.Options{Format: format, Out: broken{}}, f); (err != nil) != (want != "") {
			t.Errorf("%s: a failed write is %v", format, err)
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken") }

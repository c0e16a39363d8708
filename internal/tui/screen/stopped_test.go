package screen_test

import (
	"slices"
	"testing"

	"assent/internal/event"
	"assent/internal/llm"
	"assent/internal/tui/screen"
)

// The text of a stopped call is the model's; the user sees what it wrote.
func TestWhatIsSaidOfAStoppedCall(t *testing.T) {
	t.Parallel()
	for status, want := range map[llm.Status]screen.Outcome{llm.StatusInterrupted: screen.Interrupted, llm.StatusCancelled: screen.Cancelled} {
		u := busy(t)
		u.tell(event.ToolCall{ID: "1", Name: "bash", Title: "make"}, event.ToolRun{ID: "1"}, event.ToolOutput{ID: "1", Chunk: "one\ntwo\n"},
			event.ToolError{ID: "1", Name: "bash", Error: "Its effects are unknown.", Status: status})
		blocks := u.blocks()
		i := slices.IndexFunc(blocks, func(b screen.Block) bool { _, ok := b.(screen.ToolLine); return ok })
		if line := blocks[i].(screen.ToolLine); line.Outcome != want || line.Summary != "" || line.Output != "one\ntwo" {
			t.Errorf("%s: %+v", status, line)
		}
	}
}

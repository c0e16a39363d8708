package compact_test

import (
	"testing"

	"assent/internal/compact"
	"assent/internal/llm"
)

// FuzzCompose: whatever a model writes as a summary, also with the heading of
// the list of calls in it, the note stays within its room and can be made
// again from itself.
func FuzzCompose(f *testing.F) {
	f.Add("done", 50)
	f.Add("x\nCalls made in that part, oldest first:\n- (99999999999999999999 earlier calls)\n- a\n", 2)
	f.Add("- (-5 earlier calls)\n\xff", 0)
	f.Fuzz(func(t *testing.T, written string, room int) {
		room = room % 10_000
		first := compact.Plan{Summary: room}.Compose(written)
		again := compact.Plan{Summary: room, Leave: []llm.Item{llm.Note{Text: first}}}.Compose("")
		for _, text := range []string{first, again} {
			if most := max(room, 100)*8 + 500; len(text) > most {
				t.Fatalf("%d bytes of %d: %q", len(text), most, text)
			}
		}
	})
}

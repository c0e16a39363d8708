package compact_test

import (
	"fmt"
	"strings"
	"testing"

	"assent/internal/compact"
	"assent/internal/llm"
)

// TestThePromptFits: however long what leaves is, the request for its summary
// stays within its room, and the newest part of it is kept.
func TestThePromptFits(t *testing.T) {
	t.Parallel()
	var items []llm.Item
	for i := range 400 {
		id := fmt.Sprintf("c%d", i)
		items = append(items,
			llm.User{Text: fmt.Sprintf("wish %d %s", i, strings.Repeat("w", 300))},
			llm.Note{Text: "[assent] a note"},
			llm.Assistant{Parts: []llm.Part{
				llm.Text{Text: strings.Repeat("t", 500)},
				llm.Call{ID: id, Name: "run", Input: []byte(`{"command":"` + strings.Repeat("c", 500) + `"}`)},
			}},
			llm.Result{CallID: id, Name: "run", Status: llm.StatusOK, Output: strings.Repeat("r", 500)},
		)
	}
	p := compact.Make(items, compact.Budget{Target: 3000, Summary: 500})
	if p.Tier != compact.Exchanges {
		t.Fatalf("tier %d", p.Tier)
	}
	for _, limit := range []int{1200, 4000, 20000, 1 << 20} {
		ask := p.Prompt("", limit)
		if n := compact.Text(ask); n > limit+200 {
			t.Errorf("limit %d: %d tokens", limit, n)
		}
		if cut := strings.Contains(ask, "[the oldest part is left out]"); cut != (limit <= 20000) {
			t.Errorf("limit %d: cut %t", limit, cut)
		}
	}
}

// EDIT-30, EDIT-31: images that a provider rejects become lines that name
// them.
func TestBlindNamesWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	picture := llm.Image{MIME: "image/png", Name: "a.png", Data: []byte("x")}
	items := []llm.Item{
		llm.User{Text: "look", Images: []llm.Image{picture}},
		llm.Assistant{Parts: []llm.Part{llm.Call{ID: "c", Name: "read_file"}}},
		llm.Result{CallID: "c", Output: "here", Images: []llm.Image{{MIME: "image/gif"}}},
		llm.Note{Text: "n"},
	}
	out, names := compact.Blind(items)
	if strings.Join(names, " ") != "a.png image/gif" || len(out) != len(items) {
		t.Fatalf("names %v, %d items", names, len(out))
	}
	u, r := out[0].(llm.User), out[2].(llm.Result)
	if len(u.Images)+len(r.Images) != 0 || !strings.Contains(u.Text, "the image a.png was left out") || !strings.Contains(r.Output, "image/gif") {
		t.Errorf("got %+v and %+v", u, r)
	}
	if before := items[0].(llm.User); len(before.Images) != 1 {
		t.Error("the items that were given changed")
	}
}

package wireview_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent/internal/llm"
	"assent/internal/wireview"
)

const (
	provider = "acme"
	model    = "m-1"
)

func own(data string) llm.Opaque {
	return llm.Opaque{Provider: provider, Model: model, Data: []byte(data)}
}

func foreign(data string) llm.Opaque {
	return llm.Opaque{Provider: provider, Model: "m-0", Data: []byte(data)}
}

func call(id string) llm.Call {
	return llm.Call{ID: id, Name: "read_file", Input: json.RawMessage(`{"path":"a.go"}`)}
}

func said(parts ...llm.Part) llm.Assistant {
	return llm.Assistant{Parts: parts, Provider: provider, Model: model}
}

func result(id string) llm.Result {
	return llm.Result{CallID: id, Name: "read_file", Status: llm.StatusOK, Output: "out " + id}
}

var go1 = llm.User{Text: "go"}

func TestRepair(t *testing.T) {
	t.Parallel()
	missing := llm.Result{
		CallID: "a", Name: "read_file", Status: llm.StatusInterrupted,
		Output: "The call was interrupted before it brought a result. Its effects are unknown.",
	}
	renamed := result("a_2")
	renamed.Output = "out a"
	tests := []struct {
		name     string
		in, want []llm.Item
	}{
		{"nothing", []llm.Item{}, []llm.Item{}},
		{
			"CTX-01 CTX-02 CTX-05 a call without a result",
			[]llm.Item{go1, said(call("a"))},
			[]llm.Item{go1, said(call("a")), missing},
		},
		{
			"CTX-04 an orphan call in the middle",
			[]llm.Item{go1, said(call("a")), go1, said(call("b")), result("b"), go1},
			[]llm.Item{go1, said(call("a")), missing, go1, said(call("b")), result("b"), go1},
		},
		{
			"a result without a call",
			[]llm.Item{go1, result("x"), said(llm.Text{Text: "hi"}), result("y")},
			[]llm.Item{go1, said(llm.Text{Text: "hi"})},
		},
		{
			"two results for one call",
			[]llm.Item{go1, said(call("a")), result("a"), result("a")},
			[]llm.Item{go1, said(call("a")), result("a")},
		},
		{
			"results out of order and behind a steering message",
			[]llm.Item{go1, said(call("a"), call("b")), result("b"), llm.User{Text: "wait"}, result("a")},
			[]llm.Item{go1, said(call("a"), call("b")), result("a"), result("b"), llm.User{Text: "wait"}},
		},
		{
			"ids that repeat",
			[]llm.Item{go1, said(call("a")), result("a"), said(call("a")), result("a")},
			[]llm.Item{go1, said(call("a")), result("a"), said(call("a_2")), renamed},
		},
		{
			"ids that repeat within one response",
			[]llm.Item{go1, said(call("a"), call("a")), result("a"), result("a")},
			[]llm.Item{go1, said(call("a"), call("a_2")), result("a"), renamed},
		},
		{
			"empty content",
			[]llm.Item{llm.User{Text: " \n"}, go1, llm.Note{}, said(llm.Text{Text: "\n\n"}), said(), go1},
			[]llm.Item{go1, go1},
		},
		{
			"an empty result",
			[]llm.Item{go1, said(call("a")), llm.Result{CallID: "a", Name: "read_file", Status: llm.StatusOK}},
			[]llm.Item{go1, said(call("a")), llm.Result{CallID: "a", Name: "read_file", Status: llm.StatusOK, Output: "(no output)"}},
		},
		{
			"CTX-10 PROV-05 foreign opaque data and reasoning",
			[]llm.Item{go1, said(
				llm.Reasoning{Text: "hm", Opaque: foreign("sig")},
				llm.Text{Text: "so", Opaque: foreign("id")},
				llm.Reasoning{Text: "untagged"},
				llm.Reasoning{Opaque: own("sig")},
				llm.Text{Opaque: own("id")},
			)},
			[]llm.Item{go1, said(
				llm.Text{Text: "so"},
				llm.Reasoning{Opaque: own("sig")},
				llm.Text{Opaque: own("id")},
			)},
		},
		{
			"reasoning that closes a response",
			[]llm.Item{go1, said(llm.Text{Text: "so"}, llm.Reasoning{Opaque: own("s")}), said(llm.Reasoning{Opaque: own("s")})},
			[]llm.Item{go1, said(llm.Text{Text: "so"})},
		},
		{
			"PROV-10 empty arguments",
			[]llm.Item{go1, said(llm.Call{ID: "a", Name: "ls", Opaque: own("x")}), result("a")},
			[]llm.Item{
				go1, said(llm.Call{ID: "a", Name: "ls", Input: json.RawMessage("{}")}),
				llm.Result{CallID: "a", Name: "ls", Status: llm.StatusOK, Output: "out a"},
			},
		},
		{
			"arguments that were cut, a name that no wire takes",
			[]llm.Item{go1, said(llm.Call{ID: "a", Name: "fs.read", Input: json.RawMessage("{\"path\":\"a\n")}), result("a")},
			[]llm.Item{
				go1, said(llm.Call{ID: "a", Name: "fs_read", Input: json.RawMessage(`{"_raw":"{\"path\":\"a\n"}`)}),
				llm.Result{CallID: "a", Name: "fs_read", Status: llm.StatusOK, Output: "out a"},
			},
		},
		{
			"an image that no wire takes",
			[]llm.Item{llm.User{Text: "see", Images: []llm.Image{{MIME: "image/bmp", Data: []byte("BM"), Name: "a.bmp"}, {MIME: "image/png", Data: []byte("\x89PNG\r\n\x1a\nP")}}}},
			[]llm.Item{llm.User{
				Text:   "see\n(The image a.bmp could not be sent: it is empty or of an unknown kind.)",
				Images: []llm.Image{{MIME: "image/png", Data: []byte("\x89PNG\r\n\x1a\nP")}},
			}},
		},
		{
			"an image that is said to be of another kind",
			[]llm.Item{go1, said(call("a")), llm.Result{CallID: "a", Output: "x", Images: []llm.Image{{MIME: "image/jpeg", Data: []byte("GIF89aG")}}}},
			[]llm.Item{go1, said(call("a")), llm.Result{CallID: "a", Name: "read_file", Output: "x", Images: []llm.Image{{MIME: "image/gif", Data: []byte("GIF89aG")}}}},
		},
		{
			"an image that is too large",
			[]llm.Item{llm.User{Images: []llm.Image{{MIME: "image/png", Name: "big.png", Data: append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 21<<20)...)}}}},
			[]llm.Item{llm.User{Text: "(The image big.png could not be sent: it is larger than 20 MB.)"}},
		},
		{
			"a list that begins with a response",
			[]llm.Item{said(llm.Text{Text: "hi"}), go1},
			[]llm.Item{llm.Note{Text: "(The earlier part of this conversation is not shown.)"}, said(llm.Text{Text: "hi"}), go1},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := wireview.Repair(tt.in, provider, model)
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

// fault returns why a list is not valid for a wire, "" when it is.
func fault(items []llm.Item) string {
	ids := map[string]bool{}
	var open []llm.Call
	for i, it := range items {
		if res, ok := it.(llm.Result); ok {
			switch {
			case len(open) == 0 || open[0].ID != res.CallID || open[0].Name != res.Name:
				return fmt.Sprintf("item %d: result of %s is out of place", i, res.CallID)
			case res.Output == "" && len(res.Images) == 0:
				return fmt.Sprintf("item %d: empty result", i)
			}
			open = open[1:]
			continue
		}
		if len(open) > 0 {
			return fmt.Sprintf("item %d: call %s has no result", i, open[0].ID)
		}
		switch it := it.(type) {
		case llm.User:
			if it.Text == "" && len(it.Images) == 0 {
				return fmt.Sprintf("item %d: empty user text", i)
			}
		case llm.Note:
			if it.Text == "" {
				return fmt.Sprintf("item %d: empty note", i)
			}
		case llm.Result: // judged above
		case llm.Assistant:
			if i == 0 {
				return "a response opens the list"
			}
			if s := partsFault(it, ids); s != "" {
				return fmt.Sprintf("item %d: %s", i, s)
			}
			open = it.Calls()
		}
	}
	if len(open) > 0 {
		return fmt.Sprintf("end: call %s has no result", open[0].ID)
	}
	return ""
}

var wireName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func partsFault(a llm.Assistant, ids map[string]bool) string {
	if len(a.Parts) == 0 {
		return "no parts"
	}
	for i, p := range a.Parts {
		var o llm.Opaque
		switch p := p.(type) {
		case llm.Text:
			if o = p.Opaque; strings.TrimSpace(p.Text) == "" && o.Provider == "" {
				return "blank text"
			}
		case llm.Reasoning:
			if o = p.Opaque; o.Provider == "" || i == len(a.Parts)-1 {
				return "reasoning without a place"
			}
		case llm.Call:
			o = p.Opaque
			var object map[string]any
			if json.Unmarshal(p.Input, &object) != nil || ids[p.ID] || !wireName.MatchString(p.Name) {
				return "a call that no wire takes: " + p.ID
			}
			ids[p.ID] = true
		}
		if o.Provider != "" && (o.Provider != provider || o.Model != model) {
			return "foreign opaque data"
		}
	}
	return ""
}

// anyItems draws a history as wild as disks and providers make them.
func anyItems() *rapid.Generator[[]llm.Item] {
	id := rapid.SampledFrom([]string{"", "a", "b", "a_2", "functions.ls:0"})
	text := rapid.SampledFrom([]string{"", " ", "text", "\xff"})
	opaque := rapid.SampledFrom([]llm.Opaque{{}, own("o"), own(""), foreign("f"), {Provider: "else", Model: model, Data: []byte("x")}})
	input := rapid.SampledFrom([]string{"", "null", "[]", "{}", ` {"a": 1}`, `{"a":`, "\xff", "{\"a\":\"\xff\"}"})
	image := rapid.SampledFrom([]llm.Image{{}, {MIME: "image/png", Data: []byte("p")}, {MIME: "text/html", Data: []byte("p")}})
	images := rapid.SliceOfN(image, 0, 2)
	part := rapid.Custom(func(t *rapid.T) llm.Part {
		switch rapid.IntRange(0, 2).Draw(t, "part") {
		case 0:
			return llm.Text{Text: text.Draw(t, "text"), Opaque: opaque.Draw(t, "opaque")}
		case 1:
			return llm.Reasoning{Text: text.Draw(t, "text"), Opaque: opaque.Draw(t, "opaque")}
		}
		return llm.Call{
			ID: id.Draw(t, "id"), Name: rapid.SampledFrom([]string{"", "ls", "fs.ls", "é"}).Draw(t, "name"),
			Input: json.RawMessage(input.Draw(t, "input")), Opaque: opaque.Draw(t, "opaque"),
		}
	})
	item := rapid.Custom(func(t *rapid.T) llm.Item {
		switch rapid.IntRange(0, 5).Draw(t, "item") {
		case 0:
			return llm.User{Text: text.Draw(t, "text"), Images: images.Draw(t, "images")}
		case 1:
			return llm.Note{Text: text.Draw(t, "text")}
		case 2, 3:
			return llm.Assistant{Parts: rapid.SliceOfN(part, 0, 4).Draw(t, "parts"), Provider: provider, Model: model}
		}
		return llm.Result{CallID: id.Draw(t, "id"), Name: "ls", Status: llm.StatusOK, Output: text.Draw(t, "text"), Images: images.Draw(t, "images")}
	})
	return rapid.SliceOfN(item, 0, 12)
}

func TestRepairMakesAnyListValid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		items := anyItems().Draw(t, "items")
		once := wireview.Repair(items, provider, model)
		if s := fault(once); s != "" {
			t.Fatalf("%s in %+v", s, once)
		}
		if twice := wireview.Repair(once, provider, model); !reflect.DeepEqual(twice, once) {
			t.Fatalf("repairing twice gives %+v\nonce %+v", twice, once)
		}
		if foreign := wireview.Repair(once, "else", model); fault(foreign) != "" && !strings.Contains(fault(foreign), "foreign") {
			t.Fatalf("%s for another provider", fault(foreign))
		}
	})
}

// TestRepairHoldsAtAnyCut is the law of compaction: whatever stretch of a
// valid history is taken out, what remains can be sent, every call that is
// left keeps its own result, and a new epoch shows nothing that is bound to
// what went.
func TestRepairHoldsAtAnyCut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		valid := wireview.Repair(anyItems().Draw(t, "items"), provider, model)
		from := rapid.IntRange(0, len(valid)).Draw(t, "from")
		to := rapid.IntRange(from, len(valid)).Draw(t, "to")
		cut := append(append([]llm.Item{}, valid[:from]...), valid[to:]...)
		results := map[string]llm.Result{}
		for _, it := range cut {
			if res, ok := it.(llm.Result); ok {
				results[res.CallID] = res
			}
		}
		got := wireview.Repair(wireview.Strip(cut), provider, model)
		if s := fault(got); s != "" {
			t.Fatalf("%s in %+v", s, got)
		}
		for _, it := range got {
			switch it := it.(type) {
			case llm.Result:
				if had, ok := results[it.CallID]; ok && it.Status != llm.StatusInterrupted && !reflect.DeepEqual(had, it) {
					t.Fatalf("result became %+v, was %+v", it, had)
				}
			case llm.Assistant:
				for _, p := range it.Parts {
					if _, ok := p.(llm.Reasoning); ok || !reflect.DeepEqual(opaqueOf(p), llm.Opaque{}) {
						t.Fatalf("a new epoch shows %+v", p)
					}
				}
			case llm.User, llm.Note:
			}
		}
	})
}

func opaqueOf(p llm.Part) llm.Opaque {
	switch p := p.(type) {
	case llm.Text:
		return p.Opaque
	case llm.Reasoning:
		return p.Opaque
	case llm.Call:
		return p.Opaque
	}
	return llm.Opaque{}
}

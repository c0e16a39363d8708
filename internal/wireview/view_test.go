package wireview_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"assent/internal/llm"
	"assent/internal/wireview"
)

// lines is a wire for tests: one JSON string an item, marks behind the last.
type lines struct{ rendered int }

func (l *lines) Head(req llm.Request) []byte {
	return fmt.Appendf(nil, `{"model":%q,"tools":%d,"items":[`, req.Model, len(req.Tools))
}

func (l *lines) Items(items []llm.Item) wireview.Chunk {
	l.rendered += len(items)
	var b []byte
	for i, it := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = wireview.AppendString(b, fmt.Sprintf("%T %+v", it, it))
	}
	return wireview.Chunk{Bytes: b, Mark: len(b)}
}

func (l *lines) Tail(req llm.Request) []byte {
	return fmt.Appendf(nil, `],"max":%d}`, req.MaxOutput)
}

func body(tb testing.TB, v *wireview.View, req llm.Request, c wireview.Codec) wireview.Body {
	tb.Helper()
	b, err := v.Body(req, c)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func read(tb testing.TB, b wireview.Body) string {
	tb.Helper()
	data, err := io.ReadAll(b.Reader())
	if err != nil {
		tb.Fatal(err)
	}
	if int64(len(data)) != b.Len() {
		tb.Fatalf("Len says %d, the reader gave %d", b.Len(), len(data))
	}
	return string(data)
}

func TestViewRendersOnlyWhatIsNew(t *testing.T) {
	t.Parallel()
	v, c := wireview.New(provider), &lines{}
	req := llm.Request{Model: model, Items: []llm.Item{go1}}
	first := body(t, v, req, c)
	req.Items = append(req.Items, said(call("a")), result("a"))
	req.MaxOutput = 9
	second := body(t, v, req, c)
	if c.rendered != 3 {
		t.Errorf("rendered %d items, want each once: 3", c.rendered)
	}
	prefix := strings.TrimSuffix(read(t, first), `],"max":0}`)
	if !strings.HasPrefix(read(t, second), prefix) {
		t.Errorf("%s does not extend %s", read(t, second), prefix)
	}
	if !json.Valid(second.Bytes()) || string(second.Bytes()) != read(t, second) {
		t.Errorf("not one JSON value: %s", second.Bytes())
	}
	if again := read(t, body(t, v, req, c)); again != read(t, second) || c.rendered != 3 {
		t.Errorf("a repeated request became %s", again)
	}
}

func TestViewMarksTheLastTwoBatches(t *testing.T) {
	t.Parallel()
	v, c := wireview.New(provider), &lines{}
	req := llm.Request{Model: model}
	var b wireview.Body
	for i := range 3 {
		req.Items = append(req.Items, llm.User{Text: fmt.Sprint("u", i)})
		b = body(t, v, req, c)
	}
	plain, marked := read(t, b), read(t, b.Marked(`+"!"`))
	if strings.ReplaceAll(marked, `+"!"`, "") != plain || strings.Count(marked, `+"!"`) != 2 {
		t.Errorf("marked: %s", marked)
	}
	if !strings.HasSuffix(marked, `"+"!"],"max":0}`) {
		t.Errorf("the last batch is not marked: %s", marked)
	}
	if read(t, b) != plain {
		t.Error("marking changed the body itself")
	}
}

func TestViewRefusesAChangedPrefix(t *testing.T) {
	t.Parallel()
	schema := json.RawMessage(`{"type":"object"}`)
	base := func() llm.Request {
		return llm.Request{
			Model: model, System: "s", Level: llm.LevelLow,
			Tools: []llm.Spec{{Name: "ls", Schema: schema}},
			Items: []llm.Item{go1, said(llm.Text{Text: "t", Opaque: own("o")}, call("a")), result("a"), llm.Note{Text: "n"}},
		}
	}
	tests := []struct {
		field  string
		change func(*llm.Request)
	}{
		{"model", func(r *llm.Request) { r.Model = "m-2" }},
		{"level", func(r *llm.Request) { r.Level = llm.LevelHigh }},
		{"system", func(r *llm.Request) { r.System = "now" }}, // CTX-24
		{"tools", func(r *llm.Request) { r.Tools = nil }},
		{"tools[0] (ls)", func(r *llm.Request) { r.Tools = []llm.Spec{{Name: "ls", Schema: json.RawMessage(`{}`)}} }},
		{"items[2]", func(r *llm.Request) { r.Items = r.Items[:2] }},
		{"items[0]", func(r *llm.Request) { r.Items[0] = llm.Note{Text: "go"} }},
		{"items[1]", func(r *llm.Request) { r.Items[1] = said(llm.Text{Text: "t", Opaque: own("p")}, call("a")) }},
		{"items[2]", func(r *llm.Request) { r.Items[2] = llm.Result{CallID: "a", Output: "stub"} }}, // CTX-27
		{"items[3]", func(r *llm.Request) { r.Items[3] = llm.Note{Text: "m"} }},
	}
	for _, tt := range tests {
		t.Run(tt.field, func(t *testing.T) {
			t.Parallel()
			v, c := wireview.New(provider), &lines{}
			before := read(t, body(t, v, base(), c))
			req := base()
			tt.change(&req)
			_, err := v.Body(req, c)
			var pe *wireview.PrefixError
			if !errors.As(err, &pe) || pe.Field != tt.field {
				t.Fatalf("got %v, want a PrefixError of %s", err, tt.field)
			}
			if after := read(t, body(t, v, base(), c)); after != before {
				t.Errorf("a refused request changed the view: %s", after)
			}
			req.Epoch = 1
			body(t, v, req, c)
		})
	}
}

func TestViewBeginsAnEpochWithoutReasoning(t *testing.T) {
	t.Parallel()
	v, c := wireview.New(provider), &lines{}
	req := llm.Request{Model: model, Items: []llm.Item{go1}}
	body(t, v, req, c)
	req.Items = append(req.Items, said(llm.Reasoning{Text: "SECRET", Opaque: own("SECRET")}, llm.Text{Text: "open", Opaque: own("SECRET")}), go1)
	if within := read(t, body(t, v, req, c)); strings.Count(within, "SECRET") != 1 {
		// Bytes print as numbers, so only the readable reasoning shows.
		t.Fatalf("reasoning does not go back within its epoch: %s", within)
	}
	for name, renew := range map[string]func(){
		"epoch":   func() { req.Epoch++ },
		"restart": v.Restart,
	} {
		renew()
		got := read(t, body(t, v, req, c))
		if strings.Contains(got, "SECRET") || strings.Contains(got, "[83 69") || !strings.Contains(got, "open") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestViewRerendersWhatTheEpochMayShow keeps the reasoning of this epoch, and
// only of this one.
func TestViewRerendersWhatTheEpochMayShow(t *testing.T) {
	t.Parallel()
	v, c := wireview.New(provider), &lines{}
	old := said(llm.Reasoning{Text: "OLD", Opaque: own("")}, llm.Text{Text: "a"})
	req := llm.Request{Model: model, Items: []llm.Item{go1, old, go1}}
	body(t, v, req, c)
	req.Items = append(req.Items, said(llm.Reasoning{Text: "NEW", Opaque: own("")}, llm.Text{Text: "b"}), go1)
	body(t, v, req, c)
	v.Rerender()
	req.Items = append(req.Items, go1)
	c.rendered = 0
	got := read(t, body(t, v, req, c))
	if strings.Contains(got, "OLD") || !strings.Contains(got, "NEW") || c.rendered != 6 {
		t.Errorf("rendered %d items: %s", c.rendered, got)
	}
}

func TestViewNamesCallsApart(t *testing.T) {
	t.Parallel()
	v, c := wireview.New(provider), &lines{}
	req := llm.Request{Model: model, Items: []llm.Item{go1, said(call("a")), result("a")}}
	body(t, v, req, c)
	for _, want := range []string{"a_2", "a_3"} {
		if got := v.Unique("a"); got != want {
			t.Errorf("Unique gave %s, want %s", got, want)
		}
	}
	if v.Unique("b") != "b" || v.Unique("") == "" {
		t.Error("a free id must be kept and an empty one filled")
	}
	// A late double of an answered call is renamed within the epoch too, and a
	// late result of it is nobody's.
	req.Items = append(req.Items, result("a"), said(call("a")), result("a"))
	got := read(t, body(t, v, req, c))
	if strings.Count(got, "a_2") != 2 || strings.Count(got, "out a") != 2 {
		t.Errorf("got %s", got)
	}
}

// TestViewBatchesAreStable holds the prefix law over any history and any way
// of cutting it into requests.
func TestViewBatchesAreStable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := anyItems().Draw(t, "items")
		v, c := wireview.New(provider), &lines{}
		req := llm.Request{Model: model}
		last, n := "", 0
		for n < len(all) {
			n = rapid.IntRange(n, len(all)).Draw(t, "n")
			if n == len(req.Items) && n < len(all) {
				n++
			}
			req.Items = append([]llm.Item{}, all[:n]...)
			b, err := v.Body(req, c)
			if err != nil {
				t.Fatal(err)
			}
			got := string(b.Bytes())
			if !json.Valid([]byte(got)) {
				t.Fatalf("not JSON: %s", got)
			}
			got = strings.TrimSuffix(got, `],"max":0}`)
			if !strings.HasPrefix(got, last) {
				t.Fatalf("%s\ndoes not extend\n%s", got, last)
			}
			last = got
		}
	})
}

func TestBodyReaders(t *testing.T) {
	t.Parallel()
	v, c := wireview.New(provider), &lines{}
	b := body(t, v, llm.Request{Model: model, Items: []llm.Item{go1}}, c)
	if err := iotest.TestReader(b.Reader(), b.Bytes()); err != nil {
		t.Error(err)
	}
	var buf bytes.Buffer
	if n, err := io.Copy(&buf, b.Reader()); err != nil || n != b.Len() || buf.String() != string(b.Bytes()) {
		t.Errorf("WriteTo gave %d bytes, %v", n, err)
	}
}

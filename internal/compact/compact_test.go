package compact_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent/internal/compact"
	"assent/internal/llm"
	"assent/internal/llm/llmtest"
)

// history is a conversation of n exchanges with outputs of a size, the last
// call left open when open is set.
func history(n, output int, open bool) []llm.Item {
	items := []llm.Item{llm.User{Text: "Fix the tests. The database runs on port 5433."}}
	for i := range n {
		id := fmt.Sprintf("c%d", i)
		items = append(items, llm.Assistant{Parts: []llm.Part{
			llm.Reasoning{Text: strings.Repeat("think ", 20), Opaque: llm.Opaque{Provider: "p", Data: []byte("sealed")}},
			llm.Text{Text: "Next.", Opaque: llm.Opaque{Provider: "p", Data: []byte("id")}},
			llm.Call{ID: id, Name: "read_file", Input: json.RawMessage(fmt.Sprintf(`{"path":"f%d.go"}`, i)), Opaque: llm.Opaque{Provider: "p", Data: []byte("id")}},
		}})
		if open && i == n-1 {
			break
		}
		status := llm.StatusOK
		if i%7 == 3 {
			status = llm.StatusError
		}
		items = append(items, llm.Result{CallID: id, Name: "read_file", Status: status, Output: strings.Repeat("x", output)})
		if i%10 == 9 {
			items = append(items, llm.User{Text: fmt.Sprintf("Also mind %d.", i)})
		}
	}
	return items
}

func TestTheLadder(t *testing.T) {
	t.Parallel()
	items := history(40, 2000, false)
	whole := compact.Tokens(items...)
	cases := []struct {
		name   string
		target int
		tier   compact.Tier
	}{
		{"it fits without reasoning", whole - 500, compact.Reasoning},
		{"old results leave", whole / 2, compact.Results},
		{"the oldest exchanges leave", 1500, compact.Exchanges},
		{"even the last exchange is cut", 10, compact.Rest},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := compact.Make(items, compact.Budget{Target: c.target})
			if p.Tier != c.tier {
				t.Fatalf("tier %d, want %d", p.Tier, c.tier)
			}
			out := p.Apply(nil, p.Compose("What was done."))
			if n := compact.Tokens(out...); n > c.target && c.tier < compact.Rest || n >= whole {
				t.Errorf("%d tokens, target %d, before %d", n, c.target, whole)
			}
			if err := llmtest.WellFormed(out); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTheWidestRecentTailStaysWhole(t *testing.T) {
	t.Parallel()
	items := history(20, 4000, false)
	p := compact.Make(items, compact.Budget{Target: compact.Tokens(items...) / 2})
	out := p.Apply(map[string]string{"c0": "c0.txt"}, "")
	var whole []bool
	for _, it := range out {
		if r, ok := it.(llm.Result); ok {
			whole = append(whole, len(r.Output) == 4000)
		}
	}
	first := slices.Index(whole, true)
	if first <= 0 || slices.Contains(whole[first:], false) {
		t.Errorf("not a tail: %v", whole)
	}
	if r := out[2].(llm.Result); !strings.Contains(r.Output, `read_output with the id "c0.txt"`) || !strings.Contains(r.Output, "4000 characters") {
		t.Errorf("the line %q", r.Output)
	}
	// CTX-21: what failed says how.
	for _, it := range out {
		if r, ok := it.(llm.Result); ok && r.Status != llm.StatusOK && !strings.HasPrefix(r.Output, "xxx") {
			t.Errorf("a failed result lost its reason: %q", r.Output)
		}
	}
}

func TestACallThatWaitsStays(t *testing.T) {
	t.Parallel()
	for _, target := range []int{100_000, 3000, 800, 50} {
		out := compact.Make(history(30, 3000, true), compact.Budget{Target: target}).Apply(nil, "s")
		last, ok := out[len(out)-1].(llm.Assistant)
		if !ok || len(last.Calls()) != 1 || last.Calls()[0].ID != "c29" {
			t.Errorf("target %d: the last item is %#v", target, out[len(out)-1])
		}
	}
}

// TestTheUsersWordsSurvive is CTX-22.
func TestTheUsersWordsSurvive(t *testing.T) {
	t.Parallel()
	p := compact.Make(history(60, 4000, false), compact.Budget{Target: 4000})
	if p.Tier != compact.Exchanges {
		t.Fatalf("tier %d", p.Tier)
	}
	var said []string
	for _, it := range p.Apply(nil, p.Compose("")) {
		if u, ok := it.(llm.User); ok {
			said = append(said, u.Text)
		}
	}
	want := []string{"Fix the tests. The database runs on port 5433.", "Also mind 9.", "Also mind 19.", "Also mind 29.", "Also mind 39.", "Also mind 49.", "Also mind 59."}
	if !slices.Equal(said, want) {
		t.Errorf("said %q", said)
	}
}

// Beyond their budget the first and the newest of the user's messages stay, in
// their order, and the number of those that do not is said.
func TestBeyondTheirBudgetTheFirstAndTheNewestWordsStay(t *testing.T) {
	t.Parallel()
	const prompts = 200
	var items []llm.Item
	for i := range prompts {
		items = append(items, llm.User{Text: fmt.Sprintf("prompt %d %s", i, strings.Repeat("word ", 100))}, llm.Assistant{Parts: []llm.Part{llm.Text{Text: "Yes."}}})
	}
	var said []int
	left := 0
	for _, it := range compact.Make(items, compact.Budget{Target: 4000}).Apply(nil, "") {
		n := 0
		switch it := it.(type) {
		case llm.User:
			if _, err := fmt.Sscanf(it.Text, "prompt %d", &n); err != nil {
				t.Fatal(err)
			}
			said = append(said, n)
		case llm.Note:
			if _, err := fmt.Sscanf(it.Text, "[%d messages of the user left out", &n); err == nil {
				left = n
			}
		case llm.Assistant, llm.Result:
		}
	}
	if len(said) < 3 || said[0] != 0 || said[len(said)-1] != prompts-1 || !slices.IsSorted(said) || len(said)+left != prompts {
		t.Errorf("%v stay, %d are said to be left out", said, left)
	}
}

// TestAHugeMessageIsCutWithinItsBudget is CTX-18.
func TestAHugeMessageIsCutWithinItsBudget(t *testing.T) {
	t.Parallel()
	items := append([]llm.Item{llm.User{Text: "Read this: " + strings.Repeat("log ", 100_000) + "and say why."}}, history(5, 100, false)[1:]...)
	p := compact.Make(items, compact.Budget{Target: 2000})
	out := p.Apply(nil, p.Compose(""))
	u, ok := out[0].(llm.User)
	if !ok || !strings.HasPrefix(u.Text, "Read this: log") || !strings.HasSuffix(u.Text, "and say why.") || len(u.Text) > 4000 {
		t.Errorf("%d characters: %.80s…", len(u.Text), u.Text)
	}
	alone := compact.Make(items[:1], compact.Budget{Target: 2000}).Apply(nil, "")
	if u, ok := alone[0].(llm.User); !ok || len(u.Text) > 9000 || !strings.HasSuffix(u.Text, "and say why.") {
		t.Errorf("alone it has %d characters", len(u.Text))
	}
}

// TestASummaryIsExtended folds again and again; every call stays listed while
// there is room, and so does the text.
func TestASummaryIsExtended(t *testing.T) {
	t.Parallel()
	items := history(60, 2000, false)
	b := compact.Budget{Target: 3000, Summary: 1500}
	p := compact.Make(items, b)
	items = p.Apply(nil, p.Compose("Goal: tests."))
	for round := range 3 {
		for i := range 40 {
			id := fmt.Sprintf("r%d_%d", round, i)
			items = append(items,
				llm.Assistant{Parts: []llm.Part{llm.Call{ID: id, Name: "run", Input: json.RawMessage(fmt.Sprintf(`{"command":"step %s"}`, id))}}},
				llm.Result{CallID: id, Name: "run", Status: llm.StatusOK, Output: strings.Repeat("y", 2000)})
		}
		p = compact.Make(items, b)
		if p.Tier != compact.Exchanges {
			t.Fatalf("tier %d", p.Tier)
		}
		if ask := p.Prompt("the port", 4000); !strings.Contains(ask, "Goal: tests.") || !strings.Contains(ask, "the port") || compact.Text(ask) > 4200 {
			t.Errorf("the request for a summary has %d tokens", compact.Text(ask))
		}
		items = p.Apply(nil, p.Compose("")) // nobody wrote one: the last one stays
	}
	note := ""
	n := 0
	for _, it := range items {
		if it, ok := it.(llm.Note); ok && strings.HasPrefix(it.Text, compact.Heading) {
			note = it.Text
			n++
		}
	}
	if n != 1 || !strings.Contains(note, "Goal: tests.") {
		t.Fatalf("%d summaries: %s", n, note)
	}
	calls := 0
	if _, err := fmt.Sscanf(note[strings.Index(note, "- ("):], "- (%d earlier calls)", &calls); err != nil {
		t.Error(err)
	}
	kept := 0
	for _, it := range items {
		if a, ok := it.(llm.Assistant); ok {
			kept += len(a.Calls())
		}
	}
	if listed := strings.Count(note, "\n- ") - 1; calls+listed+kept != 60+3*40 {
		t.Errorf("%d calls are counted, %d listed, %d kept", calls, listed, kept)
	}
	for _, want := range []string{`step r1_20`, `step r2_5`} {
		if !strings.Contains(note, want) {
			t.Errorf("%s is forgotten", want)
		}
	}
}

func TestThreshold(t *testing.T) {
	t.Parallel()
	cases := []struct {
		window, out int
		share       float64
		want        int
	}{
		{0, 0, 0, 0},
		{200_000, 8_000, -1, 0},
		{200_000, 8_000, 0, 152_000},
		{200_000, 64_000, 0, 110_000},
		{200_000, 0, 0.5, 87_500},
		{4096, 0, 0, 3020},
		{100, 1000, 0, 55},
	}
	for _, c := range cases {
		if got := compact.Threshold(c.window, c.out, c.share); got != c.want {
			t.Errorf("Threshold(%d, %d, %v) = %d, want %d", c.window, c.out, c.share, got, c.want)
		}
	}
}

// items draws any conversation that an engine may hold.
func drawn(t *rapid.T) []llm.Item {
	text := rapid.StringMatching(`[a-zé\n ]{1,30}`)
	var items []llm.Item
	id := 0
	for range rapid.IntRange(1, 30).Draw(t, "n") {
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			items = append(items, llm.User{Text: "u" + strings.Repeat(text.Draw(t, "u"), rapid.IntRange(1, 60).Draw(t, "times"))})
		case 1:
			items = append(items, llm.Note{Text: "n" + text.Draw(t, "n")})
		default:
			a := llm.Assistant{Parts: []llm.Part{llm.Reasoning{Text: "r"}, llm.Text{Text: "a" + text.Draw(t, "a")}}}
			var results []llm.Item
			for range rapid.IntRange(0, 3).Draw(t, "calls") {
				id++
				call := llm.Call{ID: fmt.Sprint("c", id), Name: "t", Input: json.RawMessage(`{}`)}
				a.Parts = append(a.Parts, call)
				results = append(results, llm.Result{
					CallID: call.ID, Name: "t", Status: rapid.SampledFrom([]llm.Status{llm.StatusOK, llm.StatusError}).Draw(t, "status"),
					Output: "o" + strings.Repeat(text.Draw(t, "o"), rapid.IntRange(1, 300).Draw(t, "times")),
				})
			}
			items = append(append(items, a), results...)
		}
	}
	return items
}

func TestLawsOfAPlan(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		items := drawn(t)
		b := compact.Budget{Target: rapid.IntRange(1, 5000).Draw(t, "target")}
		before := fmt.Sprintf("%#v", items)
		p := compact.Make(items, b)
		out := p.Apply(nil, p.Compose("summary"))
		if fmt.Sprintf("%#v", items) != before {
			t.Fatal("the items were changed")
		}
		if !reflect.DeepEqual(out, compact.Make(items, b).Apply(nil, p.Compose("summary"))) {
			t.Fatal("the same items gave another plan")
		}
		if err := llmtest.WellFormed(out); err != nil {
			t.Fatalf("tier %d: %v", p.Tier, err)
		}
		if p.Tier < compact.Exchanges && compact.Tokens(out...) > b.Target {
			t.Fatalf("tier %d: %d tokens, target %d", p.Tier, compact.Tokens(out...), b.Target)
		}
		if len(p.Leave) == 0 {
			return
		}
		out = p.Apply(nil, p.Compose("summary"))
		keeps := 0
		for _, it := range out[len(out)-tail(out):] {
			if _, note := it.(llm.Note); !note {
				keeps++
			}
		}
		if keeps != p.Keeps() {
			t.Fatalf("keeps %d, says %d", keeps, p.Keeps())
		}
	})
}

// tail is how many items stand after the summary.
func tail(out []llm.Item) int {
	for i, it := range out {
		if n, ok := it.(llm.Note); ok && strings.HasPrefix(n.Text, compact.Heading) {
			return len(out) - i - 1
		}
	}
	return 0
}

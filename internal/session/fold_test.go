package session_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent/internal/event"
	"assent/internal/llm"
	"assent/internal/session"
)

// branch makes a branch of records with the ids r0, r1, …
func branch(records ...session.Record) session.Branch {
	var b session.Branch
	for i, r := range records {
		e := session.Entry{Meta: session.Meta{ID: fmt.Sprintf("r%d", i)}, Record: r}
		if i > 0 {
			e.Parent = fmt.Sprintf("r%d", i-1)
		}
		b.Entries = append(b.Entries, e)
	}
	return b
}

func TestFold(t *testing.T) {
	t.Parallel()
	user := session.User{Text: "go"}
	for name, c := range map[string]struct {
		records []session.Record
		want    string
	}{
		"nothing":  {nil, ""},
		"a turn":   {[]session.Record{user, said("hi")}, "user go | said hi"},
		"expanded": {[]session.Record{session.User{Text: "/fix x", Expanded: "Fix x."}}, "user Fix x."},
		"calls and results": {
			[]session.Record{user, said("", "a"), ran("a"), result("a", "1"), said("done")},
			"user go | said  +a | ok a=1 | said done",
		},
		"results in the order of the calls": {
			[]session.Record{user, said("", "a", "b", "c"), result("c", "3"), result("a", "1"), result("b", "2")},
			"user go | said  +a +b +c | ok a=1 | ok b=2 | ok c=3",
		},
		"CTX-01 interrupted during a tool": {
			[]session.Record{user, said("", "a", "b"), ran("a"), ran("b"), result("a", "1"), session.User{Text: "next"}},
			"user go | said  +a +b | ok a=1 | interrupted b=INTERRUPTED | user next",
		},
		"CTX-02 cancelled before it was decided": {
			[]session.Record{user, said("", "a"), session.User{Text: "next"}, said("ok")},
			"user go | said  +a | interrupted a=UNDECIDED | user next | said ok",
		},
		"CTX-04 an orphan in the middle": {
			[]session.Record{user, said("", "a"), ran("a"), said("", "b"), ran("b"), result("b", "2"), said("done")},
			"user go | said  +a | interrupted a=INTERRUPTED | said  +b | ok b=2 | said done",
		},
		"CTX-05 killed at the end": {
			[]session.Record{user, said("", "a"), ran("a")},
			"user go | said  +a | interrupted a=INTERRUPTED",
		},
		"a result without a call":        {[]session.Record{user, result("x", "?"), said("hi")}, "user go | said hi"},
		"a result twice":                 {[]session.Record{said("", "a"), result("a", "1"), result("a", "2")}, "said  +a | ok a=1"},
		"a late result":                  {[]session.Record{said("", "a"), said("", "b"), result("a", "1"), result("b", "2")}, "said  +a | interrupted a=UNDECIDED | said  +b | ok b=2"},
		"an id that comes again":         {[]session.Record{said("", "a"), result("a", "1"), said("", "a"), result("a", "2")}, "said  +a | ok a=1 | said  +a | ok a=2"},
		"steering after results":         {[]session.Record{user, said("", "a", "b"), result("a", "1"), session.Steer{Text: "no"}, result("b", "2"), said("x")}, "user go | said  +a +b | ok a=1 | ok b=2 | user no | said x"},
		"steering between steps":         {[]session.Record{user, said("", "a"), result("a", "1"), session.Steer{Text: "no"}, said("x")}, "user go | said  +a | ok a=1 | user no | said x"},
		"steering that was taken back":   {[]session.Record{user, said("1"), session.Steer{Text: "no"}, said("2"), session.Steer{Text: "nor this"}, session.Withdrawn{Steers: []string{"r4"}}}, "user go | said 1 | user no | said 2"},
		"steering taken back from calls": {[]session.Record{said("", "a"), session.Steer{Text: "no"}, result("a", "1"), session.Withdrawn{Steers: []string{"r1"}}, said("x")}, "said  +a | ok a=1 | said x"},
		"best effort is no item":         {[]session.Record{user, session.Usage{}, session.Notice{Text: "n"}, session.Timing{}, session.Title{}, session.Label{}, said("x")}, "user go | said x"},
		"unknown is no item":             {[]session.Record{user, session.Unknown{Word: "new"}, said("x")}, "user go | said x"},
		"summary by id":                  {[]session.Record{user, said("1"), session.User{Text: "u2"}, said("2"), session.Summary{Text: "S", Through: "r1"}, said("3")}, "user go | note S | user u2 | said 2 | said 3"},
		"summary keeps the user's":       {[]session.Record{user, said("1"), session.User{Text: "u2"}, said("2"), session.Summary{Text: "S", Through: "r3"}, said("3")}, "user go | user u2 | note S | said 3"},
		"summary by count":               {[]session.Record{user, said("1"), said("2"), session.Summary{Text: "S", Keeps: 1}}, "user go | note S | said 2"},
		"summary of all":                 {[]session.Record{user, said("1"), session.Summary{Text: "S"}}, "user go | note S"},
		"summary that keeps all":         {[]session.Record{user, said("1"), session.Summary{Text: "S", Keeps: 9}}, "note S | user go | said 1"},
		"second summary":                 {[]session.Record{user, said("1"), session.Summary{Text: "S", Through: "r1"}, said("2"), session.Summary{Text: "T", Through: "r3"}, said("3")}, "user go | note T | said 3"},
		"summary takes results along": {
			[]session.Record{user, said("", "a"), result("a", "1"), said("2"), session.Summary{Text: "S", Through: "r1"}},
			"user go | note S | said 2",
		},
		"summary while a call is open": {
			[]session.Record{user, said("1"), said("", "a"), ran("a"), session.Summary{Text: "S", Through: "r1"}, result("a", "1")},
			"user go | note S | said  +a | ok a=1",
		},
		"a denied call": {
			[]session.Record{said("", "a"), session.Call{CallID: "a", Decide: "deny"}, session.Result{CallID: "a", Status: llm.StatusDenied, Output: "no"}},
			"said  +a | denied a=no",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := show(session.Fold(branch(c.records...))); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestFoldOpen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		records []session.Record
		done    string
		open    string
		held    string
	}{
		"all done":       {[]session.Record{session.User{Text: "u"}, said("", "a"), result("a", "1")}, "user u | said  +a | ok a=1", "", ""},
		"a question":     {[]session.Record{session.User{Text: "u"}, said("", "a"), ran("a")}, "user u | said  +a", "a decided;", ""},
		"some are done":  {[]session.Record{said("", "a", "b", "c"), ran("b"), result("b", "2")}, "said  +a +b +c | ok b=2", "a; c;", ""},
		"steering waits": {[]session.Record{said("", "a"), session.Steer{Text: "s"}}, "said  +a", "a;", "user s"},
		"only at the end": {
			[]session.Record{said("", "a"), said("", "b")}, "said  +a | interrupted a=UNDECIDED | said  +b", "b;", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			done, open, held := session.FoldOpen(branch(c.records...))
			var calls strings.Builder
			for _, o := range open {
				calls.WriteString(o.ID)
				if o.Decided {
					calls.WriteString(" decided")
				}
				calls.WriteString("; ")
			}
			if got := strings.TrimSpace(calls.String()); show(done) != c.done || got != c.open || show(held) != c.held {
				t.Errorf("done %s\nopen %s\nheld %s", show(done), got, show(held))
			}
		})
	}
}

// SESS-13: pictures come from beside the log; a lost one costs itself.
func TestImages(t *testing.T) {
	t.Parallel()
	b := branch(session.User{Text: "see", Images: []session.Image{{MIME: "image/png", Name: "a.png", Artifact: "h1"}, {MIME: "image/png", Name: "b.png", Artifact: "h2"}}})
	if got, want := show(session.Fold(b)), "user see\n[the image a.png is no longer available]\n[the image b.png is no longer available]"; got != want {
		t.Errorf("got %q", got)
	}
	b.Blob = func(name string) ([]byte, error) {
		if name == "h2" {
			return nil, errors.New("gone")
		}
		return []byte("PIC"), nil
	}
	if got, want := show(session.Fold(b)), "user see\n[the image b.png is no longer available] [image/png PIC]"; got != want {
		t.Errorf("got %q", got)
	}
}

func genRecord() *rapid.Generator[session.Record] {
	ids := rapid.SampledFrom([]string{"a", "b", "c", "d"})
	return rapid.OneOf(
		rapid.Map(ids, func(s string) session.Record { return session.User{Text: s} }),
		rapid.Map(ids, func(s string) session.Record { return session.Steer{Text: s} }),
		rapid.Map(rapid.SliceOfNDistinct(ids, 0, 3, rapid.ID[string]), func(c []string) session.Record { return said("t", c...) }),
		rapid.Map(ids, func(s string) session.Record { return ran(s) }),
		rapid.Map(ids, func(s string) session.Record { return result(s, "out") }),
		rapid.Map(rapid.IntRange(0, 30), func(n int) session.Record { return session.Summary{Text: "S", Through: fmt.Sprintf("r%d", n)} }),
		rapid.Map(rapid.IntRange(0, 5), func(n int) session.Record { return session.Summary{Text: "S", Keeps: n, Unheard: n % 3} }),
		rapid.Map(rapid.IntRange(-1, 4), func(n int) session.Record {
			return session.Assistant{Text: "t", Unheard: n, Void: n == 2}
		}),
		rapid.Map(ids, func(s string) session.Record {
			return session.Assistant{Unheard: 1, Calls: []session.SaidCall{{ID: s, Name: "x"}}}
		}),
		rapid.Just[session.Record](session.Todo{}),
	)
}

// What Fold gives is a conversation that a provider accepts, whatever the log
// holds: every call is followed by its result, in order, and no result stands
// alone; nothing that the user said is lost; the same branch gives the same.
func TestFoldGivesAValidConversation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		records := rapid.SliceOfN(genRecord(), 0, 30).Draw(t, "records")
		b := branch(records...)
		items := session.Fold(b)
		if !reflect.DeepEqual(items, session.Fold(b)) {
			t.Fatal("two folds of one branch differ")
		}
		var open []string
		users := 0
		for i, it := range items {
			switch it := it.(type) {
			case llm.Result:
				if len(open) == 0 || open[0] != it.CallID {
					t.Fatalf("item %d: result %s, open are %v: %s", i, it.CallID, open, show(items))
				}
				open = open[1:]
				continue
			case llm.User:
				users++
			case llm.Note, llm.Assistant:
			}
			if len(open) > 0 {
				t.Fatalf("item %d comes before the results of %v: %s", i, open, show(items))
			}
			if a, ok := it.(llm.Assistant); ok {
				for _, c := range a.Calls() {
					open = append(open, c.ID)
				}
			}
		}
		if len(open) > 0 {
			t.Fatalf("no results for %v", open)
		}
		want := 0
		for _, r := range records {
			switch r.(type) {
			case session.User, session.Steer:
				want++
			default:
			}
		}
		if users != want {
			t.Fatalf("%d messages of the user, want %d: %s", users, want, show(items))
		}
		done, calls, held := session.FoldOpen(b)
		if len(calls) == 0 && !reflect.DeepEqual(append(done, held...), items) {
			t.Fatalf("nothing open, yet\n%s\n%s", show(done), show(items))
		}
	})
}

func TestRestore(t *testing.T) {
	t.Parallel()
	cost := 0.25
	s := session.Restore(branch(
		session.User{Text: "\n first line \nsecond"}, session.Agent{Agent: "plan"}, session.Model{Provider: "p", Model: "m", Level: llm.LevelHigh},
		session.Usage{Input: 10, CacheRead: 90, Output: 5, CostUSD: &cost}, session.User{Text: "again"},
		session.Usage{Input: 20, CacheRead: 100, Output: 7, CostUSD: &cost}, session.Usage{Input: 1000, Subagent: "c1"}, session.Usage{Input: 500, Purpose: "draft"},
		session.Todo{Todos: []event.Todo{{Content: "x", Status: "pending"}}}, session.Agent{Agent: "default"},
	))
	if s.Agent != "default" || s.Model.Model != "m" || s.Model.Level != llm.LevelHigh || s.Title != "first line" || s.Turns != 2 || len(s.Todos) != 1 {
		t.Errorf("%+v", s)
	}
	if s.Context != 127 || s.Usage.Input != 1530 || s.Usage.CacheRead != 190 || s.CostUSD == nil || *s.CostUSD != 0.5 {
		t.Errorf("usage %+v context %d cost %v", s.Usage, s.Context, s.CostUSD)
	}
	if s := session.Restore(branch(session.User{Text: "a"}, session.Title{Title: "named"}, session.User{Text: "b"})); s.Title != "named" || s.CostUSD != nil {
		t.Errorf("%+v", s)
	}
}

func TestOpenAsk(t *testing.T) {
	t.Parallel()
	ask := func(id string) session.Record { return session.Ask{CallID: id, Source: "tool", Payload: []byte(`{}`)} }
	for name, c := range map[string]struct {
		records []session.Record
		want    string
	}{
		"none":            {[]session.Record{session.User{}}, ""},
		"open":            {[]session.Record{ask("a")}, "a"},
		"answered":        {[]session.Record{ask("a"), result("a", "yes")}, ""},
		"dismissed":       {[]session.Record{ask("a"), session.AskDismissed{CallID: "a"}}, ""},
		"the newest open": {[]session.Record{ask("a"), ask("b"), ask("c"), result("c", "")}, "b"},
		"no call":         {[]session.Record{session.Ask{Source: "answer"}}, ""},
	} {
		if got, ok := session.OpenAsk(branch(c.records...)); got.CallID != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q %v", name, got.CallID, ok)
		}
	}
}

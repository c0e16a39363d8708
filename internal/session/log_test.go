package session_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assent/internal/event"
	"assent/internal/llm"
	"assent/internal/session"
)

func everyRecord() []session.Record {
	cost := 0.125
	return []session.Record{
		session.User{Text: "hello <b> & \u2028 \"x\"\nline", Expanded: "more", Images: []session.Image{{MIME: "image/png", Name: "n", Artifact: "a"}}, Turn: 1},
		session.Steer{Text: "steer", Expanded: "e"},
		session.Withdrawn{Steers: []string{"given"}},
		session.Assistant{Text: "t", Calls: []session.SaidCall{{ID: "c", Name: "bash", Input: json.RawMessage(`{"command":"ls"}`)}, {ID: "d", Name: "bash", Input: json.RawMessage(`{"comm`)}}, Stop: llm.StopCalls, Provider: "p", Model: "m"},
		session.Call{CallID: "c", Name: "bash", Title: "ls", Decide: "allow", By: "rule", Rule: "bash(ls)", Source: "config.json:3", Reason: "r"},
		session.Result{CallID: "c", Name: "bash", Status: llm.StatusOK, Output: "out", Artifact: "a.txt", Images: []session.Image{{MIME: "image/png", Artifact: "h"}}, Summary: "s", Diff: "d", DurationMS: 12},
		session.Ask{FlowID: "f", CallID: "c", Source: "tool", Payload: json.RawMessage(`{"questions":[]}`)},
		session.AskDismissed{FlowID: "f", CallID: "c"},
		session.Summary{Text: "sum", Keeps: 1, Through: "given", TokensBefore: 10, TokensAfter: 5},
		session.Todo{Todos: []event.Todo{{Content: "c", Status: "done", Note: "n"}}},
		session.Agent{Agent: "plan"},
		session.Model{Provider: "p", Model: "m", Level: llm.LevelHigh},
		session.Undo{Action: "undo", Turn: "t", Files: []session.UndoFile{{Path: "a", Before: "x", After: "y", Mode: 0o644}}},
		session.Label{Target: "x", Label: "here"},
		session.Usage{Provider: "p", Model: "m", Input: 1, Output: 2, CacheRead: 3, CacheWrite: 4, Reasoning: 5, CostUSD: &cost, Subagent: "s", Purpose: "p"},
		session.Title{Title: "named"},
		session.Timing{Reason: "stop", DurationMS: 7, Steps: 2, Turns: 1, Title: "named"},
		session.Notice{Text: "n"},
	}
}

// A steer that is taken back is the newest that stands, also after a summary
// was made; the log counts it no more.
func TestTheNewestSteersAreTakenBack(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	add(t, l, session.User{Text: "go"}, session.Steer{Text: "one"}, session.Steer{Text: "two"}, session.Withdrawn{Count: 1},
		session.Steer{Text: "three"}, session.Withdrawn{Count: 1}, session.Assistant{Text: "1"}, session.Summary{Text: "S", Keeps: 2})
	if got := show(session.Fold(l.Branch())); got != "user go | note S | user one | said 1" {
		t.Errorf("got %q", got)
	}
	shut(t, l)
	tree, _ := load(t, l.Path())
	if got := show(session.Fold(tree.Branch(""))); got != "user go | note S | user one | said 1" {
		t.Errorf("after a resume %q", got)
	}
	var b bytes.Buffer
	if err := session.Export(&b, tree, "md"); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Contains(text, "two") || strings.Contains(text, "three") || !strings.Contains(text, "one") {
		t.Errorf("exported: %s", text)
	}
}

func TestEveryRecordComesBack(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	records := everyRecord()
	add(t, l, records...)
	before := l.Tree()
	shut(t, l)
	tree, faults := load(t, l.Path())
	if faults.Count != 0 {
		t.Fatal(faults)
	}
	if len(tree.Entries) != len(records)+1 {
		t.Fatalf("%d entries", len(tree.Entries))
	}
	for i, want := range records {
		if got := tree.Entries[i+1].Record; !reflect.DeepEqual(got, want) {
			t.Errorf("record %d:\ngot  %#v\nwant %#v", i, got, want)
		}
		if tree.Entries[i+1].Parent != tree.Entries[i].ID {
			t.Errorf("record %d: parent %q", i, tree.Entries[i+1].Parent)
		}
		if !tree.Entries[i+1].Time.Equal(before.Entries[i+1].Time) {
			t.Errorf("record %d: time %v", i, tree.Entries[i+1].Time)
		}
	}
	h := tree.Header
	if h.Version != session.Version || h.Program != "1.2.3" || h.CWD == "" || h.Created.IsZero() || tree.ID != l.ID() {
		t.Errorf("header %+v", h)
	}
}

// The names in the file are a promise: they are what state.md says.
func TestTheFormOfALine(t *testing.T) {
	t.Parallel()
	l := create(t, store(t), t.TempDir())
	add(t, l, session.User{Text: "a<b"})
	data, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	tree := l.Tree()
	want := fmt.Sprintf(`{"type":"user","id":"%s","parent":"%s","time":"2026-10-01T09:00:02Z","text":"a<b","turn":1}`, tree.Entries[1].ID, l.ID())
	if lines[1] != want {
		t.Errorf("got  %s\nwant %s", lines[1], want)
	}
	if !strings.HasPrefix(lines[0], `{"type":"session","id":"`+l.ID()+`","time":"2026-10-01T09:00:01Z","version":1,"cwd":`) {
		t.Errorf("header %s", lines[0])
	}
	if name := filepath.Base(l.Path()); name != "20261001T090001Z_"+l.ID()+".jsonl" {
		t.Errorf("file %s", name)
	}
}

func TestPoliciesAreThoseOfTheDesign(t *testing.T) {
	t.Parallel()
	synced := map[string]bool{"user": true, "steer": true, "call": true, "ask": true, "ask_dismissed": true, "undo": true, "timing": true}
	best := map[string]bool{"usage": true, "timing": true, "title": true, "notice": true}
	for _, r := range append(everyRecord(), session.Header{}) {
		if r.Synced() != synced[r.Type()] || r.Required() == best[r.Type()] {
			t.Errorf("%s: synced %v, required %v", r.Type(), r.Synced(), r.Required())
		}
	}
}

// SESS-14, SEC-14: there is no place for reasoning, opaque data or headers.
func TestNoRecordHoldsHiddenThings(t *testing.T) {
	t.Parallel()
	for _, r := range everyRecord() {
		var walk func(reflect.Type)
		walk = func(ty reflect.Type) {
			switch ty.Kind() {
			case reflect.Slice, reflect.Pointer:
				walk(ty.Elem())
			case reflect.Struct:
				if ty == reflect.TypeFor[llm.Opaque]() || ty == reflect.TypeFor[llm.Reasoning]() || ty == reflect.TypeFor[time.Time]() {
					if ty != reflect.TypeFor[time.Time]() {
						t.Errorf("%s holds %v", r.Type(), ty)
					}
					return
				}
				for i := range ty.NumField() {
					walk(ty.Field(i).Type)
				}
			default:
			}
		}
		walk(reflect.TypeOf(r))
	}
}

// What a newer program wrote is kept as it stands and otherwise ignored.
func TestUnknownRecordsAndFieldsAreKept(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	add(t, l, session.User{Text: "one"})
	leaf := l.Leaf()
	shut(t, l)
	extra := fmt.Sprintf(`{"type":"hologram","id":"h1","parent":"%s","time":"2026-10-01T10:00:00Z","depth":3}`, leaf) + "\n" +
		`{"future":true,"type":"assistant","id":"a1","parent":"h1","time":"2026-10-01T10:00:01Z","text":"two","stop":"stop","mood":"good"}` + "\n"
	appendTo(t, l.Path(), extra)
	l = open(t, s, l.ID())
	if l.Faults().Count != 0 {
		t.Fatal(l.Faults())
	}
	if got := show(session.Fold(l.Branch())); got != "user one | said two" {
		t.Errorf("got %s", got)
	}
	add(t, l, session.User{Text: "three"})
	data, _ := os.ReadFile(l.Path())
	if !bytes.Contains(data, []byte(extra)) {
		t.Error("the lines are no longer as they stood")
	}
	fork, err := s.Fork(l.ID(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	defer fork.Close()
	data, _ = os.ReadFile(fork.Path())
	if !bytes.Contains(data, []byte(`"mood":"good"`)) || !bytes.Contains(data, []byte(`"depth":3`)) {
		t.Error("a fork loses what it does not know")
	}
}

func appendTo(tb testing.TB, path, text string) {
	tb.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		tb.Fatal(err)
	}
	if err := f.Close(); err != nil {
		tb.Fatal(err)
	}
}

func TestANewerFormatOpensForReading(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	add(t, l, session.User{Text: "one"})
	shut(t, l)
	data, _ := os.ReadFile(l.Path())
	data = bytes.Replace(data, []byte(`"version":1`), []byte(`"version":2`), 1)
	if err := os.WriteFile(l.Path(), data, 0o600); err != nil {
		t.Fatal(err)
	}
	l = open(t, s, l.ID())
	if !errors.Is(l.ReadOnly(), session.ErrNewer) {
		t.Fatal("not read only")
	}
	if err := l.Append(session.User{Text: "two"}); !errors.Is(err, session.ErrNewer) {
		t.Errorf("append: %v", err)
	}
	if got := show(session.Fold(l.Branch())); got != "user one" {
		t.Errorf("got %s", got)
	}
	if after, _ := os.ReadFile(l.Path()); !bytes.Equal(after, data) {
		t.Error("the file changed")
	}
}

func TestGoingBackMakesABranch(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	add(t, l, session.User{Text: "one"}, said("1"))
	at := l.Leaf()
	add(t, l, session.User{Text: "two"}, said("2"))
	old := l.Leaf()
	if err := l.Move("nowhere"); err == nil {
		t.Error("moved to nowhere")
	}
	if err := l.Move(at); err != nil {
		t.Fatal(err)
	}
	if got := show(session.Fold(l.Branch())); got != "user one | said 1" {
		t.Errorf("after the move: %s", got)
	}
	add(t, l, session.User{Text: "other"}, session.Label{Target: at, Label: "fork here"})
	if u := l.Tree().Entries[5].Record.(session.User); u.Turn != 2 {
		t.Errorf("turn %d", u.Turn)
	}
	shut(t, l)
	l = open(t, s, l.ID())
	if got := show(session.Fold(l.Branch())); got != "user one | said 1 | user other" {
		t.Errorf("reopened: %s", got)
	}
	tree := l.Tree()
	if got := show(session.Fold(tree.Branch(old))); got != "user one | said 1 | user two | said 2" {
		t.Errorf("the old branch: %s", got)
	}
	if leaves := tree.Leaves(); len(leaves) != 2 || leaves[0] != old {
		t.Errorf("leaves %v", leaves)
	}
	var outline []string
	for _, n := range tree.Outline("") {
		outline = append(outline, fmt.Sprintf("%d %s %v", n.Depth, n.Text, n.Active))
	}
	if got := strings.Join(outline, "; "); got != "0 one true; 1 two false; 1 other true" {
		t.Errorf("outline %s", got)
	}
}

func TestASummaryFindsWhatItCovers(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	add(t, l, session.User{Text: "one"}, said("1", "a"), ran("a"), result("a", "x"), said("2"), session.User{Text: "two"}, said("3"))
	add(t, l, session.Usage{}, session.Summary{Text: "S", Keeps: 2}, said("4"))
	want := "user one | note S | user two | said 3 | said 4"
	if got := show(session.Fold(l.Branch())); got != want {
		t.Errorf("got %s", got)
	}
	shut(t, l)
	l = open(t, s, l.ID())
	if got := show(session.Fold(l.Branch())); got != want {
		t.Errorf("reopened: %s", got)
	}
	// The view now holds two users and two answers beside the note.
	add(t, l, session.Summary{Text: "T", Keeps: 1})
	if got := show(session.Fold(l.Branch())); got != "user one | user two | note T | said 4" {
		t.Errorf("second: %s", got)
	}
}

// A result that the view made up for an interrupted call is the same item as
// the one that is stored for it afterwards.
func TestASummaryAfterAnInterruptedCall(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	add(t, l, session.User{Text: "one"}, said("1", "a"), ran("a"))
	shut(t, l)
	l = open(t, s, l.ID())
	add(t, l, session.Result{CallID: "a", Status: llm.StatusInterrupted, Output: "gone"}, said("2"), session.Summary{Text: "S", Keeps: 1})
	if got := show(session.Fold(l.Branch())); got != "user one | note S | said 2" {
		t.Errorf("got %s", got)
	}
}

func size(tb testing.TB, path string) int64 {
	tb.Helper()
	info, err := os.Stat(path)
	if err != nil {
		tb.Fatal(err)
	}
	return info.Size()
}

func TestAppendsOfManyGoroutines(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			for range 20 {
				if err := l.Append(session.Notice{Text: "n"}); err != nil {
					t.Error(err)
				}
				_ = l.Tree().Branch("")
			}
		})
	}
	wg.Wait()
	add(t, l, session.User{Text: "x"})
	shut(t, l)
	tree, faults := load(t, l.Path())
	if b := tree.Branch(""); len(b.Entries) != 122 || b.Broken != 0 || faults.Count != 0 {
		t.Fatalf("%d entries, %d broken, %v", len(b.Entries), b.Broken, faults)
	}
	if err := l.Append(session.User{}); !errors.Is(err, session.ErrClosed) {
		t.Errorf("after close: %v", err)
	}
}

// A log is a tree: any walk of appends and moves gives the branches that a
// plain model gives, live and after a reload.
func TestTheLogIsATree(t *testing.T) {
	t.Parallel()
	s := store(t)
	rapid.Check(t, func(rt *rapid.T) {
		l, err := s.Create(t.TempDir())
		if err != nil {
			rt.Fatal(err)
		}
		defer l.Close()
		paths := map[string]string{l.ID(): ""}
		ids := []string{l.ID()}
		at := l.ID()
		for i, move := range rapid.SliceOfN(rapid.IntRange(-1, 20), 1, 15).Draw(rt, "walk") {
			if move >= 0 && move < len(ids) {
				at = ids[move]
				if err := l.Move(at); err != nil {
					rt.Fatal(err)
				}
			}
			if err := l.Append(said(fmt.Sprint(i))); err != nil { // no sync, to be quick
				rt.Fatal(err)
			}
			paths[l.Leaf()] = paths[at] + fmt.Sprintf(" %d", i)
			at = l.Leaf()
			ids = append(ids, at)
		}
		if err := l.Close(); err != nil {
			rt.Fatal(err)
		}
		tree, faults, err := session.Load(l.Path())
		if err != nil || faults.Count > 0 {
			rt.Fatal(err, faults)
		}
		for id, want := range paths {
			got := ""
			for _, e := range tree.Branch(id).Entries {
				if a, ok := e.Record.(session.Assistant); ok {
					got += " " + a.Text
				}
			}
			if got != want {
				rt.Fatalf("branch of %s: %s, want %s", id, got, want)
			}
		}
	})
}

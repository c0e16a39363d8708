package session_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assent/internal/event"
	"assent/internal/jsonl"
	"assent/internal/llm"
	"assent/internal/session"
)

func everyRecord() []session.Record {
	cost := 0.125
	return []session.Record{
		session.User{Text: "hello <b> & \u2028 \"x\"\nline", Expanded: "more", Images: []session.Image{{MIME: "image/png", Name: "n", Artifact: "a"}}, Turn: 1},
		session.Steer{Text: "steer", Expanded: "e"},
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
		session.Usage{Provider: "p", Model: "m", Input: 1, Output: 2, CacheRead: 3, CacheWrite: 4, Reasoning: 5, CostUSD: &cost, Subagent: "s"},
		session.Title{Title: "named"},
		session.Timing{Reason: "stop", DurationMS: 7, Steps: 2, Turns: 1, Title: "named"},
		session.Notice{Text: "n"},
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

func appendTo(t testing.TB, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
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

func TestSEC13SecretsAreMaskedOnTheDisk(t *testing.T) {
	t.Parallel()
	s := store(t)
	secret := "sk-" + strings.Repeat("9", 20)
	s.Redact = func(text string) string { return strings.ReplaceAll(text, secret, "[masked]") }
	l := create(t, s, t.TempDir())
	input := json.RawMessage(`{"path": "a", "n": 1.50, "text":"x ` + secret + `\n"}`)
	add(t, l,
		session.User{Text: secret, Expanded: secret}, session.Steer{Text: secret},
		session.Assistant{Text: secret, Calls: []session.SaidCall{{ID: "c", Input: input}, {ID: "d", Input: json.RawMessage(`{"broken ` + secret)}}},
		session.Call{CallID: "c", Title: secret, Reason: secret, Rule: secret}, session.Result{CallID: "c", Output: secret, Summary: secret, Diff: secret},
		session.Ask{Payload: json.RawMessage(`{"q":"` + secret + `"}`)}, session.Summary{Text: secret, Keeps: 1},
		session.Todo{Todos: []event.Todo{{Content: secret, Note: secret}}}, session.Title{Title: secret}, session.Notice{Text: secret}, session.Label{Label: secret},
		session.Timing{},
	)
	name, err := l.Artifact("raw.txt", []byte("out "+secret))
	if err != nil {
		t.Fatal(err)
	}
	shut(t, l)
	data, _ := os.ReadFile(l.Path())
	if bytes.Contains(data, []byte(secret)) {
		t.Errorf("the log holds it: %s", data)
	}
	if raw, err := l.Artifacts().Read(name); err != nil || string(raw) != "out [masked]" {
		t.Errorf("artifact %q %v", raw, err)
	}
	tree, faults := load(t, l.Path())
	if faults.Count > 0 {
		t.Fatal(faults)
	}
	calls := tree.Entries[3].Record.(session.Assistant).Calls
	if got := string(calls[0].Input); got != `{"path":"a","n":1.50,"text":"x [masked]\n"}` {
		t.Errorf("input %s", got)
	}
	if got := string(calls[1].Input); got != `{"broken [masked]` {
		t.Errorf("broken input %s", got)
	}
}

func TestArtifacts(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	add(t, l, session.User{Text: "x"})
	put := func(name, data string) string {
		t.Helper()
		got, err := l.Artifact(name, []byte(data))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if a, b, c := put("call_1.txt", "1"), put("call_1.txt", "1"), put("call_1.txt", "2"); a != "call_1.txt" || b != a || c != "call_1-2.txt" {
		t.Errorf("names %s %s %s", a, b, c)
	}
	for _, name := range []string{"../../x", "/etc/x", "a/b", "..", "", ".hidden", "nul\x00", strings.Repeat("n", 400), "ü ö.log"} {
		got := put(name, "odd")
		if strings.ContainsAny(got, `/\`) || strings.HasPrefix(got, ".") || got == "" || len(got) > 130 {
			t.Errorf("%q became %q", name, got)
		}
		if data, err := l.Artifacts().Read(got); err != nil || string(data) != "odd" {
			t.Errorf("%q: %q %v", got, data, err)
		}
	}
	for _, name := range []string{"", "..", "../" + filepath.Base(l.Path()), "none", ".tmp-1"} {
		if _, err := l.Artifacts().Read(name); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("read %q: %v", name, err)
		}
	}
	// SESS-13: what is not text is stored by hash, once.
	png := "\x89PNG\r\n\x1a\n\xff\x00data"
	if a, b := put("shot.png", png), put("other name.png", png); a != b || !strings.HasSuffix(a, ".png") || len(a) != 64+4 {
		t.Errorf("blobs %s %s", a, b)
	}
	info, err := os.Stat(filepath.Join(l.Artifacts().Dir, "call_1.txt"))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v %v", info.Mode(), err)
	}
}

// SESS-15: everything that was acknowledged survives the process, wherever it
// is cut off; what follows it is at most one more record.
func TestKilledAtEveryByte(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	ends := []int64{size(t, l.Path())}
	for _, r := range everyRecord() {
		add(t, l, r)
		ends = append(ends, size(t, l.Path()))
	}
	shut(t, l)
	data, _ := os.ReadFile(l.Path())
	want := l.Tree().Entries
	for cut := range len(data) + 1 {
		tree, faults, err := session.Read(data[:cut])
		if err != nil {
			t.Fatal(err)
		}
		whole := 0
		for _, end := range ends {
			if int64(cut) >= end {
				whole++
			}
		}
		if n := len(tree.Entries); n != whole && n != whole+1 {
			t.Fatalf("cut at %d: %d records, %d were acknowledged", cut, n, whole)
		}
		for i, e := range tree.Entries {
			if e.ID != want[i].ID {
				t.Fatalf("cut at %d: record %d is another", cut, i)
			}
		}
		if faults.Count > 1 || faults.Count == 1 && faults.List[0].Kind != jsonl.Torn {
			t.Fatalf("cut at %d: %v", cut, faults)
		}
	}
}

func size(t testing.TB, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// SESS-01, SESS-07: damage costs the lines that it hits; the rest loads and
// the conversation before and after it is there.
func TestDamageAtEveryByte(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	for i := range 4 {
		add(t, l, session.User{Text: fmt.Sprint("q", i)}, said(fmt.Sprint("a", i)))
	}
	shut(t, l)
	data, _ := os.ReadFile(l.Path())
	full := len(l.Tree().Entries)
	for at := range data {
		for _, b := range []byte{0, '\n', '"', '{', 0xfe} {
			broken := bytes.Clone(data)
			broken[at] = b
			tree, faults, err := session.Read(broken)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(tree.Entries); n < full-2 {
				t.Fatalf("byte %d = %q: %d of %d records: %v", at, b, n, full, faults)
			}
			if strings.Contains(faults.String(), "q1") {
				t.Fatalf("a fault tells content: %v", faults)
			}
			if n := len(session.Fold(tree.Branch(""))); n < 8-2 {
				t.Fatalf("byte %d = %q: %d items of 8", at, b, n)
			}
		}
	}
}

func TestDamageIsSaid(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	for i := range 3 {
		add(t, l, session.User{Text: fmt.Sprint("q", i)})
	}
	shut(t, l)
	data, _ := os.ReadFile(l.Path())
	lines := strings.SplitAfter(string(data), "\n")
	middle := lines[2]
	for name, c := range map[string]struct {
		text  string
		items string
		said  string
	}{
		"SESS-01 malformed":      {lines[0] + lines[1] + "garbage\n" + lines[2] + lines[3], "user q0 | user q1 | user q2", "line 3 (7 bytes): malformed"},
		"SESS-05 torn":           {lines[0] + lines[1] + lines[2] + lines[3][:40], "user q0 | user q1", "line 4 (40 bytes): torn"},
		"SESS-07 lost parent":    {lines[0] + lines[1] + lines[3], "user q0 | user q2", ""},
		"a line twice":           {lines[0] + lines[1] + middle + middle + lines[3], "user q0 | user q1 | user q2", "duplicate"},
		"wrong types":            {lines[0] + lines[1] + strings.Replace(middle, `"q1"`, `{}`, 1) + lines[3], "user q0 | user q2", "invalid"},
		"no id":                  {lines[0] + lines[1] + `{"type":"user","text":"x"}` + "\n" + lines[2], "user q0 | user q1", "invalid"},
		"the header is lost":     {"{]\n" + lines[1] + lines[2], "user q0 | user q1", "line 1 (2 bytes): malformed"},
		"a second header":        {lines[0] + lines[1] + strings.Replace(lines[0], l.ID(), "other", 1) + lines[2], "user q0 | user q1", "misplaced"},
		"a parent that is later": {lines[0] + strings.Replace(lines[1], l.ID(), l.Tree().Entries[3].ID, 1) + lines[2] + lines[3], "user q0 | user q1 | user q2", ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), filepath.Base(l.Path()))
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			tree, faults := load(t, path)
			if got := show(session.Fold(tree.Branch(""))); got != c.items {
				t.Errorf("items %s", got)
			}
			if c.said == "" && faults.Count != 0 || !strings.Contains(faults.String(), c.said) {
				t.Errorf("faults %q", faults)
			}
			if tree.ID != l.ID() {
				t.Errorf("id %q", tree.ID)
			}
			again, err := s.OpenFile(path)
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			add(t, again, session.User{Text: "on"})
			if got := show(session.Fold(again.Branch())); got != c.items+" | user on" {
				t.Errorf("continued: %s", got)
			}
		})
	}
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

func FuzzLoad(f *testing.F) {
	f.Add([]byte(`{"type":"session","id":"s","time":"2026-10-01T09:00:01Z","version":1,"cwd":"/x"}` + "\n" +
		`{"type":"user","id":"u","parent":"s","time":"2026-10-01T09:00:02Z","text":"hi"}` + "\n" +
		`{"type":"assistant","id":"a","parent":"u","time":"2026-10-01T09:00:02Z","text":"","calls":[{"id":"c","name":"n","inputText":"{"}]}` + "\n" +
		`{"type":"result","id":"r","parent":"zz","callId":"c","status":"ok","output":"x"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		tree, _, err := session.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		session.Fold(tree.Branch(""))
		session.FoldOpen(tree.Branch(""))
		tree.Outline("")
		tree.Leaves()
		for _, format := range session.Formats() {
			_ = session.Export(&bytes.Buffer{}, tree, format)
		}
	})
}

package session_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent/internal/llm"
	"assent/internal/llm/llmtest"
	"assent/internal/session"
)

// talk is a conversation as a program has it in memory, beside its log.
type talk struct {
	t       *rapid.T
	log     *session.Log
	items   []string
	outside []string // steers that are stored and have not entered
	back    int      // steers that were taken back
	n       int
}

func (k *talk) next(kind string) string { k.n++; return fmt.Sprintf("%s%d", kind, k.n) }

func (k *talk) store(r session.Record) {
	if err := k.log.Append(r); err != nil {
		k.t.Fatal(err)
	}
}

func (k *talk) steer(most int) {
	for range rapid.IntRange(0, most).Draw(k.t, "steers") {
		text := k.next("s")
		k.store(session.Steer{Text: text})
		k.outside = append(k.outside, text)
	}
}

func (k *talk) enter() {
	for _, text := range k.outside {
		k.items = append(k.items, "user "+text)
	}
	k.outside = nil
}

// summarise leaves a number of items at the end, from where no result is parted
// from its call.
func (k *talk) summarise() {
	k.steer(1)
	keeps, from := 0, len(k.items)
	for n := rapid.IntRange(0, len(k.items)).Draw(k.t, "keeps"); from > 0 && (keeps < n || from < len(k.items) && strings.HasPrefix(k.items[from], "result")); {
		if from--; !strings.HasPrefix(k.items[from], "note") {
			keeps++
		}
	}
	if !slices.ContainsFunc(k.items[:from], func(s string) bool { return !strings.HasPrefix(s, "note") }) {
		return // nothing leaves
	}
	text := k.next("n")
	k.store(session.Summary{Text: text, Keeps: keeps, Unheard: len(k.outside)})
	var now []string
	for _, it := range k.items[:from] {
		if strings.HasPrefix(it, "user") {
			now = append(now, it)
		}
	}
	now = append(now, "note "+text)
	for _, it := range k.items[from:] {
		if !strings.HasPrefix(it, "note") {
			now = append(now, it)
		}
	}
	k.items = now
}

// turn is one of the user's, with requests that break off and calls.
func (k *talk) turn() {
	text := k.next("u")
	k.store(session.User{Text: text})
	k.items = append(k.items, "user "+text)
	for range rapid.IntRange(1, 4).Draw(k.t, "requests") {
		if rapid.IntRange(0, 3).Draw(k.t, "fold") == 0 {
			k.summarise()
		}
		k.enter()
		k.steer(2)
		if rapid.Bool().Draw(k.t, "breaks off") {
			if rapid.Bool().Draw(k.t, "in a word") {
				text := k.next("v")
				k.store(session.Assistant{Text: text, Void: true, Unheard: len(k.outside)})
				k.items = append(k.items, "void "+text)
			}
			continue
		}
		said := session.Assistant{Text: k.next("a"), Unheard: len(k.outside)}
		for range rapid.IntRange(0, 2).Draw(k.t, "calls") {
			said.Calls = append(said.Calls, session.SaidCall{ID: k.next("c"), Name: "x", Input: []byte("{}")})
		}
		k.store(said)
		k.items = append(k.items, "said "+said.Text)
		k.steer(1)
		for _, c := range said.Calls {
			k.store(session.Call{CallID: c.ID, Name: "x"})
			k.steer(1)
			k.store(session.Result{CallID: c.ID, Name: "x", Status: llm.StatusOK, Output: "done"})
			k.items = append(k.items, "result "+c.ID)
		}
	}
	if n := len(k.outside); n > 0 && rapid.Bool().Draw(k.t, "cancel") {
		k.store(session.Withdrawn{Count: n})
		k.outside, k.back = nil, k.back+n
	}
	k.enter()
	k.store(session.Timing{})
}

func outline(items []llm.Item) string {
	var list []string
	for _, it := range items {
		switch it := it.(type) {
		case llm.User:
			list = append(list, "user "+it.Text)
		case llm.Assistant:
			list = append(list, "said "+it.Text())
		case llm.Result:
			list = append(list, "result "+it.CallID)
		case llm.Note:
			list = append(list, "note "+it.Text)
		}
	}
	return strings.Join(list, ", ")
}

// After any turns with steering, cancels, requests that break off and
// summaries, a run that goes on has the conversation as it was, in its order: the
// next request shares its prefix with the last one. A fork has it too.
func TestAResumeHasTheConversationAsItWas(t *testing.T) {
	t.Parallel()
	dir, tries := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		tries++
		folder := filepath.Join(dir, strconv.Itoa(tries))
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		s := session.Store{Dir: folder}
		log, err := s.Create(folder)
		if err != nil {
			t.Fatal(err)
		}
		k := &talk{t: t, log: log}
		for range rapid.IntRange(1, 4).Draw(t, "turns") {
			k.turn()
			k.items = slices.DeleteFunc(k.items, func(s string) bool { return strings.HasPrefix(s, "void") })
			want := strings.Join(k.items, ", ")
			if got := outline(session.Fold(k.log.Branch())); got != want {
				t.Fatalf("in this process\n%s\nwant\n%s", got, want)
			}
			id := k.log.ID()
			if err := k.log.Close(); err != nil {
				t.Fatal(err)
			}
			open := s.Open
			if rapid.Bool().Draw(t, "fork") {
				open = func(id string) (*session.Log, error) { return s.Fork(id, "", "") }
			}
			if k.log, err = open(id); err != nil {
				t.Fatal(err)
			}
			if got := outline(session.Fold(k.log.Branch())); got != want {
				t.Fatalf("in the next one\n%s\nwant\n%s", got, want)
			}
		}
		if err := k.log.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// A run that is killed at any byte between a steer, its withdrawal and the next
// prompt: each prompt is there once or not at all, those before the end of the
// file are there, one that was taken back is there only as long as that is not on
// the disk, and the session goes on. A byte that is damaged makes no prompt twice.
func TestSteeringAndKills(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	add(t, l, session.User{Text: "u1"}, session.Steer{Text: "s1"},
		session.Assistant{Text: "a", Unheard: 1, Calls: []session.SaidCall{{ID: "c", Name: "x", Input: []byte("{}")}}}, ran("c"), session.Steer{Text: "s2"}, result("c", "done"),
		session.Steer{Text: "s3"}, session.Steer{Text: "s4"}, session.Assistant{Text: "half", Unheard: 2},
		session.Withdrawn{Count: 2}, session.Timing{Reason: "cancelled"}, session.User{Text: "s4"}, said("end"))
	shut(t, l)
	text, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	want := "user u1, said a, result c, user s1, user s2, said half, user s4, said end"
	if tree, _ := load(t, l.Path()); outline(session.Fold(tree.Branch(""))) != want {
		t.Fatal(outline(session.Fold(tree.Branch(""))))
	}
	path := filepath.Join(t.TempDir(), filepath.Base(l.Path()))
	read := func(text []byte) string {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		tree, _ := load(t, path)
		items := session.Fold(tree.Branch(""))
		if err := llmtest.WellFormed(items); err != nil && len(items) > 0 && strings.HasPrefix(outline(items), "user") {
			t.Fatalf("%v: %s", err, outline(items))
		}
		return outline(items)
	}
	for n := range text {
		got, before := read(text[:n]), text[:n]
		for _, prompt := range []string{"u1", "s1", "s2", "s3"} {
			stored := bytes.Contains(before, []byte(`"text":"`+prompt+`"}`)) || bytes.Contains(before, []byte(`"text":"`+prompt+`","turn":1}`))
			stored = stored && (prompt != "s3" || !bytes.Contains(before, []byte(`"steers":["`)) || !bytes.HasSuffix(withdrawnLine(before), []byte("}")))
			if count := strings.Count(got+",", "user "+prompt+","); (count == 1) != stored || count > 1 {
				t.Fatalf("killed at %d: %s %d times in %s", n, prompt, count, got)
			}
		}
		damaged := bytes.Clone(text)
		damaged[n] ^= 1
		got = read(damaged)
		for _, prompt := range []string{"u1", "s1", "s2", "s3"} {
			if strings.Count(got+",", "user "+prompt+",") > 1 {
				t.Fatalf("byte %d: %s", n, got)
			}
		}
	}
}

// withdrawnLine is the record of that type, as far as it is there.
func withdrawnLine(text []byte) []byte {
	_, line, _ := bytes.Cut(text, []byte(`{"type":"withdrawn"`))
	line, _, _ = bytes.Cut(line, []byte("\n"))
	return line
}

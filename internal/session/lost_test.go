package session_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent/internal/llm"
	"assent/internal/session"
)

// A call whose decision may have been lost is not told as one that never ran,
// and does not wait to be decided again: it may have run.
func TestALostDecisionIsNotNone(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	add(t, l, session.User{Text: "q"}, said("a", "c1"), session.Call{CallID: "c1", Name: "n", Decide: "allow", By: "user"},
		result("c1", "out"), session.User{Text: "next"})
	shut(t, l)
	data, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(data), "\n") // header, user, assistant, call, result, user
	head := strings.Join(lines[:3], "")
	for name, c := range map[string]struct {
		text string
		ran  bool // it may have
	}{
		"never decided":             {head, false},
		"never decided, went on":    {head + strings.Replace(lines[5], parentOf(t, lines[5]), idOf(t, lines[2]), 1), false},
		"the decision is torn":      {head + lines[3][:40], false},
		"the decision is garbled":   {head + strings.Replace(lines[3], `"callId"`, `"callId`, 1), true},
		"the decision is no text":   {head + strings.Replace(lines[3], `"allow"`, `{}`, 1), true},
		"the decision is a zero":    {head + "\x00\x00\x00\n", true},
		"both are garbled":          {head + "x\ny\n", true},
		"both are garbled, went on": {head + "x\ny\n" + lines[5], true},
		"both are gone, went on":    {head + lines[5], true},
		"garbled before":            {lines[0] + "x\n" + lines[1] + "x\n" + lines[2], false},
		"a line twice":              {head + lines[1], false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check := func(b session.Branch) {
				t.Helper()
				want := session.Undecided
				if c.ran {
					want = session.Interrupted
				}
				for _, it := range session.Fold(b) {
					if r, ok := it.(llm.Result); ok && r.Output != want {
						t.Errorf("told %q", r.Output)
					}
				}
				_, open, _ := session.FoldOpen(b)
				if len(open) != 1 || open[0].Decided != c.ran {
					t.Errorf("open %+v", open)
				}
			}
			s := store(t)
			dir := filepath.Join(s.Dir, "p")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, filepath.Base(l.Path()))
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			tree, _ := load(t, path)
			check(tree.Branch(""))
			if !strings.HasSuffix(name, "went on") {
				return // a copy knows no damage at its end
			}
			fork, err := s.Fork(l.ID(), "", "")
			if err != nil {
				t.Fatal(err)
			}
			check(fork.Branch())
			shut(t, fork)
			tree, _ = load(t, fork.Path())
			check(tree.Branch(""))
		})
	}
}

func idOf(t *testing.T, line string) string     { return fieldOf(t, line, `"id":"`) }
func parentOf(t *testing.T, line string) string { return fieldOf(t, line, `"parent":"`) }

func fieldOf(t *testing.T, line, lead string) string {
	t.Helper()
	_, rest, ok := strings.Cut(line, lead)
	value, _, _ := strings.Cut(rest, `"`)
	if !ok || value == "" {
		t.Fatalf("no %s in %s", lead, line)
	}
	return value
}

// Whatever happens to the lines of a log, what is read of it obeys the laws of
// a conversation, a fork of it reads the same, no decision is made up, and the
// session goes on.
func TestDamageOfEveryKind(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	add(t, l, everyRecord()...)
	for _, id := range []string{"d1", "d2", "d3"} {
		add(t, l, session.User{Text: "do " + id}, said("a", id, id+"b"), session.Call{CallID: id, Name: "n", Decide: "deny", By: "user"}, result(id, "out"))
	}
	add(t, l, session.Summary{Text: "sum", Keeps: 3}, session.User{Text: "more"}, said("b", "e1"))
	shut(t, l)
	whole, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	decided := map[string]string{}
	for _, e := range l.Tree().Entries {
		if c, ok := e.Record.(session.Call); ok {
			decided[c.CallID] += string(c.Decide) + " "
		}
	}
	base, tries := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		lines := bytes.SplitAfter(whole, []byte("\n"))
		lines = lines[:len(lines)-1]
		for range rapid.IntRange(1, 6).Draw(t, "damages") {
			if len(lines) == 0 {
				break
			}
			at := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
			line := bytes.Clone(lines[at])
			switch rapid.IntRange(0, 8).Draw(t, "kind") {
			case 0:
				lines = slices.Delete(lines, at, at+1)
			case 1:
				lines = slices.Insert(lines, at, line)
			case 2:
				to := rapid.IntRange(0, len(lines)-1).Draw(t, "to")
				lines[at], lines[to] = lines[to], lines[at]
			case 3:
				if len(line) > 0 {
					line[rapid.IntRange(0, len(line)-1).Draw(t, "byte")] = rapid.Byte().Draw(t, "value")
				}
				lines[at] = line
			case 4:
				lines[at] = line[:rapid.IntRange(0, len(line)).Draw(t, "length")]
			case 5: // a parent that comes later, or itself
				to := lines[rapid.IntRange(0, len(lines)-1).Draw(t, "parent")]
				if _, id, ok := bytes.Cut(to, []byte(`"id":"`)); ok && len(id) > 36 {
					if before, rest, ok := bytes.Cut(line, []byte(`"parent":"`)); ok && len(rest) > 36 {
						lines[at] = slices.Concat(before, []byte(`"parent":"`), id[:36], rest[36:])
					}
				}
			case 6:
				lines = slices.Insert(lines, at, []byte(`{"type":"later","id":"z`+rapid.StringMatching(`[a-z]{8}`).Draw(t, "id")+`","parent":"`+l.ID()+`","x":`+strings.Repeat(`[`, 20_000)+strings.Repeat(`]`, 20_000)+"}\n"))
			case 7:
				lines = slices.Insert(lines, at, []byte("{\"type\":\"call\",\"id\":\"\xff\xfe\",\"callId\":\"e1\",\"decision\":7}\n"))
			case 8:
				lines[at] = bytes.ReplaceAll(line, []byte(`"deny"`), []byte(`"den`))
			}
		}
		tries++
		dir := filepath.Join(base, strconv.Itoa(tries))
		s := session.Store{Dir: filepath.Join(dir, "s")}
		if err := os.MkdirAll(filepath.Join(s.Dir, "p"), 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(s.Dir, "p", filepath.Base(l.Path()))
		if err := os.WriteFile(path, bytes.Join(lines, nil), 0o600); err != nil {
			t.Fatal(err)
		}
		log, err := s.OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		obeys(t, log.Branch(), decided)
		if log.ID() != l.ID() {
			t.Fatalf("the id is %q", log.ID())
		}
		if log.ReadOnly() != nil {
			return
		}
		items := session.Fold(log.Branch())
		if len(log.Tree().Entries) > 0 {
			fork, err := s.Fork(l.ID(), log.Leaf(), dir)
			if err != nil {
				t.Fatal(err)
			}
			defer fork.Close()
			// It knows no damage that lies beside the branch, or at its end.
			alike := strings.NewReplacer("UNDECIDED", "no result", "INTERRUPTED", "no result")
			if got, want := alike.Replace(show(session.Fold(fork.Branch()))), alike.Replace(show(items)); got != want {
				t.Fatalf("the fork reads\n%s, not\n%s", got, want)
			}
		}
		if err := log.Append(session.User{Text: "on"}); err != nil {
			t.Fatal(err)
		}
		want := show(session.Fold(log.Branch()))
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
		tree, _, err := session.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := show(session.Fold(tree.Branch(""))); got != want || !strings.HasSuffix(got, "user on") {
			t.Fatalf("it comes back as\n%s, not\n%s", got, want)
		}
	})
}

// obeys checks the laws of what is read.
func obeys(t *rapid.T, b session.Branch, decided map[string]string) {
	t.Helper()
	var waiting []string
	for _, it := range session.Fold(b) {
		switch it := it.(type) {
		case llm.Assistant:
			if len(waiting) > 0 {
				t.Fatalf("%v have no result", waiting)
			}
			for _, c := range it.Calls() {
				waiting = append(waiting, c.ID)
			}
		case llm.Result:
			if len(waiting) == 0 || waiting[0] != it.CallID {
				t.Fatalf("the result of %s where %v wait", it.CallID, waiting)
			}
			waiting = waiting[1:]
		case llm.User, llm.Note:
			if len(waiting) > 0 {
				t.Fatalf("%v have no result before %T", waiting, it)
			}
		}
	}
	for _, e := range b.Entries {
		if c, ok := e.Record.(session.Call); ok && c.Decide == "allow" && !strings.Contains(decided[c.CallID], "allow") {
			t.Fatalf("%s is allowed, and it was %q", c.CallID, decided[c.CallID])
		}
	}
}

package session_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent/internal/session"
)

func TestProjectNames(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/home/u/src/my app": "home-u-src-my-app-",
		"/":                  "root-",
		`C:\Users\u\x`:       "C-Users-u-x-",
		"/..":                "root-",
		"/ü/é":               "root-",
	} {
		if got := session.Project(path); !strings.HasPrefix(got, want) || len(got) != len(want)+12 {
			t.Errorf("%q: %q, want %q and a hash", path, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		x, y := session.Project(a), session.Project(b)
		if (a == b) != (x == y) || a != b && strings.EqualFold(x, y) {
			t.Fatalf("%q and %q: %q and %q", a, b, x, y)
		}
		if len(x) > 200 || x != filepath.Base(x) || strings.HasPrefix(x, ".") || strings.ContainsAny(x, `/\:*?"<>| `) {
			t.Fatalf("%q is no folder's name", x)
		}
	})
	if n := len(session.Project("/" + strings.Repeat("long/", 100))); n > 200 {
		t.Errorf("%d bytes", n)
	}
}

func TestOpenByIDOrItsBeginning(t *testing.T) {
	t.Parallel()
	s := store(t)
	a, b := create(t, s, t.TempDir()), create(t, s, t.TempDir())
	add(t, a, session.User{Text: "a"})
	add(t, b, session.User{Text: "b"})
	shut(t, a)
	shut(t, b)
	for _, ref := range []string{a.ID(), a.ID()[:len(a.ID())-1], strings.ToUpper(a.ID()[:30])} {
		l := open(t, s, ref)
		if l.ID() != a.ID() {
			t.Errorf("%q opened %s", ref, l.ID())
		}
		shut(t, l)
	}
	var ambiguous *session.AmbiguousError
	if _, err := s.Open(a.ID()[:4]); !errors.As(err, &ambiguous) || len(ambiguous.IDs) != 2 || !strings.Contains(err.Error(), a.ID()) || !strings.Contains(err.Error(), b.ID()) {
		t.Errorf("ambiguous: %v", err)
	}
	var unknown *session.UnknownError
	for _, ref := range []string{"zzz", "", "../x", "*"} {
		if _, err := s.Open(ref); !errors.As(err, &unknown) {
			t.Errorf("%q: %v", ref, err)
		}
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	s := store(t)
	here, there := t.TempDir(), t.TempDir()
	one, two, other, silent := create(t, s, here), create(t, s, here), create(t, s, there), create(t, s, here)
	add(t, two, session.Model{Provider: "p", Model: "m2"}, session.User{Text: "\n  second thing \nmore"}, said("x"), session.Timing{})
	add(t, one, session.User{Text: "first thing"}, said("x"), session.User{Text: "again"}, said("y"), session.Usage{}, session.Timing{})
	add(t, other, session.User{Text: "elsewhere"}, session.Title{Title: "Named"}, session.User{Text: "q"}, session.Timing{})
	add(t, silent, session.Agent{Agent: "plan"})
	for _, l := range []*session.Log{one, two, other} {
		shut(t, l)
	}
	infos, err := s.List(here, false)
	if err != nil {
		t.Fatal(err)
	}
	if len(infos) != 2 || infos[0].ID != one.ID() || infos[1].ID != two.ID() {
		t.Fatalf("%+v", infos)
	}
	i := infos[0]
	if i.Title != "first thing" || i.Turns != 2 || i.Model != "m" || i.Damaged || i.CWD != session.RealPath(here) || !i.Updated.After(i.Created) || i.Size == 0 {
		t.Errorf("%+v", i)
	}
	if i := infos[1]; i.Title != "second thing" || i.Turns != 1 || i.Model != "m2" {
		t.Errorf("%+v", i)
	}
	all, err := s.List("", true)
	if err != nil || len(all) != 3 || all[0].Title != "Named" || all[0].Turns != 2 {
		t.Fatalf("%+v %v", all, err)
	}
	if none, err := s.List(t.TempDir(), false); err != nil || len(none) != 0 {
		t.Errorf("%+v %v", none, err)
	}
	b, _ := json.Marshal(i)
	for _, field := range []string{"id", "title", "cwd", "created", "updated", "turns", "size", "model", "damaged", "file"} {
		if !bytes.Contains(b, []byte(`"`+field+`":`)) {
			t.Errorf("no field %s in %s", field, b)
		}
	}
}

func TestTheTitleOfALongPrompt(t *testing.T) {
	t.Parallel()
	s := store(t)
	for name, c := range map[string]struct{ prompt, want string }{
		"long text":    {"fix \"this\" é\n" + strings.Repeat("pasted ", 100_000), `fix "this" é`},
		"one long row": {strings.Repeat("word ", 200_000), strings.TrimSpace(strings.Repeat("word ", 200_000))},
	} {
		dir := t.TempDir()
		l := create(t, s, dir)
		add(t, l, session.Agent{Agent: "a"}, session.User{Text: c.prompt})
		shut(t, l)
		infos, err := s.List(dir, false)
		if err != nil || len(infos) != 1 {
			t.Fatalf("%s: %v %v", name, infos, err)
		}
		if got := infos[0].Title; got == "" || !strings.HasPrefix(c.want, got) || len(got) < min(len(c.want), 1000) {
			t.Errorf("%s: title of %d bytes: %.60q", name, len(got), got)
		}
	}
}

// SESS-06: a damaged session is listed, and marked.
func TestADamagedSessionIsListed(t *testing.T) {
	t.Parallel()
	s := store(t)
	dir := t.TempDir()
	l := create(t, s, dir)
	add(t, l, session.User{Text: "hello"}, said("x"))
	shut(t, l)
	data, _ := os.ReadFile(l.Path())
	lines := strings.SplitAfter(string(data), "\n")
	for name, text := range map[string]string{
		"header":   "{garbage\n" + lines[1] + lines[2],
		"prompt":   lines[0] + "{garbage\n" + lines[2],
		"end":      lines[0] + lines[1] + lines[2] + "{garbage\n",
		"torn":     lines[0] + lines[1] + lines[2][:20],
		"all":      "garbage\x00\n",
		"zeros":    strings.Repeat("\x00", 5000),
		"nothing":  "",
		"not ours": "[1,2]\n",
	} {
		if err := os.WriteFile(l.Path(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		infos, err := s.List(dir, false)
		if name == "nothing" {
			if err != nil || len(infos) != 0 {
				t.Errorf("%s: %+v %v", name, infos, err)
			}
			continue
		}
		if err != nil || len(infos) != 1 || !infos[0].Damaged || infos[0].ID != l.ID() || infos[0].Created.IsZero() {
			t.Errorf("%s: %+v %v", name, infos, err)
		}
	}
}

func TestASilentSessionLeavesNothing(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	add(t, l, session.Agent{Agent: "plan"}, session.Notice{Text: "n"})
	shut(t, l)
	shut(t, l)
	if entries, _ := os.ReadDir(s.Dir); len(entries) != 0 {
		t.Errorf("left %v", entries)
	}
}

func TestRemove(t *testing.T) {
	t.Parallel()
	s := store(t)
	dir := t.TempDir()
	l, keep := create(t, s, dir), create(t, s, dir)
	add(t, l, session.User{Text: "x"})
	add(t, keep, session.User{Text: "y"})
	if _, err := l.Artifact("a", []byte("b")); err != nil {
		t.Fatal(err)
	}
	var used *session.InUseError
	if err := s.Remove(l.ID()); !errors.As(err, &used) {
		t.Errorf("in use: %v", err)
	}
	shut(t, l)
	if err := s.Remove(l.ID()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(l.Artifacts().Dir); !errors.Is(err, os.ErrNotExist) {
		t.Error("artifacts are left")
	}
	if matches, _ := filepath.Glob(l.Path() + "*"); len(matches) > 0 {
		t.Errorf("left %v", matches)
	}
	if _, err := os.Stat(keep.Path()); err != nil {
		t.Errorf("the other: %v", err)
	}
}

func TestFork(t *testing.T) {
	t.Parallel()
	s := store(t)
	dir := t.TempDir()
	l := create(t, s, dir)
	add(t, l, session.User{Text: "one"}, said("1"))
	at := l.Leaf()
	add(t, l, session.User{Text: "two"}, said("2"))
	if err := l.Move(at); err != nil {
		t.Fatal(err)
	}
	name, err := l.Artifact("raw.txt", []byte("raw"))
	if err != nil {
		t.Fatal(err)
	}
	add(t, l, session.User{Text: "three"})
	before, _ := os.ReadFile(l.Path())
	// The original stays open: a copy needs no lock.
	whole, err := s.Fork(l.ID(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	if got := show(session.Fold(whole.Branch())); got != "user one | said 1 | user three" {
		t.Errorf("copy: %s", got)
	}
	if data, err := whole.Artifacts().Read(name); err != nil || string(data) != "raw" {
		t.Errorf("artifact %q %v", data, err)
	}
	h := whole.Tree().Header
	if whole.ID() == l.ID() || h.ForkedFrom == nil || h.ForkedFrom.Session != l.ID() || h.ForkedFrom.Record != l.Leaf() || h.CWD != session.RealPath(dir) {
		t.Errorf("header %+v", h)
	}
	add(t, whole, session.User{Text: "four"})
	if u := whole.Tree().Entries[4].Record.(session.User); u.Turn != 3 {
		t.Errorf("turn %d", u.Turn)
	}
	part, err := s.Fork(l.ID(), at, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	shut(t, part)
	tree, faults := load(t, part.Path())
	if b := tree.Branch(""); show(session.Fold(b)) != "user one | said 1" || b.Broken != 0 || faults.Count != 0 {
		t.Errorf("part: %s, %d broken, %v", show(session.Fold(b)), b.Broken, faults)
	}
	if _, err := s.Fork(l.ID(), "nowhere", ""); err == nil {
		t.Error("forked at nowhere")
	}
	if after, _ := os.ReadFile(l.Path()); !bytes.Equal(before, after) {
		t.Error("the original changed")
	}
	shut(t, l)
	if err := s.Remove(l.ID()); err != nil {
		t.Fatal(err)
	}
	if data, err := whole.Artifacts().Read(name); err != nil || string(data) != "raw" {
		t.Errorf("the copy's artifact went with the original: %q %v", data, err)
	}
}

// peer is another process that has a session open.
type peer struct {
	id   string
	stop func()
	kill func()
}

func start(t *testing.T, dir, ref string) peer {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "SESSION_TEST_DIR="+dir, "SESSION_TEST_REF="+ref)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return peer{
		id:   strings.TrimSpace(line),
		stop: func() { _ = in.Close(); _ = cmd.Wait() },
		kill: func() { _ = cmd.Process.Kill(); _ = cmd.Wait() },
	}
}

// SESS-09: continuing takes no session that somebody has open.
func TestNewestPassesOverLiveSessions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := session.Store{Dir: dir, Now: nil}
	if _, err := s.Newest(dir); !errors.Is(err, session.ErrNone) {
		t.Fatalf("none: %v", err)
	}
	old := create(t, s, dir)
	add(t, old, session.User{Text: "old"})
	shut(t, old)
	live := start(t, dir, "")
	if got, err := s.Newest(dir); err != nil || got.ID != old.ID() {
		t.Errorf("while it lives: %s %v", got.ID, err)
	}
	var used *session.InUseError
	if _, err := s.Open(live.id); !errors.As(err, &used) || !strings.Contains(err.Error(), "--fork") {
		t.Errorf("open: %v", err)
	}
	fork, err := s.Fork(live.id, "", "")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(session.Fold(fork.Branch())); n != 5 {
		t.Errorf("%d items in the copy", n)
	}
	shut(t, fork)
	if err := s.Remove(fork.ID()); err != nil {
		t.Fatal(err)
	}
	live.stop()
	if got, err := s.Newest(dir); err != nil || got.ID != live.id {
		t.Errorf("when it has ended: %s %v", got.ID, err)
	}
}

// SESS-15: kill -9 loses nothing that was acknowledged, and the session goes on.
func TestAKilledProcessLosesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := start(t, dir, "")
	p.kill()
	s := session.Store{Dir: dir}
	l := open(t, s, p.id)
	if n := len(session.Fold(l.Branch())); n != 5 || l.Faults().Count != 0 {
		t.Errorf("%d items, %v", n, l.Faults())
	}
	add(t, l, session.User{Text: "on"})
	shut(t, l)
}

func TestTenProcessesEachHaveTheirOwnSession(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var peers []peer
	for range 10 {
		peers = append(peers, start(t, dir, ""))
	}
	for _, p := range peers {
		p.stop()
	}
	s := session.Store{Dir: dir}
	infos, err := s.List(dir, false)
	if err != nil || len(infos) != 10 {
		t.Fatalf("%d sessions, %v", len(infos), err)
	}
	for _, i := range infos {
		tree, faults := load(t, i.File)
		if n := len(session.Fold(tree.Branch(""))); n != 5 || faults.Count > 0 || i.Turns != 5 {
			t.Errorf("%s: %d items, %d turns, %v", i.ID, n, i.Turns, faults)
		}
	}
}

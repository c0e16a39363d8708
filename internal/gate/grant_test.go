package gate_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/workspace"
)

// granted returns the hands of an allowed request.
func granted(t testing.TB, g *gate.Gate, r gate.Request) gate.Hands {
	t.Helper()
	grant, d := g.Decide(context.Background(), r)
	if grant == nil {
		t.Fatalf("%s %s was refused by %s: %s", r.Tool, r.Input, d.By, d.Reason)
	}
	hands, err := grant.Spend(r.Tool, grant.Input())
	if err != nil {
		t.Fatal(err)
	}
	return hands
}

func TestGrantIsSpentOnceForItsOwnCall(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, map[string]string{"a.txt": "a"})
	g := gate.New(gate.Options{Workspace: ws, Yolo: true})
	r := reading("a.txt")
	refused := func(name string, grant *gate.Grant, tool string, input json.RawMessage) {
		t.Helper()
		hands, err := grant.Spend(tool, input)
		if !errors.Is(err, gate.ErrNoGrant) {
			t.Errorf("%s: got error %v", name, err)
		}
		if _, err := hands.Read("a.txt", 0); err == nil {
			t.Errorf("%s: the hands opened a file", name)
		}
	}
	refused("nil", nil, r.Tool, r.Input)
	refused("zero value", &gate.Grant{}, r.Tool, r.Input)
	grant, _ := g.Decide(t.Context(), r)
	refused("another tool", grant, "write_file", r.Input)
	refused("another input", grant, r.Tool, json.RawMessage(`{"path":["b.txt"]}`))
	refused("the same input in another spelling", grant, r.Tool, json.RawMessage(`{ "path":["a.txt"]}`))
	copied := *grant
	hands, err := grant.Spend(r.Tool, r.Input)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := hands.Read("a.txt", 0); err != nil || string(f.Data) != "a" {
		t.Errorf("read %q, %v", f.Data, err)
	}
	refused("a second use", grant, r.Tool, r.Input)
	refused("a copy of a spent one", &copied, r.Tool, r.Input)

	hands.Close()
	if _, err := hands.Read("a.txt", 0); !errors.Is(err, gate.ErrClosed) {
		t.Errorf("closed hands: %v", err)
	}
	if (*gate.Grant)(nil).Input() != nil {
		t.Error("nil has an input")
	}
	if _, ok := (*gate.Grant)(nil).Rewrote("", "", nil); ok {
		t.Error("nil was rewritten")
	}
}

func TestGrantIsSpentOnceByManyAtOnce(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, map[string]string{"a.txt": "a"})
	g := gate.New(gate.Options{Workspace: ws})
	r := reading("a.txt")
	grant, _ := g.Decide(t.Context(), r)
	var got atomic.Int32
	var wait sync.WaitGroup
	for range 32 {
		wait.Go(func() {
			if _, err := grant.Spend(r.Tool, r.Input); err == nil {
				got.Add(1)
			}
		})
	}
	wait.Wait()
	if got.Load() != 1 {
		t.Errorf("spent %d times", got.Load())
	}
}

func TestHandsOpenOnlyWhatWasPlanned(t *testing.T) {
	t.Parallel()
	ws, dir := open(t, map[string]string{"a.txt": "a", "b.txt": "b", "src/c.txt": "c", "src/.env": "K=1", ".env": "K=2"})
	g := gate.New(gate.Options{Workspace: ws, Yolo: true, Rules: rules(t, "deny read_file(src/private/*)")})
	put(t, filepath.Join(dir, "src/private/d.txt"), "d")

	h := granted(t, g, reading("a.txt"))
	for _, spelling := range []string{"a.txt", "./a.txt", "src/../a.txt", filepath.Join(dir, "a.txt")} {
		if f, err := h.Read(spelling, 0); err != nil || string(f.Data) != "a" {
			t.Errorf("read %s: %q, %v", spelling, f.Data, err)
		}
	}
	if _, err := h.Read("a.txt", 0); err != nil {
		t.Error(err)
	}
	for _, other := range []string{"b.txt", "src", "src/c.txt", ".", "..", "/etc/hostname", ".env", ""} {
		if _, err := h.Read(other, 0); err == nil {
			t.Errorf("read %q", other)
		}
		if _, err := h.Stat(other); err == nil {
			t.Errorf("looked at %q", other)
		}
	}
	for name, err := range map[string]error{
		"write": h.Write("a.txt", []byte("x"), 0), "move": h.Move("a.txt", "z.txt"), "remove": h.Remove("a.txt"),
	} {
		if !errors.Is(err, gate.ErrNotPlanned) {
			t.Errorf("%s with hands to read: %v", name, err)
		}
	}
	if _, err := h.Shell(t.Context(), "touch x", gate.ShellOptions{}); !errors.Is(err, gate.ErrNotPlanned) {
		t.Errorf("shell: %v", err)
	}

	h = granted(t, g, searching("src"))
	if f, err := h.Read("src/c.txt", 0); err != nil || string(f.Data) != "c" {
		t.Errorf("below a planned tree: %q, %v", f.Data, err)
	}
	var denied *gate.DeniedError
	if _, err := h.Read("src/.env", 0); !errors.As(err, &denied) || !denied.Secret {
		t.Errorf("a secret below a planned tree: %v", err)
	}
	if _, err := h.Read("src/private/d.txt", 0); !errors.As(err, &denied) || denied.Secret || !strings.Contains(denied.Error(), "src/private/*") {
		t.Errorf("a denied file below a planned tree: %v", err)
	}
	if _, err := h.Read("a.txt", 0); !errors.Is(err, gate.ErrNotPlanned) {
		t.Errorf("beside a planned tree: %v", err)
	}

	h = granted(t, g, writing("a.txt"))
	if f, err := h.Read("a.txt", 0); err != nil || string(f.Data) != "a" {
		t.Errorf("read before write: %q, %v", f.Data, err)
	}
	if err := h.Write("b.txt", nil, 0); !errors.Is(err, gate.ErrNotPlanned) {
		t.Errorf("write beside the plan: %v", err)
	}
	if err := h.Write("a.txt", []byte("new"), 0); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(b) != "new" {
		t.Errorf("on disk: %q", b)
	}

	// A grant to write a secret file is none to read it.
	h = granted(t, g, writing(".env"))
	if _, err := h.Read(".env", 0); !errors.As(err, &denied) || !denied.Secret {
		t.Errorf("read through a write: %v", err)
	}
	if _, err := h.Read("new.env", 0); !errors.Is(err, gate.ErrNotPlanned) {
		t.Errorf("got %v", err)
	}
	// Nor to learn by reading whether there is one.
	h = granted(t, g, writing("new.env", "new.txt"))
	if _, err := h.Read("new.env", 0); !errors.As(err, &denied) || errors.Is(err, os.ErrNotExist) {
		t.Errorf("a secret that is not there: %v", err)
	}
	if _, err := h.Read("new.txt", 0); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}

	if (gate.Hands{}).Emit("x"); true {
		if _, err := (gate.Hands{}).Read("a.txt", 0); !errors.Is(err, gate.ErrNoGrant) {
			t.Errorf("zero hands: %v", err)
		}
	}
}

func TestMoveAndRemove(t *testing.T) {
	t.Parallel()
	ws, dir := open(t, map[string]string{"a.txt": "a", "c.txt": "c"})
	g := gate.New(gate.Options{Workspace: ws, Yolo: true})
	h := granted(t, g, writing("a.txt", "b.txt"))
	h.MarkSeen("a.txt", []byte("a"))
	if err := h.Move("a.txt", "c.txt"); !errors.Is(err, gate.ErrNotPlanned) {
		t.Errorf("an end that was not planned: %v", err)
	}
	if err := h.Move("c.txt", "b.txt"); !errors.Is(err, gate.ErrNotPlanned) {
		t.Errorf("a beginning that was not planned: %v", err)
	}
	if err := h.Move("a.txt", "b.txt"); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "b.txt")); string(b) != "a" {
		t.Errorf("on disk: %q", b)
	}
	if hash, ok := h.Seen("b.txt"); !ok || hash != gate.Hash([]byte("a")) {
		t.Error("what was known of the file did not move with it")
	}
	if _, ok := h.Seen("a.txt"); ok {
		t.Error("the former name is still known")
	}
	if err := h.Remove("c.txt"); !errors.Is(err, gate.ErrNotPlanned) {
		t.Errorf("got %v", err)
	}
	if err := h.Remove("b.txt"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "b.txt")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("still there: %v", err)
	}
	if _, ok := h.Seen("b.txt"); ok {
		t.Error("a removed file is still known")
	}
	if err := h.Remove("b.txt"); err == nil {
		t.Error("removed twice")
	}
	if err := h.Move("b.txt", "a.txt"); err == nil {
		t.Error("moved what is not there")
	}
}

func TestSeenIsKeptByConversation(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, map[string]string{"a.txt": "a", "b.txt": "b"})
	g := gate.New(gate.Options{Workspace: ws, Yolo: true})
	main, sub := reading("a.txt"), reading("a.txt")
	sub.Subagent, sub.Conversation = "explore", "task-1"
	h := granted(t, g, main)
	if _, ok := h.Seen("a.txt"); ok {
		t.Error("seen before it was read")
	}
	h.MarkSeen("a.txt", []byte("a"))
	h.MarkSeen("b.txt", []byte("b"))
	if hash, ok := granted(t, g, main).Seen("./a.txt"); !ok || hash != gate.Hash([]byte("a")) {
		t.Errorf("a later call does not know it: %q, %v", hash, ok)
	}
	if _, ok := granted(t, g.Child(gate.Mode{}), sub).Seen("a.txt"); ok {
		t.Error("a subagent knows what it never read")
	}
	if _, ok := granted(t, g, reading("b.txt")).Seen("b.txt"); ok {
		t.Error("a name that was not planned was marked")
	}
	if _, ok := h.Seen("b.txt"); ok {
		t.Error("a name that was not planned is known")
	}
	w := granted(t, g, writing("a.txt"))
	if err := w.Write("a.txt", []byte("new"), 0); err != nil {
		t.Fatal(err)
	}
	if hash, _ := h.Seen("a.txt"); hash != gate.Hash([]byte("new")) {
		t.Error("what the agent wrote does not count as read")
	}
}

// TestPathChangedSinceDecision swaps what a name leads to between decision and
// use.
func TestPathChangedSinceDecision(t *testing.T) {
	t.Parallel()
	ws, dir := open(t, map[string]string{"a.txt": "a", "b/x.txt": "x", "secret/x.txt": "s", ".env": "K=1"})
	g := gate.New(gate.Options{Workspace: ws, Yolo: true, Rules: rules(t, "deny read_file(secret/*)", "deny write_file(secret/*)")})
	swap := func(name, target string) {
		t.Helper()
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	read, write := granted(t, g, reading("a.txt")), granted(t, g, writing("b/x.txt"))
	tree, deep := granted(t, g, searching("b")), granted(t, g, searching("."))
	out := granted(t, g, writing("new.txt"))
	swap("a.txt", ".env")
	swap("b", "secret")
	swap("new.txt", filepath.Join(t.TempDir(), "gone.txt"))
	if _, err := read.Read("a.txt", 0); !errors.Is(err, workspace.ErrChanged) {
		t.Errorf("read: %v", err)
	}
	if err := write.Write("b/x.txt", []byte("!"), 0); !errors.Is(err, workspace.ErrChanged) {
		t.Errorf("write: %v", err)
	}
	if err := out.Write("new.txt", []byte("!"), 0); !errors.Is(err, workspace.ErrChanged) {
		t.Errorf("write through a new link that leads out: %v", err)
	}
	if _, err := tree.Read("b/x.txt", 0); !errors.Is(err, workspace.ErrChanged) {
		t.Errorf("read below a tree that moved: %v", err)
	}
	if _, err := tree.Walk(t.Context(), "b", gate.WalkOptions{}, func(gate.Entry) error { return nil }); !errors.Is(err, workspace.ErrChanged) {
		t.Errorf("walk: %v", err)
	}
	var denied *gate.DeniedError
	if _, err := deep.Read("b/x.txt", 0); !errors.As(err, &denied) {
		t.Errorf("read below a tree through a link: %v", err)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "secret/x.txt")); string(b) != "s" {
		t.Errorf("the denied file holds %q", b)
	}
}

// TestBothSpellingsAreJudged: a deny holds for the name and for what it leads
// to.
func TestBothSpellingsAreJudged(t *testing.T) {
	t.Parallel()
	ws, dir := open(t, map[string]string{"private/x.txt": "x", ".env": "K=1", "plain.txt": "p"})
	for link, target := range map[string]string{"in": "private", "env.txt": ".env", "out": "/etc", "private/link": "../plain.txt"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	g := gate.New(gate.Options{Workspace: ws, Yolo: true, Rules: rules(t, "deny write_file(private/*)", "deny read_file(private/*)")})
	for _, r := range []gate.Request{
		reading("in/x.txt"), reading("private/link"), reading("env.txt"), reading("out/hostname"), reading("../../etc/hostname"),
		writing("in/x.txt"), writing("in/new.txt"), writing("private/link"), writing("out/x"), searching("in"), searching("private"),
		on("move_file", policy.Write, policy.AccessWrite, "plain.txt", "in/y.txt"),
	} {
		grant, d := g.Decide(t.Context(), r)
		if grant != nil || d.Verdict != policy.Deny {
			t.Errorf("%s %s: %s by %s", r.Tool, r.Input, d.Verdict, d.By)
		}
	}
}

func TestEmit(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, map[string]string{"a.txt": "a"})
	g := gate.New(gate.Options{Workspace: ws})
	var got []string
	r := reading("a.txt")
	r.Emit = func(chunk string) { got = append(got, chunk) }
	h := granted(t, g, r)
	h.Emit("one")
	h.Emit("")
	h.Close()
	h.Emit("two")
	if strings.Join(got, ",") != "one" {
		t.Errorf("got %q", got)
	}
}

package gate_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"assent/internal/gate"
	"assent/internal/policy"
)

// The hands of a trial say of every change what those of the call would, and
// change nothing.
func TestATrialSaysWhatTheCallWould(t *testing.T) {
	t.Parallel()
	type hand = func(gate.Hands) error
	write := func(name string) hand {
		return func(h gate.Hands) error { return h.Write(name, []byte("new"), 0) }
	}
	move := func(from, to string) hand { return func(h gate.Hands) error { return h.Move(from, to) } }
	remove := func(name string) hand { return func(h gate.Hands) error { return h.Remove(name) } }
	for _, c := range []struct {
		name  string
		do    hand
		paths []string
		works bool
	}{
		{"a new file", write("new/er/x"), []string{"new/er/x"}, true},
		{"a file", write("a.txt"), []string{"a.txt"}, true},
		{"a link", write("link"), []string{"link"}, true},
		{"a folder", write("sub"), []string{"sub"}, false},
		{"below a file", write("a.txt/x"), []string{"a.txt/x"}, false},
		{"read-only", write("fixed"), []string{"fixed"}, false},
		{"the root", write("."), []string{"."}, false},
		{"not planned", write("a.txt"), []string{"sub/b.txt"}, false},
		{"a move", move("a.txt", "new/c"), []string{"a.txt", "new/c"}, true},
		{"a move of a link", move("link", "c"), []string{"link", "c"}, true},
		{"a move onto a file", move("a.txt", "sub/b.txt"), []string{"a.txt", "sub/b.txt"}, false},
		{"a move onto itself", move("a.txt", "a.txt"), []string{"a.txt"}, false},
		{"a move of a folder", move("sub", "c"), []string{"sub", "c"}, false},
		{"a move of nothing", move("gone", "c"), []string{"gone", "c"}, false},
		{"a move of nothing nowhere", move("gone/x", "c"), []string{"gone/x", "c"}, false},
		{"a removal", remove("a.txt"), []string{"a.txt"}, true},
		{"a removal of a link", remove("link"), []string{"link"}, true},
		{"a removal of a folder", remove("sub"), []string{"sub"}, false},
		{"a removal of nothing", remove("gone"), []string{"gone"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if os.Getuid() == 0 && c.name == "read-only" || runtime.GOOS == "windows" && strings.Contains(c.name, "link") {
				t.Skip("nothing is read-only for root, and links need a privilege")
			}
			ws, dir := open(t, map[string]string{"a.txt": "a", "sub/b.txt": "b", "fixed": "f"})
			_ = os.Symlink("a.txt", filepath.Join(dir, "link")) // where there are links
			if err := os.Chmod(filepath.Join(dir, "fixed"), 0o400); err != nil {
				t.Fatal(err)
			}
			before := listed(t, dir)
			g := gate.New(gate.Options{Workspace: ws, Yolo: true})
			r := writing(c.paths...)
			grant := g.Try(r)
			h, err := grant.Spend(r.Tool, grant.Input())
			if err != nil {
				t.Fatal(err)
			}
			tried := c.do(h)
			h.MarkSeen(c.paths[0], []byte("x"))
			if _, seen := h.Seen(c.paths[0]); seen {
				t.Error("the model knows what only a trial saw")
			}
			if after := listed(t, dir); after != before {
				t.Errorf("the trial changed %s to %s", before, after)
			}
			real := c.do(granted(t, g, r))
			if told(tried) != told(real) || (tried == nil) != c.works {
				t.Errorf("tried: %v, done: %v", tried, real)
			}
			if planned := c.name != "not planned"; (grant.Changes() == 1) != planned {
				t.Errorf("%d changes", grant.Changes())
			}
		})
	}
}

func told(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// listed is every name below a folder with what it holds.
func listed(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			b.WriteString(name + "\n")
			return err
		}
		text, err := os.ReadFile(name)
		b.WriteString(name + "=" + string(text) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// There is a trial of calls that may write files, and of no others; it is no
// grant for a second use, and counts for no repetition.
func TestWhatIsTried(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, map[string]string{"a.txt": "a"})
	g := gate.New(gate.Options{Workspace: ws, Rules: rules(t, "deny write_file(no/*)")})
	for _, r := range []gate.Request{writing("no/x"), reading("a.txt")} {
		if g.Try(r) != nil {
			t.Errorf("%s %s is tried", r.Tool, r.Input)
		}
	}
	r := writing("a.txt")
	grant := g.Try(r)
	if _, err := grant.Spend(r.Tool, grant.Input()); err != nil {
		t.Fatal(err)
	}
	if _, err := grant.Spend(r.Tool, grant.Input()); err == nil {
		t.Error("spent twice")
	}
	for range 5 {
		g.Try(r)
	}
	if _, d := g.Decide(t.Context(), r); d.By == policy.ByRepeat {
		t.Errorf("a trial counts as a call: %+v", d)
	}
}

// Nobody decided about a call that is certain to fail; one that comes again and
// again is told so with its error.
func TestACallThatFailsForCertain(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, map[string]string{"a.txt": "a"})
	g := gate.New(gate.Options{Workspace: ws, Asker: &user{answer: gate.Answer{Fails: "no such text"}}})
	for i := range 4 {
		grant, d := g.Decide(t.Context(), writing("a.txt"))
		if grant != nil || d.Verdict != policy.Deny || !strings.HasPrefix(d.Fails, "no such text") || d.By == policy.ByUser {
			t.Errorf("%d: %+v", i, d)
		}
		if again := strings.Contains(d.Fails, "do something else"); again != (i >= 2) {
			t.Errorf("%d: %q", i, d.Fails)
		}
	}
}

// What a trial says of files is judged by where its paths led for it, also when
// a link leads elsewhere by then.
func TestATrialIsReadWhereItLed(t *testing.T) {
	t.Parallel()
	for _, yolo := range []bool{false, true} {
		ws, dir := open(t, map[string]string{"private/x": "x", "y": "y", "no/z": "z"})
		for link, to := range map[string]string{"asks": "private/x", "reads": "y", "denied": "no/z"} {
			if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
				t.Skip(err)
			}
		}
		g := gate.New(gate.Options{Workspace: ws, Yolo: yolo, Rules: rules(t, "ask read_file(private/*)", "deny read_file(no/*)", "allow write_file(*)")})
		want := map[string]policy.Verdict{"asks": policy.Ask, "reads": policy.Allow, "denied": policy.Deny}
		if yolo {
			want["asks"] = policy.Allow
		}
		grants := map[string]*gate.Grant{}
		for link := range want {
			grants[link] = g.Try(writing(link))
		}
		for link := range want { // they all lead to the harmless file by now
			if err := errors.Join(os.Remove(filepath.Join(dir, link)), os.Symlink("y", filepath.Join(dir, link))); err != nil {
				t.Fatal(err)
			}
		}
		for link, v := range want {
			if got := grants[link].Reads("read_file"); got != v {
				t.Errorf("%s: %s, want %s", link, got, v)
			}
		}
		if grant, _ := g.Decide(t.Context(), writing("y")); grant.Reads("read_file") != policy.Deny {
			t.Error("what is no trial tells something")
		}
	}
}

package session_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"assent/internal/event"
	"assent/internal/session"
)

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

// A picture that a power failure left empty or full of zeros is whole again
// when it is stored again; nothing else keeps its name.
func TestAnImageThatWasLostHeals(t *testing.T) {
	t.Parallel()
	a := session.Artifacts{Dir: t.TempDir()}
	png := []byte("\x89PNG\r\n\x1a\n\xff\x00data")
	for _, left := range [][]byte{nil, png[:5], make([]byte, len(png))} {
		im, err := a.Image("image/png", "shot.png", png)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(a.Dir, im.Artifact), left, 0o600); err != nil {
			t.Fatal(err)
		}
		if im, err = a.Image("image/png", "shot.png", png); err != nil {
			t.Fatal(err)
		}
		if got, err := a.Read(im.Artifact); err != nil || string(got) != string(png) {
			t.Errorf("after %d bytes of it were left: %q, %v", len(left), got, err)
		}
	}
}

// Several that store other content under one name at once all keep it.
func TestArtifactsOfOneNameAtOnce(t *testing.T) {
	t.Parallel()
	a := session.Artifacts{Dir: t.TempDir()}
	const writers = 16
	names := make([]string, writers)
	var wg sync.WaitGroup
	begin := make(chan struct{})
	for i := range writers {
		wg.Go(func() {
			<-begin
			name, err := a.Store("call_1.txt", []byte(strings.Repeat(string(rune('a'+i)), 100)))
			if err != nil {
				t.Error(err)
			}
			names[i] = name
		})
	}
	close(begin)
	wg.Wait()
	for i, name := range names {
		if got, err := a.Read(name); err != nil || string(got) != strings.Repeat(string(rune('a'+i)), 100) {
			t.Errorf("%s of writer %d holds %q, %v", name, i, got, err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(a.Dir, ".*")); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

// What a writer that was killed left half done is no artifact: nothing reads
// it, a fork does not take it along, and the next to open the session sweeps it.
func TestHalfArtifactsAreSwept(t *testing.T) {
	t.Parallel()
	s := store(t)
	l := create(t, s, t.TempDir())
	add(t, l, session.User{Text: "x"})
	name, err := l.Artifact("out.txt", []byte("whole"))
	if err != nil {
		t.Fatal(err)
	}
	dir := l.Artifacts().Dir
	if err := os.WriteFile(filepath.Join(dir, ".out.txt.new-123"), []byte("ha"), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := l.Artifacts().Read(".out.txt.new-123"); err == nil {
		t.Errorf("it is read: %q", b)
	}
	shut(t, l)
	fork, err := s.Fork(l.ID(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	shut(t, fork)
	shut(t, open(t, s, l.ID()))
	for _, d := range []string{dir, fork.Artifacts().Dir} {
		left, err := os.ReadDir(d)
		if err != nil || len(left) != 1 || left[0].Name() != name {
			t.Errorf("%s holds %v, %v", d, left, err)
		}
	}
}

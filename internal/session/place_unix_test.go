//go:build unix

package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"assent/internal/session"
)

// put writes a log whose header has an id, under the name of another.
func put(t *testing.T, s session.Store, cwd, name, id string) string {
	t.Helper()
	dir := filepath.Join(s.Dir, session.Project(session.RealPath(cwd)))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	text := fmt.Sprintf(`{"type":"session","id":%s,"time":"2026-10-01T09:00:01Z","version":1,"cwd":%q}`+"\n"+
		`{"type":"user","id":"u1","parent":%s,"time":"2026-10-01T09:00:02Z","text":"hi","turn":1}`+"\n", id, cwd, id)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	oneID   = "01999999-0000-7000-8000-000000000001"
	otherID = "01999999-0000-7000-8000-000000000002"
)

// A session is the one that its file is named after, whatever the header says.
func TestAHeaderWithAnotherID(t *testing.T) {
	t.Parallel()
	for name, id := range map[string]string{
		"up":         `"../../x"`,
		"absolute":   `"/etc/passwd"`,
		"NUL":        `"a\u0000b"`,
		"quotes":     `"a\",\"type\":\"call"`,
		"line end":   `"a\nb"`,
		"long":       `"` + strings.Repeat("x", 100_000) + `"`,
		"short":      `"x"`,
		"another's":  `"` + otherID + `"`,
		"controls":   `"\u001b[31m"`,
		"characters": `"é\ud800"`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, cwd := store(t), t.TempDir()
			path := put(t, s, cwd, "20261001T090001Z_"+oneID+".jsonl", id)
			l := open(t, s, oneID)
			if l.ID() != oneID {
				t.Errorf("id %.100q", l.ID())
			}
			if f := l.Faults().String(); !strings.Contains(f, "line 1") || !strings.Contains(f, "another") || len(f) > 300 {
				t.Errorf("faults %q", f)
			}
			if _, err := l.Artifact("out.txt", []byte("x")); err != nil {
				t.Error(err)
			}
			add(t, l, said("a"), session.User{Text: "q"})
			shut(t, l)
			tree, faults := load(t, path)
			if got := show(session.Fold(tree.Branch(""))); got != "user hi | said a | user q" || faults.Count != 1 || tree.Branch("").Broken != 0 {
				t.Errorf("%s, %v, %d broken", got, faults, tree.Branch("").Broken)
			}
			fork, err := s.Fork(oneID, "", "")
			if err != nil {
				t.Fatal(err)
			}
			add(t, fork, session.User{Text: "f"})
			shut(t, fork)
			tree, faults = load(t, fork.Path())
			if got := show(session.Fold(tree.Branch(""))); got != "user hi | said a | user q | user f" || faults.Count != 0 || tree.Header.ForkedFrom.Session != oneID {
				t.Errorf("the fork: %s, %v, from %.100v", got, faults, tree.Header.ForkedFrom)
			}
			if err := s.Remove(oneID); err != nil {
				t.Error(err)
			}
		})
	}
}

// Ids of records that no writer gives cannot make a line that nobody reads.
func TestOddIDsOfRecords(t *testing.T) {
	t.Parallel()
	for _, id := range []string{`a\"b`, `a\\`, `a\nb`, `a\u0000`, `\ud800`, `é`, ` `, "\x80"} {
		s, cwd := store(t), t.TempDir()
		path := put(t, s, cwd, "20261001T090001Z_"+oneID+".jsonl", `"`+oneID+`"`)
		appendTo(t, path, `{"type":"assistant","id":"`+id+`","parent":"u1","time":"2026-10-01T09:00:02Z","text":"a"}`+"\n")
		l := open(t, s, oneID)
		add(t, l, session.User{Text: "q"}, said("b"))
		shut(t, l)
		tree, faults := load(t, path)
		if got := show(session.Fold(tree.Branch(""))); got != "user hi | said a | user q | said b" || faults.Count != 0 || tree.Branch("").Broken != 0 {
			t.Errorf("%q: %s, %v, %d broken", id, got, faults, tree.Branch("").Broken)
		}
	}
}

// Only a file that is named as the store names them is a session: a name that
// leads out of the folder of artifacts would let removing it remove others.
func TestOddNamesOfFiles(t *testing.T) {
	t.Parallel()
	s, cwd := store(t), t.TempDir()
	good := put(t, s, cwd, "20261001T090001Z_"+oneID+".jsonl", `"`+oneID+`"`)
	dir := filepath.Dir(good)
	raw := filepath.Join(dir, "artifacts", oneID)
	if err := os.MkdirAll(raw, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{".", "..", "...", ".x", "-", "x", "a b", strings.Repeat("x", 200), oneID + " copy"} {
		put(t, s, cwd, "20261001T090001Z_"+id+".jsonl", `"`+id+`"`)
		if err := s.Remove(id); err == nil {
			t.Errorf("%q is a session", id)
		}
	}
	if n, err := s.Prune(time.Nanosecond); err != nil || n > 1 {
		t.Errorf("%d removed, %v", n, err)
	}
	for _, p := range []string{good, raw} {
		if _, err := os.Stat(p); err != nil {
			t.Error(err)
		}
	}
	if list, err := s.List(cwd, false); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}

// Links and pipes where the artifacts lie lead nowhere and hold nobody up.
func TestOddThingsInPlaceOfArtifacts(t *testing.T) {
	t.Parallel()
	for name, lay := range map[string]func(dir, outside string) error{
		"the folder is a link":  func(dir, outside string) error { return os.Symlink(outside, dir) },
		"all folders are":       func(dir, outside string) error { return os.Symlink(filepath.Dir(outside), filepath.Dir(dir)) },
		"the file is a link":    func(dir, outside string) error { return os.Symlink(outside+"/secret.txt", dir+"/secret.txt") },
		"the file is a pipe":    func(dir, _ string) error { return syscall.Mkfifo(dir+"/secret.txt", 0o600) },
		"the file is a folder":  func(dir, _ string) error { return os.Mkdir(dir+"/secret.txt", 0o700) },
		"the folder is a pipe":  func(dir, _ string) error { return syscall.Mkfifo(dir, 0o600) },
		"the file is a device":  func(dir, _ string) error { return os.Symlink("/dev/zero", dir+"/secret.txt") },
		"the file has no end":   func(dir, _ string) error { return os.WriteFile(dir+"/secret.txt", nil, 0o600) },
		"the folder is a loop":  func(dir, _ string) error { return os.Symlink(dir, dir) },
		"the file leads beside": func(dir, _ string) error { return os.Symlink("../../other.txt", dir+"/secret.txt") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, cwd := store(t), t.TempDir()
			path := put(t, s, cwd, "20261001T090001Z_"+oneID+".jsonl", `"`+oneID+`"`)
			dir := filepath.Join(filepath.Dir(path), "artifacts", oneID)
			outside := filepath.Join(t.TempDir(), oneID)
			parent := dir
			if strings.HasPrefix(name, "the folder") {
				parent = filepath.Dir(dir)
			} else if strings.HasPrefix(name, "all") {
				parent = filepath.Dir(filepath.Dir(dir))
			}
			for _, d := range []string{parent, outside} {
				if err := os.MkdirAll(d, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for _, f := range []string{filepath.Join(outside, "secret.txt"), filepath.Join(filepath.Dir(path), "other.txt")} {
				if err := os.WriteFile(f, []byte("secret"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := lay(dir, outside); err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(name, "no end") {
				if err := os.Truncate(dir+"/secret.txt", 1<<40); err != nil {
					t.Skip(err)
				}
			}
			quickly(t, func() {
				l := open(t, s, oneID)
				add(t, l, session.User{Text: "see", Images: []session.Image{
					{MIME: "image/png", Name: "a", Artifact: "secret.txt"}, {MIME: "image/png", Name: "b", Artifact: "../../../secret.txt"},
				}})
				if b, err := l.Artifacts().Read("secret.txt"); err == nil {
					t.Errorf("read %.20q", b)
				}
				if got := show(session.Fold(l.Branch())); strings.Contains(got, "secret") || strings.Count(got, "no longer available") != 2 {
					t.Errorf("items %.300s", got)
				}
				_, err := l.Artifact("secret.txt", []byte("mine"))
				if err == nil && parent != dir {
					t.Error("stored through it")
				}
				shut(t, l)
				if fork, err := s.Fork(oneID, "", ""); err == nil {
					if b, err := fork.Artifacts().Read("secret.txt"); err == nil {
						t.Errorf("the fork has %.20q", b)
					}
					shut(t, fork)
				}
				_ = s.Remove(oneID)
			})
			left, err := os.ReadDir(outside)
			if err != nil || len(left) != 1 || left[0].Name() != "secret.txt" {
				t.Errorf("what is outside has become %v, %v", left, err)
			}
			if b, err := os.ReadFile(filepath.Join(outside, "secret.txt")); err != nil || string(b) != "secret" {
				t.Errorf("what is outside holds %q, %v", b, err)
			}
		})
	}
}

// Where the folder of all artifacts is a link, no folder is made where it leads,
// neither by what is stored nor by a copy for another project.
func TestNoFolderIsMadeThroughALink(t *testing.T) {
	t.Parallel()
	s, here, there := store(t), t.TempDir(), t.TempDir()
	path := put(t, s, here, "20261001T090001Z_"+oneID+".jsonl", `"`+oneID+`"`)
	l := open(t, s, oneID)
	defer shut(t, l)
	if _, err := l.Artifact("a.txt", []byte("text")); err != nil {
		t.Fatal(err)
	}
	other := filepath.Dir(put(t, s, there, "20261001T090001Z_"+otherID+".jsonl", `"`+otherID+`"`))
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(other, "artifacts")); err != nil {
		t.Fatal(err)
	}
	if fork, err := s.Fork(oneID, "", there); err == nil {
		shut(t, fork)
		t.Error("the artifacts were copied through a link")
	}
	to := open(t, s, otherID)
	defer shut(t, to)
	if _, err := to.Artifact("a.txt", []byte("text")); err == nil {
		t.Error("stored through a link")
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) != 0 {
		t.Errorf("where the link leads now lie %v, %v (%s)", left, err, path)
	}
}

// A project's folder that is a link leads out of the store, so nothing is made
// or looked for through it.
func TestAProjectThatIsALink(t *testing.T) {
	t.Parallel()
	s, cwd, outside := store(t), t.TempDir(), t.TempDir()
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(s.Dir, session.Project(session.RealPath(cwd)))); err != nil {
		t.Fatal(err)
	}
	if l, err := s.Create(cwd); err == nil || !strings.Contains(err.Error(), "symbolic link") {
		t.Errorf("created %v, %v", l, err)
	}
	if _, err := s.List(cwd, false); err == nil {
		t.Error("listed")
	}
	if left, _ := os.ReadDir(outside); len(left) > 0 {
		t.Errorf("outside is %v", left)
	}
}

// quickly fails a test whose deed hangs.
func quickly(t *testing.T, deed func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); deed() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("it hangs")
	}
}

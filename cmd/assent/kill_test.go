//go:build unix

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assent/internal/llm"
	"assent/internal/lock"
	"assent/internal/policy"
	"assent/internal/provider/providertest"
	"assent/internal/session"
)

// longestLane is about how many kills one session goes through in a long run.
const longestLane = 10

// kills is how many kills TestKilledAtRandomPoints does; ASSENT_KILLS says
// another number.
func kills(t *testing.T) int {
	t.Helper()
	n := 24
	if s := os.Getenv("ASSENT_KILLS"); s != "" {
		var err error
		n, err = strconv.Atoi(s)
		check(t, err)
	}
	return n
}

// loopScript is a model that never stops: each response writes a file and runs
// a command, among them ones that leave processes behind, ones that wait and
// ones whose output is kept aside, and some look at pictures.
func loopScript(responses int) string {
	commands := []string{
		longOutput + ` # %d`, `sleep 0.03; echo %d`, `sleep 30 & echo %d`, `setsid sleep 30 & sleep 0.02; echo %d`,
		`yes %d | head -n 2000`, longOutput + ` # %d`, `sleep 30; echo %d`, `trap '' TERM; sleep 0.05; echo %d`,
	}
	var b strings.Builder
	for i := range responses {
		fmt.Fprintf(&b, "text \"step %d of the work\\n\"\n", i)
		fmt.Fprintf(&b, "call write_file {\"path\":\"f%d.txt\",\"content\":\"%s\"}\n", i, strings.Repeat("x", i%7*500))
		fmt.Fprintf(&b, "call bash {\"command\":%q}\n", fmt.Sprintf(commands[i%len(commands)], i))
		if i%2 == 0 {
			fmt.Fprintf(&b, "call read_file {\"path\":\"pics/%d.png\"}\n", i%pictures)
		}
		if i%3 == 0 {
			fmt.Fprintf(&b, "call list_dir {\"path\":\".\",\"depth\":%d}\n", i%4+1)
		}
		b.WriteString("---\n")
	}
	return "match finish now\ntext All is done.\nrepeat\n---\n" + b.String()
}

// longOutput is a command whose output is kept aside.
const longOutput = "seq 60000"

// pictures is how many there are to look at.
const pictures = 6

// gallery makes pictures that take a moment to store.
func (w *world) gallery(rnd *rand.Rand) {
	w.t.Helper()
	for n := range pictures {
		im := image.NewNRGBA(image.Rect(0, 0, 240, 160))
		for i := range im.Pix {
			im.Pix[i] = byte(rnd.Uint32()) | 0x80
		}
		var b bytes.Buffer
		check(w.t, png.Encode(&b, im))
		w.write(fmt.Sprintf("pics/%d.png", n), b.String())
	}
}

// A run that is killed at any point of a tool loop loses nothing that it
// acknowledged: SESS-15, SESS-05, CTX-01, CTX-04, HEAD-09. Its log loads, the
// next run goes on with it, the strict server accepts what that sends, and no
// process lives on.
func TestKilledAtRandomPoints(t *testing.T) {
	t.Parallel()
	total := kills(t)
	// A lane goes over all of its session after each kill, so a long one costs
	// the square of its kills.
	lanes := max(4, total/longestLane)
	seed := uint64(time.Now().UnixNano())
	t.Logf("%d kills, seed %d", total, seed)
	var done, torn, cut, aside, half atomic.Int64
	t.Run("lanes", func(t *testing.T) {
		for n := range lanes {
			t.Run(strconv.Itoa(n), func(t *testing.T) {
				t.Parallel()
				l := lane{world: newWorld(t), rnd: rand.New(rand.NewPCG(seed, uint64(n)))}
				l.server, l.flags = l.serve(loopScript(total/lanes*24 + 50))
				l.gallery(l.rnd)
				for i := range (total + lanes - 1) / lanes {
					l.kill(t, i)
					done.Add(1)
					if t.Failed() {
						t.Fatalf("after %d kills", i+1)
					}
				}
				torn.Add(int64(l.torn))
				cut.Add(int64(l.cut))
				aside.Add(int64(l.aside))
				half.Add(int64(l.half))
				l.finish(t)
			})
		}
	})
	t.Logf("%d killed, %d in the middle of a line, %d of a file, %d of a file aside; %d files aside were whole", done.Load(), torn.Load(), cut.Load(), half.Load(), aside.Load())
}

// lane is one session that is killed again and again.
type lane struct {
	*world
	server *providertest.Server
	flags  []string
	rnd    *rand.Rand
	torn   int // kills in the middle of a line
	cut    int // kills in the middle of a file
	half   int // kills in the middle of a file aside
	aside  int // files aside that were looked at
}

// kill runs the session on, kills it, and looks at what is left.
func (l *lane) kill(t *testing.T, n int) {
	t.Helper()
	prompt := fmt.Sprintf("prompt %d of the lane.", n)
	args := append([]string{"-p", prompt, "--yolo", "--json"}, l.flags...)
	args = append(args, l.again()...)
	before := len(l.server.Requests())
	run := l.start(args...)
	// Half of the kills come after a number of events, half after a time; the
	// first moments of a run count as well.
	if after := l.rnd.IntN(24); l.rnd.IntN(2) == 0 {
		soon := time.Now().Add(time.Second) // a command may wait for long
		run.until(func() bool { return len(run.events()) >= after || time.Now().After(soon) })
		time.Sleep(time.Duration(l.rnd.IntN(3000)) * time.Microsecond) // the point is a random one
	} else {
		time.Sleep(time.Duration(l.rnd.IntN(350)) * time.Millisecond) // so is this
	}
	check(t, run.Process.Kill())
	if code := run.end(); code != -1 {
		t.Fatalf("the run ended by itself with %d before it was killed: %v %s", code, last(run.events()), run.fault.String())
	}
	if len(l.logs()) == 0 {
		if len(run.events()) > 0 || len(l.server.Requests()) > before {
			t.Fatal("no log, though the session was told or the model asked")
		}
		return
	}
	// A command that was just being started holds the lock until it is.
	for deadline := time.Now().Add(30 * time.Second); lock.Held(l.logs()[0]) && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	if len(l.logs()) > 1 {
		t.Fatalf("more than one session: %v", l.logs())
	}
	l.compare(t, run.events(), prompt, len(l.server.Requests()) > before)
}

// again are the flags that go on with the session, if there is one.
func (l *lane) again() []string {
	logs := l.logs()
	switch {
	case len(logs) == 0:
		return nil
	case len(results(l.load(logs[0]))) == 0: // perhaps nothing was said before the kill
		return []string{"-r", l.load(logs[0]).ID}
	}
	return []string{"-c"}
}

// compare checks the log against what was acknowledged.
func (l *lane) compare(t *testing.T, events []map[string]any, prompt string, asked bool) {
	t.Helper()
	path := l.logs()[0]
	raw, err := os.ReadFile(path)
	check(t, err)
	if !bytes.HasSuffix(raw, []byte("\n")) {
		l.torn++
	}
	tree := l.load(path)
	calls, decided, inputs := map[string]bool{}, map[string]bool{}, map[string]bool{}
	user := false
	l.kept(t, path, tree)
	for _, e := range tree.Branch("").Entries {
		switch r := e.Record.(type) {
		case session.User:
			user = user || r.Text == prompt
		case session.Assistant:
			for _, c := range r.Calls {
				calls[c.ID] = true
			}
		case session.Call:
			decided[r.CallID] = true
			if r.Decide == policy.Allow {
				inputs[r.Title] = true
			}
		default:
		}
	}
	if asked && !user {
		t.Error("the model was asked before the prompt was on disk")
	}
	ends := results(tree)
	for _, e := range events {
		id, _ := e["id"].(string)
		switch kind := e["type"]; kind {
		case "session":
			if id != tree.ID {
				t.Errorf("session %s was told, the log is %s", id, tree.ID)
			}
		case "tool-call":
			if !calls[id] {
				t.Errorf("call %s was told and is not in the log", id)
			}
		case "tool-output":
			if !decided[id] {
				t.Errorf("call %s ran before its decision was on disk", id)
			}
		case "tool-result", "tool-error", "tool-denied":
			if _, ok := ends[id]; !ok {
				t.Errorf("the %s of %s was told and is not in the log", kind, id)
			}
			if name := fmt.Sprint(e["artifact"]); e["artifact"] != nil && name != "" && ends[id].Artifact != name {
				t.Errorf("the %s of %s was told with %s, and the log names %q", kind, id, name, ends[id].Artifact)
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(l.dir, "*"))
	check(t, err)
	for _, f := range files {
		name := filepath.Base(f)
		switch {
		case name == "pics":
		case strings.HasPrefix(name, ".assent-"): // a write that was cut; the file itself is whole
			l.cut++
			check(t, os.Remove(f))
		case !strings.HasPrefix(name, "f") || !strings.HasSuffix(name, ".txt"):
			t.Errorf("a half-written file is left: %s", name)
		case !inputs[name]:
			t.Errorf("%s was written before its decision was on disk", name)
		}
	}
}

// kept checks that what the log names is beside it, and whole, and that what
// is half there has no name that anything could ask for.
func (l *lane) kept(t *testing.T, path string, tree session.Tree) {
	t.Helper()
	dir := filepath.Join(filepath.Dir(path), "artifacts", tree.ID)
	store := session.Artifacts{Dir: dir}
	pictures := func(list []session.Image) {
		for _, im := range list {
			data, err := store.Read(im.Artifact)
			if sum := sha256.Sum256(data); err != nil || im.Artifact != hex.EncodeToString(sum[:])+".png" {
				t.Errorf("the picture %s that the log names is %d bytes, %v", im.Artifact, len(data), err)
			}
			l.aside++
		}
	}
	for _, e := range tree.Entries {
		switch r := e.Record.(type) {
		case session.User:
			pictures(r.Images)
		case session.Result:
			pictures(r.Images)
			if r.Artifact == "" {
				continue
			}
			l.aside++
			text, err := store.Read(r.Artifact)
			if err != nil || r.Status == llm.StatusOK && !strings.HasPrefix(string(text), "1\n2\n") && strings.Contains(r.Output, "59999") || strings.HasPrefix(string(text), "1\n2\n") && r.Status == llm.StatusOK && !strings.HasSuffix(strings.TrimSpace(string(text)), "\n60000") {
				t.Errorf("the output %s that the log names is %d bytes and ends with %.40q, %v", r.Artifact, len(text), text[max(0, len(text)-40):], err)
			}
		default:
		}
	}
	for _, it := range session.Fold(tree.Branch("")) {
		if r, ok := it.(llm.Result); ok && strings.Contains(r.Output, "is no longer available") {
			t.Errorf("a picture is told as lost: %.300s", r.Output)
		}
	}
	l.half += len(l.halves(path))
}

// halves are the files aside that a kill cut.
func (l *lane) halves(path string) []string {
	list, err := filepath.Glob(filepath.Join(filepath.Dir(path), "artifacts", "*", ".*"))
	check(l.t, err)
	return list
}

// finish resumes for the last time and runs to the end.
func (l *lane) finish(t *testing.T) {
	t.Helper()
	if len(l.logs()) == 0 {
		return
	}
	o := l.run(append(append(l.again(), "-p", "finish now", "--json"), l.flags...)...)
	if o.code != 0 || last(l.parse(o.out))["reason"] != "stop" {
		t.Errorf("exit %d: %s%s", o.code, o.out, o.err)
	}
	if left := l.halves(l.logs()[0]); len(left) > 0 {
		t.Errorf("half files aside stay: %v", left)
	}
	if got := said(l.load(l.logs()[0])); got != "All is done." {
		t.Errorf("the log ends with %q", got)
	}
}

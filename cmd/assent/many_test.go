//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"assent/internal/session"
)

// Ten runs in one directory at once: each has a session of its own, whole and
// with nothing of another's in it.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 10} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			var script strings.Builder
			for i := range n {
				fmt.Fprintf(&script, "match worker-%d.\ncall bash {\"command\":\"echo w%d; sleep 0.0%d\"}\ncall write_file {\"path\":\"w%d.txt\",\"content\":\"w%d\"}\n---\nmatch worker-%d.\ntext Answer %d.\n---\n", i, i, i, i, i, i, i)
			}
			_, flags := w.serve(script.String())
			var wg sync.WaitGroup
			for i := range n {
				cmd := w.command(append([]string{"-p", fmt.Sprintf("I am worker-%d.", i), "--yolo"}, flags...)...)
				wg.Go(func() {
					var out, fault strings.Builder
					cmd.Stdout, cmd.Stderr = &out, &fault
					if err := cmd.Run(); err != nil || out.String() != fmt.Sprintf("Answer %d.\n", i) {
						t.Errorf("worker %d: %v %q %s", i, err, out.String(), fault.String())
					}
				})
			}
			wg.Wait()
			if len(w.logs()) != n {
				t.Fatalf("%d sessions of %d runs", len(w.logs()), n)
			}
			seen := map[string]bool{}
			for _, path := range w.logs() {
				w.paired(path)
				raw, err := os.ReadFile(path)
				check(t, err)
				mine := ""
				for i := range n {
					name := fmt.Sprintf("worker-%d.", i)
					if strings.Contains(string(raw), name) {
						mine += name
						if got, want := said(w.load(path)), fmt.Sprintf("Answer %d.", i); got != want {
							t.Errorf("%s was answered %q", name, got)
						}
					}
				}
				if seen[mine] || strings.Count(mine, "worker") != 1 {
					t.Errorf("a session holds %q", mine)
				}
				seen[mine] = true
			}
		})
	}
}

// SESS-09: a session that a process has open is refused to -r, skipped by -c
// and free for --fork; when that process is gone, so is the refusal.
func TestALiveSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	quick := w.script(`{"text":"answered"}`)
	if o := w.run(append([]string{"-p", "the idle one"}, quick...)...); o.code != 0 {
		t.Fatal(o.err)
	}
	idle := w.load(w.logs()[0]).ID
	server, flags := w.serve("wait end\ntext The end.")
	live := w.start(append([]string{"-p", "the live one", "--json"}, flags...)...)
	live.until(func() bool { return len(server.Requests()) > 0 })
	id := fmt.Sprint(live.events()[0]["id"])

	o := w.run(append([]string{"-r", id, "-p", "mine"}, quick...)...)
	if o.code != 2 || !strings.Contains(o.err, fmt.Sprintf("in use by process %d", live.Process.Pid)) || !strings.Contains(o.err, "--fork") || o.out != "" {
		t.Errorf("-r of a live one: exit %d %q %q", o.code, o.out, o.err)
	}
	if o := w.run("sessions", "rm", id); o.code == 0 || !strings.Contains(o.err, "in use") {
		t.Errorf("rm of a live one: exit %d %q", o.code, o.err)
	}
	o = w.run(append([]string{"-r", id, "--fork", "-p", "a copy", "--json"}, quick...)...)
	if o.code != 0 || w.parse(o.out)[0]["id"] == id {
		t.Errorf("--fork of a live one: exit %d %s%s", o.code, o.out, o.err)
	}
	fork := fmt.Sprint(w.parse(o.out)[0]["id"])
	if o := w.run("sessions", "rm", fork); o.code != 0 {
		t.Errorf("rm: %s", o.err)
	}
	o = w.run(append([]string{"-c", "-p", "next", "--json"}, quick...)...)
	if o.code != 0 || w.parse(o.out)[0]["id"] != idle {
		t.Errorf("-c beside a live one: exit %d, want session %s: %s%s", o.code, idle, o.out, o.err)
	}
	if o := w.run("sessions", "list"); !strings.Contains(o.out, "the live one") {
		t.Errorf("a live session is not listed: %s", o.out)
	}
	server.Release("end")
	if code := live.end(); code != 0 {
		t.Errorf("the live one ended with %d: %s", code, live.fault.String())
	}
	if o := w.run(append([]string{"-r", id[:14], "-p", "mine"}, quick...)...); o.code != 0 {
		t.Errorf("after its end: exit %d %s", o.code, o.err)
	}
	if got := len(prompts(w.load(w.logs()[0]))) + len(prompts(w.load(w.logs()[1]))); len(w.logs()) != 2 || got != 4 {
		t.Errorf("%d sessions, %d prompts", len(w.logs()), got)
	}
}

func prompts(tree session.Tree) (list []string) {
	for _, e := range tree.Branch("").Entries {
		if u, ok := e.Record.(session.User); ok {
			list = append(list, u.Text)
		}
	}
	return list
}

// Two that go for the newest session at the same moment: one gets it, the
// other another one or an error; never both.
func TestTwoContinueAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	flags := w.script(`{"text":"a","delayMs":200}`, `{"text":"b","delayMs":200}`, `{"text":"c","delayMs":200}`)
	if o := w.run(append([]string{"-p", "the first"}, flags...)...); o.code != 0 {
		t.Fatal(o.err)
	}
	var wg sync.WaitGroup
	codes := make([]int, 4)
	for i := range codes {
		cmd := w.command(append([]string{"-c", "-p", fmt.Sprintf("next %d", i)}, flags...)...)
		wg.Go(func() { codes[i] = exitCode(cmd) })
	}
	wg.Wait()
	good := 0
	for _, c := range codes {
		switch c {
		case 0:
			good++
		case 2:
		default:
			t.Errorf("exit codes %v", codes)
		}
	}
	w.paired(w.logs()[0])
	if got := prompts(w.load(w.logs()[0])); len(got) != good+1 || good == 0 {
		t.Errorf("%d of %v went well, the session holds %q", good, codes, got)
	}
}

func exitCode(cmd *exec.Cmd) int {
	_ = cmd.Run() // its state tells
	return cmd.ProcessState.ExitCode()
}

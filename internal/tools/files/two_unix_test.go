//go:build unix

package files_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"assent/internal/gate"
	"assent/internal/tools/files"
	"assent/internal/workspace"
)

// editor is what each of the processes of TestTwoProcesses does: many edits of
// one file, each above its last line.
const editor = "ASSENT_TEST_EDITOR"

// TestEditor is the body of such a process, and nothing by itself.
func TestEditor(t *testing.T) {
	t.Parallel()
	job := os.Getenv(editor)
	if job == "" {
		t.Skip("run by TestTwoProcesses")
	}
	dir, id, _ := strings.Cut(job, "|")
	ws, err := workspace.Open(workspace.Options{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	w := &world{t, dir, ws, gate.New(gate.Options{Workspace: ws, Yolo: true}), files.Tools()}
	for i := range perProcess {
		mark := fmt.Sprintf("%s%d\n", id, i)
		name, input := "edit_file", args{"path": "f", "old_string": "end\n", "new_string": mark + "end\n"}
		if i%2 == 1 {
			name, input = "apply_patch", patch("*** Update File: f", "@@", "+"+strings.TrimSuffix(mark, "\n"), " end")
		}
		for { // as a model would, on what the error says
			_, err := w.try(name, input)
			if err == nil {
				break
			}
			if !strings.Contains(err.Error(), "another program changed the file meanwhile; read it again and try again") {
				t.Fatal(err)
			}
		}
	}
}

const perProcess = 40

// Two programs that edit one file at once lose no edit of each other.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"f": "end\n"})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var running []*exec.Cmd
	for _, id := range []string{"a", "b"} {
		c := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestEditor$", "-test.count=1")
		c.Env = append(os.Environ(), editor+"="+w.dir+"|"+id)
		c.Stdout = new(bytes.Buffer)
		c.Stderr = c.Stdout
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, c)
	}
	for _, c := range running {
		if err := c.Wait(); err != nil {
			t.Errorf("%v: %s", err, c.Stdout)
		}
	}
	data, err := os.ReadFile(w.dir + "/f")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(data))
	if len(lines) != 2*perProcess+1 {
		t.Errorf("%d lines of %d are left", len(lines), 2*perProcess+1)
	}
	seen := map[string]bool{}
	for _, l := range lines {
		if seen[l] {
			t.Errorf("%q twice", l)
		}
		seen[l] = true
	}
}

// A file that changes between the look at it and the write is not replaced.
func TestMeanwhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"there": "a\n"})
	read := func(name string) *workspace.File {
		p, err := w.ws.Resolve(name, "")
		if err != nil {
			t.Fatal(err)
		}
		f, err := w.ws.Read(p, 0)
		if err != nil {
			return nil
		}
		return &f
	}
	was := map[string]*workspace.File{"there": read("there"), "new": read("new")}
	for name, f := range was {
		w.put(name, "theirs\n")
		x, _ := w.tools.Find("write_file")
		input := json.RawMessage(fmt.Sprintf(`{"path":%q,"content":"x"}`, name))
		p, err := x.Prepare("1", input)
		if err != nil {
			t.Fatal(err)
		}
		w.gate.Begin()
		g, d := w.gate.Decide(context.Background(), p.Request())
		if g == nil {
			t.Fatal(d.Reason)
		}
		h, err := g.Spend("write_file", p.Request().Input)
		if err != nil {
			t.Fatal(err)
		}
		err = h.Replace(name, []byte("ours\n"), 0, f)
		if err == nil || !strings.Contains(err.Error(), "write "+name+": another program changed the file meanwhile") {
			t.Errorf("%s: error is %v", name, err)
		}
		w.holds(name, "theirs\n")
		if err := h.Replace(name, []byte("ours\n"), 0, read(name)); err != nil {
			t.Error(err)
		}
		w.holds(name, "ours\n")
		h.Close()
	}
	list, err := os.ReadDir(w.dir)
	if err != nil || len(list) != 2 {
		t.Errorf("left: %v %v", list, err)
	}
}

//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// call is a line of a script with one call.
func call(name string, input ...string) string {
	var fields []string
	for i := 0; i < len(input); i += 2 {
		fields = append(fields, fmt.Sprintf("%q:%s", input[i], input[i+1]))
	}
	return fmt.Sprintf(`{"calls":[{"name":%q,"input":{%s}}]}`, name, strings.Join(fields, ","))
}

// used runs the program over calls and returns the result of each.
func (w *world) used(args []string, lines ...string) []map[string]any {
	w.t.Helper()
	o := w.run(append(append([]string{"-p", "go", "--yolo", "--json"}, args...), w.script(append(lines, `{"text":"done"}`)...)...)...)
	if o.code != 0 {
		w.t.Fatalf("exit %d %s%s", o.code, o.out, o.err)
	}
	var list []map[string]any
	for _, e := range w.parse(o.out) {
		switch e["type"] {
		case "tool-result", "tool-error", "tool-denied":
			list = append(list, e)
		}
	}
	if len(list) != len(lines) {
		w.t.Fatalf("%d results of %d calls: %v", len(list), len(lines), list)
	}
	return list
}

// Files that are no ordinary text: none hangs the program, eats its memory or
// is mangled, and the model is told what it met.
func TestOddFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	huge := w.write("huge.bin", "")
	check(t, os.Truncate(huge, 2<<30))
	check(t, syscall.Mkfifo(filepath.Join(w.dir, "fifo"), 0o600))
	check(t, os.Symlink("/dev/zero", filepath.Join(w.dir, "zero")))
	check(t, os.Symlink("loop", filepath.Join(w.dir, "loop")))
	check(t, os.Symlink("/dev/stdin", filepath.Join(w.dir, "stdin")))
	w.write("new\nline.txt", "needle in a new line\n")
	invalid := w.write("bad\xff\xfe.txt", "needle in a bad name\n")
	w.write("latin.txt", "needle: caf\xe9\n")
	locked := filepath.Join(w.dir, "locked")
	check(t, os.Mkdir(locked, 0o500))
	got := w.used(nil,
		call("read_file", "path", `"huge.bin"`),
		call("read_file", "path", `"fifo"`),
		call("read_file", "path", `"zero"`),
		call("read_file", "path", `"loop"`),
		call("read_file", "path", `"stdin"`),
		call("write_file", "path", `"fifo"`, "content", `"x"`),
		call("write_file", "path", `"zero"`, "content", `"x"`),
		call("grep", "pattern", `"needle"`),
		call("glob", "pattern", `"*"`),
		call("list_dir", "path", `"."`),
		call("read_file", "path", `"new\nline.txt"`),
		call("read_file", "path", `"latin.txt"`),
		call("edit_file", "path", `"latin.txt"`, "old_string", `"needle"`, "new_string", `"thread"`),
	)
	for i, want := range []string{"", "fifo", "", "", "", "fifo", "", "new", "huge.bin", "fifo", "needle in a new line", "café", ""} {
		text := fmt.Sprint(got[i]["output"], got[i]["error"], got[i]["reason"])
		if !strings.Contains(text, want) {
			t.Errorf("call %d: no %q in %.600q", i, want, text)
		}
		if i < 7 && got[i]["type"] == "tool-result" {
			t.Errorf("call %d went well: %.200v", i, got[i])
		}
		if strings.ContainsRune(text, 0) {
			t.Errorf("call %d: a NUL in %.200q", i, text)
		}
	}
	if b, _ := os.ReadFile(filepath.Join(w.dir, "latin.txt")); string(b) != "thread: caf\xe9\n" {
		t.Errorf("latin.txt is %q", b)
	}
	if b, _ := os.ReadFile(invalid); string(b) != "needle in a bad name\n" {
		t.Errorf("%q is %q", invalid, b)
	}
}

// A folder that may not be written, for a user who is not above such things.
func TestAReadOnlyWorkspace(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	w := newWorld(t)
	check(t, os.Chmod(w.dir, 0o500))
	t.Cleanup(func() { _ = os.Chmod(w.dir, 0o700) })
	got := w.used(nil, call("write_file", "path", `"a.txt"`, "content", `"x"`), call("list_dir", "path", `"."`))
	if got[0]["type"] != "tool-error" || got[1]["type"] != "tool-result" {
		t.Errorf("%v", got)
	}
}

// Workspaces that are no ordinary project work, and say so where it matters.
func TestOddWorkspaces(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	deep := filepath.Join(w.dir, strings.Repeat("deep/", 40)+"\x1b[31mred\nline\xff")
	check(t, os.MkdirAll(deep, 0o700))
	home := strings.TrimPrefix(w.env[1], "HOME=")
	for _, dir := range []string{"/", home, deep, "/proc/self"} {
		flags := append(w.script(call("list_dir", "path", `"."`, "depth", "1"), `{"text":"done"}`), "-C", dir)
		o := w.run(append([]string{"-p", "hi"}, flags...)...)
		if o.code != 0 || o.out != "done\n" {
			t.Errorf("%q: exit %d %q %s", dir, o.code, o.out, o.err)
		}
		if said := strings.Contains(o.err, "searches will be slow"); said != (dir == "/" || dir == home) {
			t.Errorf("%q: stderr %q", dir, o.err)
		}
		if strings.Contains(o.err, "\x1b") {
			t.Errorf("%q: an escape reaches the terminal: %q", dir, o.err)
		}
	}
	for _, args := range [][]string{{"sessions", "list", "--all"}, {"doctor", "-C", deep}, {"trust", "--show", deep}} {
		if o := w.run(args...); strings.Contains(o.out+o.err, "\x1b") {
			t.Errorf("%v: an escape reaches the terminal: %q", args, o.out+o.err)
		}
	}
	for dir, want := range map[string]string{"/nowhere/at/all": "no such folder", "/dev/null": "it is a file"} {
		o := w.run(append([]string{"-p", "hi", "-C", dir}, w.script(`{"text":"no"}`)...)...)
		if o.code != 2 || !strings.Contains(o.err, want) {
			t.Errorf("%q: exit %d %s", dir, o.code, o.err)
		}
	}
}

// Homes that cannot be used: a clear error before anything is sent.
func TestOddHomes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env  []string
		code int
		want string
	}{
		"no HOME at all":   {[]string{"HOME=", "ASSENT_HOME="}, 2, "set ASSENT_HOME"},
		"a file":           {[]string{"ASSENT_HOME=/etc/passwd"}, 2, "it is no folder"},
		"below a file":     {[]string{"ASSENT_HOME=/etc/passwd/x"}, 2, "not a directory"},
		"cannot be made":   {[]string{"ASSENT_HOME=/proc/assent"}, 1, "folder of the sessions"},
		"HOME is a file":   {[]string{"HOME=/etc/passwd", "ASSENT_HOME="}, 2, "not a directory"},
		"HOME is nowhere":  {[]string{"HOME=/proc/nowhere", "ASSENT_HOME="}, 1, "folder of the sessions"},
		"a relative one":   {[]string{"ASSENT_HOME=here"}, 0, ""},
		"only ASSENT_HOME": {[]string{"HOME="}, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			server, flags := w.serve("text hello")
			cmd := w.command(append([]string{"-p", "hi"}, flags...)...)
			cmd.Env = append(cmd.Env, c.env...)
			o := w.finish(cmd)
			if o.code != c.code || !strings.Contains(o.err, c.want) {
				t.Errorf("exit %d, want %d with %q: %s", o.code, c.code, c.want, o.err)
			}
			if sent := len(server.Requests()); (sent > 0) != (c.code == 0) {
				t.Errorf("%d requests", sent)
			}
			if c.code == 1 {
				cmd := w.command(append([]string{"-p", "hi", "--json"}, flags...)...)
				cmd.Env = append(cmd.Env, c.env...)
				if o := w.finish(cmd); !strings.Contains(o.out, `"kind":"persistence"`) || last(w.parse(o.out))["type"] != "done" {
					t.Errorf("--json: %s", o.out)
				}
			}
		})
	}
}

// Streams that are closed, and prompts of every size.
func TestOddInput(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("a prompt of ten megabytes. ", (10<<20)/27)
	for name, c := range map[string]struct {
		args  []string
		stdin string // "" closes it, "/…" is a file
		code  int
		want  string
	}{
		"closed, with a prompt":  {[]string{"-p", "hi"}, "", 0, "hello"},
		"closed, without":        {[]string{"-p"}, "", 2, "no prompt"},
		"a device, with":         {[]string{"-p", "hi"}, "/dev/zero", 0, "hello"},
		"a folder, with":         {[]string{"-p", "hi"}, "/", 0, "hello"},
		"a folder, without":      {[]string{"-p"}, "/", 2, "read stdin"},
		"nothing":                {[]string{"-p", ""}, "/dev/null", 2, "prompt"},
		"blanks":                 {[]string{"-p", " \n\t "}, "/dev/null", 2, "prompt"},
		"invalid UTF-8 word":     {[]string{"-p", "a\xff\xfeb"}, "/dev/null", 0, "hello"},
		"invalid UTF-8 stdin":    {[]string{"-p"}, "=a\xff\xfeb", 0, "hello"},
		"an empty file":          {[]string{"-p"}, "=", 2, "prompt"},
		"ten megabytes":          {[]string{"-p"}, "=" + big, 0, "hello"},
		"more than ten":          {[]string{"-p"}, "=" + big + strings.Repeat("x", 100), 2, "more than 10 MB"},
		"control characters":     {[]string{"-p", "a\x1b[31mb\x07"}, "/dev/null", 0, "hello"},
		"a word that is no flag": {[]string{"-p", "--", "-x"}, "/dev/null", 0, "hello"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			server, flags := w.serve("text hello")
			args := append(append([]string{c.args[0]}, flags...), c.args[1:]...)
			cmd := w.command(args...)
			path := c.stdin
			if text, ok := strings.CutPrefix(c.stdin, "="); ok {
				path = w.write("../stdin", text)
			}
			if path != "" {
				f, err := os.Open(path)
				check(t, err)
				defer f.Close()
				cmd.Stdin = f
			} else {
				cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `exec assent "$@" <&-`, "sh"}, args...)
			}
			o := w.finish(cmd)
			if o.code != c.code || !strings.Contains(o.out+o.err, c.want) {
				t.Errorf("exit %d, want %d with %q: %s%.500s", o.code, c.code, c.want, o.out, o.err)
			}
			if sent := len(server.Requests()); (sent > 0) != (c.code == 0) {
				t.Errorf("%d requests", sent)
			}
			if c.code == 0 {
				w.load(w.logs()[0])
			}
		})
	}
}

//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A model that answers nonsense costs a try or the turn, never the program:
// exit 1 with the kind and what came, or a turn that goes on.
func TestAModelThatAnswersNonsense(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script string
		code   int
		want   []string
	}{
		"a web page":       {"html\nrepeat", 1, []string{`"type":"error"`, "web page"}},
		"garbage":          {"garbage )]}' what is this\nrepeat", 1, []string{`"type":"error"`}},
		"nothing":          {"empty\nrepeat", 1, []string{`"type":"error"`}},
		"PROV-27 nothing":  {"stop end\nrepeat", 1, []string{`"type":"error"`, `"kind":"provider"`}},
		"cut, again":       {"text begun\ncut\nrepeat", 1, []string{`"type":"error"`, `"kind":"network"`}},
		"bad events":       {"event message_start {nonsense\nrepeat", 1, []string{`"type":"error"`}},
		"HEAD-01 429":      {"status 429 rate_limit_error\nheader retry-after: 300\nrepeat", 1, []string{`"kind":"rate_limit"`}},
		"PROV-18 in 200":   {"text one\nerror overloaded_error Overloaded\nrepeat", 1, []string{`Overloaded`}},
		"401":              {"status 401 authentication_error\nrepeat", 1, []string{`"kind":"auth"`}},
		"PROV-24 refusal":  {"stop refusal\nrepeat", 1, []string{`"reason":"refusal"`}},
		"the token limit":  {"text half\nstop length\nrepeat", 1, []string{`"reason":"length"`}},
		"an unknown tool":  {"unoffered\ncall red_file {\"path\":\"a\"}\n---\nexpect read_file\ntext done", 0, []string{`"type":"tool-error"`, "read_file"}},
		"bad arguments":    {"call read_file {\"path\":7}\n---\ntext done", 0, []string{`"type":"tool-error"`}},
		"no JSON at all":   {"call read_file {\"path\":\n---\ntext done", 0, []string{`"type":"tool-error"`}},
		"PROV-21 cut call": {"call write_file {\"path\":\"a.txt\"\nstop length\n---\ntext done", 0, []string{`"type":"tool-error"`}},
		"same id twice":    {"id one\ncall bash {\"command\":\"echo a\"}\nid one\ncall bash {\"command\":\"echo b\"}\n---\nid one\ncall bash {\"command\":\"echo c\"}\n---\ntext done", 0, []string{`a\n`, `b\n`, `c\n`}},
		"no id":            {"id -\ncall bash {\"command\":\"echo a\"}\n---\ntext done", 0, []string{`a\n`}},
		"10 MB argument":   {"bigcall write_file 10000000\n---\ntext done", 0, []string{`"type":"tool-error"`}},
		"a mute call":      {"call list_dir\n---\ntext done", 0, []string{`"reason":"stop"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			check(t, os.MkdirAll(w.home, 0o700))
			check(t, os.WriteFile(filepath.Join(w.home, "config.json"), []byte(`{"retry":{"tries":2,"maxWait":1}}`), 0o600))
			_, flags := w.serve(c.script)
			o := w.run(append([]string{"-p", "hi", "--yolo", "--json"}, flags...)...)
			if o.code != c.code {
				t.Errorf("exit %d, want %d: %.2000s%s", o.code, c.code, o.out, o.err)
			}
			for _, want := range c.want {
				if !strings.Contains(o.out, want) {
					t.Errorf("no %q in %.2000s", want, o.out)
				}
			}
			if d := last(w.parse(o.out)); d["type"] != "done" || (c.code == 0) != (d["reason"] == "stop") {
				t.Errorf("last event %v", d)
			}
			if strings.Contains(o.err, "goroutine ") {
				t.Errorf("a stack trace: %s", o.err)
			}
			for _, path := range w.logs() {
				w.paired(path)
			}
		})
	}
}

// A thousand calls in one response: each gets its result, in order.
func TestAThousandCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("a.txt", "a\nb\nc\n")
	var script strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&script, "call read_file {\"path\":\"a.txt\",\"limit\":%d}\n", i+1)
	}
	_, flags := w.serve(script.String() + "---\ntext done")
	o := w.run(append([]string{"-p", "hi", "--json"}, flags...)...)
	if o.code != 0 {
		t.Fatalf("exit %d %.1000s", o.code, o.err)
	}
	ends := 0
	for _, e := range w.parse(o.out) {
		switch e["type"] {
		case "tool-result", "tool-error", "tool-denied":
			ends++
			if want := fmt.Sprintf("call_%04d", ends); e["id"] != want {
				t.Fatalf("result %d is that of %v", ends, e["id"])
			}
		}
	}
	if ends != 1000 {
		t.Errorf("%d results", ends)
	}
	w.paired(w.logs()[0])
}

// An answer without an end is ended by the limits of a run, and its memory is
// bounded on the way.
func TestAnEndlessAnswer(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"keep-alives": "ping", "text": "flood 400000000 16384", "the same call": "call bash {\"command\":\"true\"}\nrepeat",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			_, flags := w.serve(script)
			limit := "50s" // what ends by its size or its steps does so however slowly
			if name == "keep-alives" {
				limit = "3s"
			}
			cmd := w.command(append([]string{"-p", "hi", "--yolo", "--timeout", limit, "--max-steps", "5", "--output", "json"}, flags...)...)
			var most func() int
			o := w.finish(cmd, func(pid int) { most = watchMemory(pid) })
			code, reason := 3, "timeout"
			switch name {
			case "text":
				code, reason = 1, "it passed 16 MB"
			case "the same call":
				reason = "max_steps"
			}
			if o.code != code || !strings.Contains(o.out[max(0, len(o.out)-1000):], reason) {
				t.Errorf("exit %d, want %d with %s: %.500s", o.code, code, reason, o.err[max(0, len(o.err)-500):])
			}
			if mb := most(); mb > 900 { // a quarter of it without the race detector
				t.Errorf("peak of %d MB", mb)
			} else {
				t.Logf("peak of %d MB", mb)
			}
			w.paired(w.logs()[0])
		})
	}
}

// What a model or a command says cannot drive the terminal, not on the way, not
// from the log, not from a listing.
func TestNoEscapeReachesATerminal(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const evil = `\u001b]0;owned\u0007\u001b[2J\u009b31m\u001b[?1049h\u0008\u007f\r`
	w.write("evil.txt", "\x1b]0;owned\x07\x1b[2J\xc2\x9b31m\r\n")
	flags := w.script(
		`{"text":"`+evil+`before","reasoning":"`+evil+`","calls":[{"name":"bash","input":{"command":"cat evil.txt; printf '\\033[31mred\\n'"}},{"name":"read_file","input":{"path":"evil.txt"}},`+
			`{"name":"read_file","input":{"path":"`+evil+`"}},{"name":"`+evil+`","input":{}},{"name":"write_file","input":{"path":"a`+evil+`.txt","content":"`+evil+`"}}]}`,
		`{"text":"after `+evil+`"}`)
	o := w.run(append([]string{"-p", "hi \x1b[31m", "--yolo"}, flags...)...)
	if o.code != 0 || !strings.Contains(o.out, "before") || !strings.Contains(o.out, "after") {
		t.Errorf("exit %d, stdout %q", o.code, o.out)
	}
	id := w.load(w.logs()[0]).ID
	outs := map[string]string{"the run": o.out + o.err}
	for _, args := range [][]string{{"sessions", "list"}, {"sessions", "show", id}, {"sessions", "export", id}, {"sessions", "export", id, "--format", "html"}} {
		o := w.run(args...)
		if o.code != 0 {
			t.Errorf("%q: exit %d %s", args, o.code, o.err)
		}
		outs[strings.Join(args[:2], " ")+args[len(args)-1]] = o.out + o.err
	}
	for _, args := range [][]string{
		{"-p", "hi", "--agent", "\x1b[31m"},
		{"-p", "hi", "-C", "\x1b[31m"},
		{"\x1b[31m", "--nope\x1b[31m"},
		{"sessions", "show", "\x1b[31m"},
		{"sessions", "\x1b[31m"},
		{"permissions", "explain", "bash", "echo \x1b[31m"},
		{"permissions", "explain", "\x1b[31m", "x"},
		{"config", "get", "\x1b[31m"},
	} {
		o := w.run(args...)
		outs[fmt.Sprintf("%q", args)] = o.out + o.err
	}
	check(w.t, os.MkdirAll(filepath.Join(w.dir, ".assent"), 0o700))
	w.write(".assent/config.json", "{\"\x1b[31magent\": \"\x1b[31m\", \"\\u001b[31m\": 1, \"agent\":\"\\u001b[31m\"}")
	for _, args := range [][]string{{"config", "check"}, {"config", "show"}, {"doctor"}, {"-p", "hi"}, {"trust", "--show"}} {
		o := w.run(args...)
		outs["with a hostile config: "+strings.Join(args, " ")] = o.out + o.err
	}
	for what, text := range outs {
		for _, r := range text {
			if r != '\n' && r != '\t' && (r < ' ' || r >= 0x7f && r < 0xa0) {
				t.Errorf("%s: %q reaches the terminal in %.400q", what, r, text)
				break
			}
		}
	}
}

// Secrets in what a command prints reach neither the events nor the log nor
// what is kept aside nor the screen nor the model.
func TestSecretsAreMaskedEverywhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	own := "k-" + strings.Repeat("z9", 20)
	secrets := []string{
		own, "gh" + "p_" + strings.Repeat("a1B2", 9), "AK" + "IA" + strings.Repeat("ABCD", 4), "sk-" + "ant-api03-" + strings.Repeat("x7Yz", 12),
	}
	for i, v := range w.env {
		if strings.HasPrefix(v, "ANTHROPIC_API_KEY=") {
			w.env[i] = "ANTHROPIC_API_KEY=" + own
		}
	}
	// The pieces meet only when the command runs.
	var print strings.Builder
	for _, s := range secrets {
		fmt.Fprintf(&print, "printf %%s %s; printf %%s %s; sleep 0.01; printf '%%s\\n' %s; ", s[:3], s[3:9], s[9:])
	}
	w.write("print.sh", print.String()+"yes filler filler filler | head -n 5000; "+print.String())
	server, flags := w.serve("call bash {\"command\":\"sh print.sh; env\"}\n---\ntext done")
	for _, format := range []string{"stream-json", "text"} {
		check(t, server.Add("call bash {\"command\":\"sh print.sh; env; true\"}\n---\ntext done"))
		o := w.run(append([]string{"-p", "hi", "--yolo", "--output", format}, flags...)...)
		if o.code != 0 {
			t.Fatalf("exit %d %s", o.code, o.err)
		}
		reveal(t, format, o.out+o.err, secrets)
	}
	for _, r := range server.Requests() {
		reveal(t, "a request", string(r.Body), secrets)
	}
	artifacts := 0
	check(t, filepath.WalkDir(w.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if strings.Contains(path, "artifacts") {
			artifacts++
		}
		b, err := os.ReadFile(path)
		reveal(t, path, string(b), secrets)
		return err
	}))
	if artifacts == 0 {
		t.Error("nothing was kept aside")
	}
}

func reveal(t *testing.T, where, text string, secrets []string) {
	t.Helper()
	for i, s := range secrets {
		if strings.Contains(text, s) || strings.Contains(text, s[8:]) {
			t.Errorf("%s shows secret %d", where, i)
		}
	}
}

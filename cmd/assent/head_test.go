//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// HEAD-01, HEAD-03: a failure never looks like success. The exit codes are
// those of product.md; the error is on stderr, not in the answer, and the one
// object says it as well.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script string
		args   []string
		env    string
		code   int
		reason string // of the object; "" when nothing was to be sent
		fault  string // on stderr
	}{
		"0 done":                 {"text fine", nil, "", 0, "stop", ""},
		"0 a denied call":        {"call bash {\"command\":\"touch x\"}\n---\ntext fine", nil, "", 0, "stop", "denied"},
		"0 a failed command":     {"call bash {\"command\":\"exit 7\"}\n---\ntext fine", []string{"--yolo"}, "", 0, "stop", ""},
		"1 HEAD-01 rate limit":   {"status 429 rate_limit_error\nheader retry-after: 600\nrepeat", nil, "", 1, "error", "rate_limit"},
		"1 overloaded":           {"status 400 invalid_request_error\nrepeat", nil, "", 1, "error", "error ("},
		"1 refused key":          {"status 401 authentication_error\nrepeat", nil, "", 1, "error", "error (auth)"},
		"1 refusal":              {"text no\nstop refusal\nrepeat", nil, "", 1, "refusal", "refus"},
		"1 token limit":          {"text no\nstop length\nrepeat", nil, "", 1, "length", "limit"},
		"2 HEAD-03 no key":       {"text fine", nil, "ANTHROPIC_API_KEY=", 2, "", "ANTHROPIC_API_KEY"},
		"2 unknown provider":     {"text fine", []string{"--provider", "antropic"}, "", 2, "", "anthropic"},
		"2 unknown level":        {"text fine", []string{"--think", "hihg"}, "", 2, "", "high"},
		"2 unknown agent":        {"text fine", []string{"--agent", "depp"}, "", 2, "", "deep"},
		"2 unknown flag":         {"text fine", []string{"--yollo"}, "", 2, "", "--yolo"},
		"2 bad rule":             {"text fine", []string{"--allow", "bash("}, "", 2, "", "bash("},
		"2 bad number":           {"text fine", []string{"--max-steps", "many"}, "", 2, "", "max-steps"},
		"2 no such session":      {"text fine", []string{"-r", "0000"}, "", 2, "", "sessions list"},
		"2 nothing to continue":  {"text fine", []string{"-c"}, "", 2, "", "no session"},
		"3 HEAD-08 steps":        {"call list_dir {}\nrepeat", []string{"--max-steps", "2"}, "", 3, "max_steps", "steps"},
		"3 HEAD-08 cost":         {"usage 900000 900000\ntext part\ncall list_dir {}\nrepeat", []string{"--max-cost", "0.5"}, "", 3, "max_cost", "cost"},
		"3 HEAD-08 timeout":      {"text part\nhang", []string{"--timeout", "300ms"}, "", 3, "timeout", "timeout"},
		"3 timeout of a command": {"call bash {\"command\":\"sleep 60\"}", []string{"--timeout", "300ms", "--yolo"}, "", 3, "timeout", "timeout"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			server, flags := w.serve(c.script)
			if c.env != "" { // an endpoint of the user's own may need no key
				flags = flags[2:]
			}
			cmd := w.command(append(append([]string{"-p", "hi", "--output", "json"}, flags...), c.args...)...)
			cmd.Env = append(cmd.Env, c.env)
			o := w.finish(cmd)
			if o.code != c.code || !strings.Contains(o.err, c.fault) {
				t.Errorf("exit %d, want %d with %q: %s%s", o.code, c.code, c.fault, o.out, o.err)
			}
			if c.reason == "" {
				if o.out != "" || len(server.Requests()) > 0 || len(w.logs()) > 0 {
					t.Errorf("a usage error left %d requests, %d sessions, and printed %q", len(server.Requests()), len(w.logs()), o.out)
				}
				return
			}
			var object struct {
				SessionID, Reason, Text string
				Error                   *struct{ Message, Kind string }
			}
			if err := json.Unmarshal([]byte(o.out), &object); err != nil || object.Reason != c.reason || object.SessionID == "" {
				t.Errorf("object %s: %v", o.out, err)
			}
			if failed := c.code == 1; failed != (object.Error != nil) {
				t.Errorf("error is %v", object.Error)
			}
			// As text: stdout holds the answer and nothing of the failure.
			w.paired(w.logs()[0])
			if strings.Contains(object.Text, "error") {
				t.Errorf("the answer is %q", object.Text)
			}
		})
	}
}

// HEAD-01 as text: not a word of the error on stdout.
func TestAnErrorIsNoAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, flags := w.serve("status 429 rate_limit_error\nheader retry-after: 600\nrepeat")
	o := w.run(append([]string{"-p", "hi"}, flags...)...)
	if o.code != 1 || o.out != "" || !strings.Contains(o.err, "rate_limit") {
		t.Errorf("exit %d, stdout %q, stderr %q", o.code, o.out, o.err)
	}
}

// HEAD-05, HEAD-06: with stdin open, whatever it is, what would ask is denied
// at once with a reason, and nothing waits for an answer. A pipe that stays
// open is read as a part of the prompt and said so; a device is not read.
func TestNobodyIsAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	flags := w.script(`{"calls":[{"name":"bash","input":{"command":"touch asked.txt"}}]}`, `{"text":"done"}`)
	for _, ci := range []string{"CI=", "CI=true", "CI=1"} {
		zero, err := os.Open("/dev/zero")
		check(t, err)
		cmd := w.command(append([]string{"-p", "hi", "--json"}, flags...)...)
		cmd.Stdin, cmd.Env = zero, append(cmd.Env, ci)
		o := w.finish(cmd)
		check(t, zero.Close())
		if o.code != 0 || !strings.Contains(o.out, `"by":"headless"`) {
			t.Errorf("%s: exit %d: %s%s", ci, o.code, o.out, o.err)
		}
	}
	if _, err := os.Stat(filepath.Join(w.dir, "asked.txt")); err == nil {
		t.Error("it ran")
	}
	r, p, err := newPipe()
	check(t, err)
	cmd := w.command(append([]string{"-p", "hi"}, flags...)...)
	cmd.Stdin = r
	var told told
	told.want, told.then = "waiting for the end of stdin", func() { _ = p.Close() }
	cmd.Stderr = &told
	o := w.finish(cmd)
	if check(t, errors.Join(r.Close(), ignoreClosed(p.Close()))); o.code != 0 || !told.seen {
		t.Errorf("exit %d, told %t", o.code, told.seen)
	}
}

// told acts when a text has been written to it.
type told struct {
	text strings.Builder
	want string
	then func()
	seen bool
}

func (w *told) Write(b []byte) (int, error) {
	w.text.Write(b)
	if !w.seen && strings.Contains(w.text.String(), w.want) {
		w.seen = true
		w.then()
	}
	return len(b), nil
}

func ignoreClosed(err error) error {
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// HEAD-08, HEAD-09: a run that a limit stopped has told what it had, and the
// session goes on where it was.
func TestALimitLeavesASession(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ script, flag, value string }{
		"steps":   {"text One step.\ncall list_dir {}", "--max-steps", "1"},
		"cost":    {"usage 900000 900000\ntext One step.\ncall list_dir {}", "--max-cost", "0.01"},
		"timeout": {"text One step.\ncall bash {\"command\":\"sleep 60\"}", "--timeout", "800ms"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var w *world
			var flags []string
			var o outcome
			// The time must be long enough for the first response, and how long
			// that takes is the machine's affair.
			for value := c.value; ; value = longer(t, value) {
				w = newWorld(t)
				_, flags = w.serve("match carry onward\nexpect One step.\ntext Gone on.\n---\n" + c.script)
				o = w.run(append([]string{"-p", "hi", "--yolo", c.flag, value}, flags...)...)
				if c.flag != "--timeout" || o.code != 3 || strings.Contains(o.out, "One step.") {
					break
				}
			}
			if o.code != 3 || !strings.Contains(o.out, "One step.") {
				t.Errorf("exit %d %q %s", o.code, o.out, o.err)
			}
			o = w.run(append([]string{"-c", "-p", "carry onward"}, flags...)...)
			if o.code != 0 || o.out != "Gone on.\n" {
				t.Errorf("resumed: exit %d %q %s", o.code, o.out, o.err)
			}
		})
	}
}

// longer is four times a duration, and the end of the test when that is long
// enough for anything.
func longer(t *testing.T, value string) string {
	t.Helper()
	d, err := time.ParseDuration(value)
	check(t, err)
	if d *= 4; d > patience/2 {
		t.Fatalf("nothing was answered within %s", value)
	}
	return d.String()
}

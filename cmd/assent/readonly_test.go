//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// stance is how a read-only agent is attacked: what the user and the project
// allow, and what a run is begun with.
type stance struct {
	agent string
	flags []string
	// user and project are configs; a project's is trusted.
	user, project string
	// before is what another agent did in the session that is continued.
	before string
	// mute says that no command is declared, so that no shell is offered.
	mute bool
	// every makes each n-th try only; 0 makes all.
	every int
}

// generous allows whatever rules can.
const generous = `"permission":{"*":"allow","bash":{"*":"allow"},"edit_file":{"*":"allow"},"write_file":{"*":"allow"},"read_file":{"*":"allow"}}`

var stances = map[string]stance{
	"plan, all allowed by the user, yolo": {
		agent: "plan", flags: []string{"--yolo", "--allow", "bash(*)", "--allow", "write_file(*)"}, user: generous + "," + declares(),
	},
	"review, all allowed by the project": {
		agent: "review", user: `"maxSteps":9`, project: generous + "," + declares(), every: 2,
	},
	"plan, every word of git declared": {
		agent: "plan", flags: []string{"--yolo"}, user: generous + "," + declares("git *", "git help"),
	},
	"plan, no shell": {
		agent: "plan", flags: []string{"--yolo"}, user: generous, mute: true,
	},
	"review, no shell, as the config says": {
		flags: []string{"--yolo"}, user: generous + `,"agent":"review"`, mute: true, agent: "review",
	},
	"plan, in the session of another agent": {
		agent: "plan", flags: []string{"-c", "--yolo", "--provider", "anthropic"}, user: generous + "," + declares(), every: 5,
		before: `{"calls":[{"name":"bash","input":{"command":"ls; touch begun"}},{"name":"write_file","input":{"path":"begun.txt","content":"x"}},` +
			`{"name":"bash","input":{"command":"sleep 300","background":true}},{"name":"bash","input":{"command":"touch begun"}}]}`,
	},
}

// PERM-27, PERM-29, PERM-30, PERM-31: in whole runs, whatever is allowed, a
// read-only agent leaves every file, every reference of git, every process and
// every host as they were, and what only reads runs.
func TestAReadOnlyAgentOnlyReads(t *testing.T) {
	t.Parallel()
	for name, s := range stances {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProving(t)
			p.configure(s)
			if s.before != "" {
				if o := p.run(append(p.script(s.before, `{"text":"begun"}`), "-p", "begin", "--yolo")...); o.code != 0 {
					t.Fatalf("exit %d: %s", o.code, o.err)
				}
			}
			tries := p.tries(s)
			was := p.snapshot()
			events, answers := p.play(s, tries)
			for _, change := range was.changes(p.snapshot()) {
				t.Errorf("changed: %s", change)
			}
			p.deserted()
			p.unreached()
			for i, try := range tries {
				try.judge(t, s, events[fmt.Sprintf("call_%04d", i+1)], answers[i])
			}
		})
	}
}

// judge holds what was told of a try, to the front and to the model, against
// what it must come to.
func (y try) judge(t *testing.T, s stance, e map[string]any, answer string) {
	t.Helper()
	if e == nil {
		t.Errorf("%s: no end is told", y)
		return
	}
	code, _ := e["exitCode"].(float64)
	switch {
	case y.reads && !(s.mute && y.name == "bash"):
		if e["type"] != "tool-result" || int(code) != y.code {
			t.Errorf("must run: %s: %v", y, e)
		}
	case y.unknown:
		if e["type"] != "tool-error" || !strings.Contains(answer, "There is no tool") {
			t.Errorf("must be unknown: %s: %v", y, e)
		}
	default:
		reason, _ := e["reason"].(string)
		if e["type"] != "tool-denied" {
			t.Errorf("must be denied: %s: %.300v", y, e)
			return
		}
		if !strings.Contains(answer, fmt.Sprintf("denied (by %s)", e["by"])) || !strings.Contains(answer, reason) || len(reason) < 20 {
			t.Errorf("%s: the model is told %q for %q", y, answer, reason)
		}
		if e["by"] != "guard" && (e["by"] != "mode" || !strings.Contains(reason, fmt.Sprintf("the agent %q may not do this", s.agent)) || !strings.Contains(reason, "--agent")) {
			t.Errorf("%s: by %v: %s", y, e["by"], reason)
		}
	}
}

// atOnce is how many calls a response makes.
const atOnce = 400

// play makes all tries calls of few responses and returns how each ended, as it
// was told to the front and to the model.
func (p *proving) play(s stance, tries []try) (ends map[string]map[string]any, answers []string) {
	p.t.Helper()
	var script strings.Builder
	for i, y := range tries {
		if i > 0 && i%atOnce == 0 {
			script.WriteString("---\n")
		}
		fmt.Fprintf(&script, "unoffered\ncall %s %s\n", y.name, y.input)
	}
	server, flags := p.serve(script.String() + "---\ntext done")
	flags = append(flags, s.flags...)
	if !strings.Contains(s.user, `"agent"`) {
		flags = append(flags, "--agent", s.agent)
	}
	o := p.run(append([]string{"-p", "go on", "--json"}, flags...)...)
	if o.code != 0 {
		p.t.Fatalf("exit %d: %s", o.code, o.err)
	}
	ends = map[string]map[string]any{}
	for _, e := range p.parse(o.out) {
		switch e["type"] {
		case "tool-result", "tool-error", "tool-denied":
			ends[fmt.Sprint(e["id"])] = e
		}
	}
	requests := server.Requests()
	var body struct {
		Messages []struct {
			Content []struct {
				Type      string          `json:"type"`
				Content   json.RawMessage `json:"content"`
				ToolUseID string          `json:"tool_use_id"`
			}
		}
		Tools []struct{ Name string }
	}
	if want := (len(tries)+atOnce-1)/atOnce + 1; len(requests) != want {
		p.t.Fatalf("%d requests, want %d", len(requests), want)
	}
	check(p.t, json.Unmarshal(requests[len(requests)-1].Body, &body))
	for _, tool := range body.Tools {
		if strings.Contains(" write_file edit_file multi_edit apply_patch move_file delete_file ", " "+tool.Name+" ") || s.mute && tool.Name == "bash" {
			p.t.Errorf("%s is offered", tool.Name)
		}
	}
	said := map[string]string{}
	for _, m := range body.Messages {
		for _, c := range m.Content {
			if c.Type == "tool_result" {
				said[c.ToolUseID] = textOf(c.Content)
			}
		}
	}
	for i := range tries {
		answers = append(answers, said[fmt.Sprintf("call_%04d", i+1)])
	}
	return ends, answers
}

// textOf is the text of a result, which stands there bare or in blocks.
func textOf(raw json.RawMessage) string {
	var bare string
	if json.Unmarshal(raw, &bare) == nil {
		return bare
	}
	var blocks []struct{ Text string }
	_ = json.Unmarshal(raw, &blocks)
	for _, b := range blocks {
		bare += b.Text
	}
	return bare
}

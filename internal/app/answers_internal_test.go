package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/proc"
)

// project is a world with some files, some of them ignored or secret.
func project(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.write("main.go", "package main\n\nfunc main() {}\n")
	w.write("sub/deep/a.txt", "one\ntwo\nthree\nfour\n")
	w.write(".env", "TOKEN=secret\n")
	w.write("keys/server.pem", "secret\n")
	w.write("denied/b.txt", "secret\n")
	w.write("node_modules/x/index.js", "x")
	w.write(".gitignore", "node_modules/\n")
	w.write(".assent/context/house.md", "Our rules.\n")
	w.config(`{"permission":{"read_file":{"denied/*":"deny","sub/*":"ask"}}}`)
	return w
}

func TestPaths(t *testing.T) {
	t.Parallel()
	w := project(t)
	h := w.open(w.script(`{"text":"x"}`))
	list := ask[host.PathList](t, h, host.Paths{})
	if list.Partial {
		t.Error("the list is partial")
	}
	for _, want := range []string{"main.go", "sub/", "sub/deep/", "sub/deep/a.txt"} {
		if !slices.Contains(list.Paths, want) {
			t.Errorf("%s is missing in %q", want, list.Paths)
		}
	}
	for _, p := range list.Paths {
		if strings.HasPrefix(p, "node_modules") {
			t.Errorf("%s is ignored", p)
		}
	}
}

// What a model may not read is attached by no word; what would ask the model's
// user is attached, since the user asks.
func TestExpand(t *testing.T) {
	t.Parallel()
	w := project(t)
	big := strings.Repeat("x", maxFragment+1)
	w.write(".assent/context/big.md", big)
	h := w.open(w.script(`{"text":"x"}`))
	tests := []struct {
		word, label string
		want        string // in the text; "" with no error means that the word is text
		err         string
	}{
		{"@main.go", "main.go", "func main() {}", ""},
		{`@"main.go"`, "main.go", "func main() {}", ""},
		{"@sub/deep/", "sub/deep/", "a.txt", ""},
		{"@sub/deep/a.txt:2-3", "sub/deep/a.txt, lines 2 to 3", "two", ""},
		{"#file:sub/deep/a.txt:4", "sub/deep/a.txt, lines 4 to 4", "four", ""},
		{"#tree", "files of the workspace", "main.go", ""},
		{"#house", "context house", "Our rules.", ""},
		{"#big", "", "", "no text is kept for it"},
		{"#nothing", "", "", "no text is kept for it"},
		{"#1234", "", "", ""},
		{"#../../etc/passwd", "", "", ""},
		{"#", "", "", ""},
		{"word", "", "", ""},
		{"@missing.go", "", "", "no such file"},
		{"@.env", "", "", "secret"},
		{"#file:.env", "", "", "secret"},
		{"#file:.env:1-1", "", "", "secret"},
		{"@keys/server.pem", "", "", "secret"},
		{"@denied/b.txt", "", "", "den"},
		{"@sub/../denied/b.txt", "", "", "den"},
		{"@/etc/passwd", "", "", "outside"},
	}
	for _, tt := range tests {
		for range 4 { // as often as the user likes: the repeat guard is the model's
			answer, err := h.Ask(t.Context(), host.Expand{Word: tt.word})
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) || strings.Contains(err.Error(), "secret\n") || strings.Contains(err.Error(), "missing.go") {
					t.Fatalf("%s: %v, %v", tt.word, answer, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", tt.word, err)
			}
			e := answer.(host.Expansion)
			if e.OK != (tt.want != "") || e.Label != tt.label || !strings.Contains(e.Text, tt.want) || strings.Contains(e.Text, "secret") {
				t.Fatalf("%s: %+v", tt.word, e)
			}
		}
	}
	e := ask[host.Expansion](t, h, host.Expand{Word: "@sub/deep/a.txt:2-3"})
	if strings.Contains(e.Text, "one") || strings.Contains(e.Text, "four") {
		t.Errorf("more than the lines: %s", e.Text)
	}
}

func TestExpandOfChangesLeavesSecretsOut(t *testing.T) {
	t.Parallel()
	if proc.Find("git") == "" {
		t.Skip("no git")
	}
	w := project(t)
	git := func(args ...string) {
		t.Helper()
		r, err := proc.Run(t.Context(), proc.Spec{Argv: append([]string{"git", "-c", "user.name=n", "-c", "user.email=e@x.example"}, args...), Dir: w.root})
		if err != nil || r.Exit != 0 {
			t.Fatalf("git %v: %v %s", args, err, r.Output)
		}
	}
	git("init", "-q")
	git("add", "-A", "-f")
	git("commit", "-q", "-m", "begin")
	w.write("main.go", "package main // changed\n")
	w.write(".env", "TOKEN=secret2\n")
	h := w.open(w.script(`{"text":"x"}`))
	for _, staged := range []bool{false, true} {
		word := "#diff"
		if staged {
			word = "#staged"
			git("add", "-A")
		}
		e := ask[host.Expansion](t, h, host.Expand{Word: word})
		if !e.OK || !strings.Contains(e.Text, "// changed") || strings.Contains(e.Text, "secret2") {
			t.Errorf("%s: %+v", word, e)
		}
	}
	// What is staged is not committed either, and a new file is a change.
	w.write("fresh.go", "package main // new\n")
	page := ask[host.Page](t, h, host.Report{Name: "diff"})
	for _, want := range []string{"```diff\ndiff --git", "// changed", "New, not known to git:\n  fresh.go\n"} {
		if !strings.Contains(page.Markdown, want) {
			t.Errorf("the report lacks %q: %s", want, page.Markdown)
		}
	}
	git("add", "-A", "-f")
	git("commit", "-q", "-m", "end")
	if page := ask[host.Page](t, h, host.Report{Name: "diff"}); !strings.Contains(page.Markdown, "Nothing has changed") {
		t.Errorf("the report of nothing: %s", page.Markdown)
	}
}

func TestHistoryIsKeptMasked(t *testing.T) {
	t.Parallel()
	w := project(t)
	key := "sk-ant-" + strings.Repeat("a1B2", 24)
	w.env["OPENAI_API_KEY"] = "a-key-of-no-known-shape"
	h := w.open(w.script(`{"text":"x"}`))
	for _, p := range []string{"first", "the key is " + key, "and a-key-of-no-known-shape"} {
		ask[host.PromptList](t, h, host.Remember{Prompt: p})
	}
	list := ask[host.PromptList](t, h, host.History{})
	text := strings.Join(list.Prompts, "\n")
	if len(list.Prompts) != 3 || list.Prompts[0] != "first" || strings.Contains(text, key) || strings.Contains(text, "no-known-shape") {
		t.Errorf("history: %q", list.Prompts)
	}
	files, err := filepath.Glob(filepath.Join(w.home, "history", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
}

func TestSessionsAndExport(t *testing.T) {
	t.Parallel()
	w := project(t)
	h := w.open(w.script(`{"text":"an <b>answer</b>"}`))
	c := h.Events()
	defer c.Close()
	turn(t, h, c, "what is this?")
	list := ask[host.SessionList](t, h, host.Sessions{})
	if len(list.Sessions) != 1 || list.Sessions[0].Title != "what is this?" || list.Sessions[0].Turns != 1 {
		t.Fatalf("sessions: %+v", list)
	}
	for range 2 { // its own name may be written again
		page := ask[host.Page](t, h, host.Export{})
		name := filepath.Join(w.root, "assent-"+list.Sessions[0].ID[:8]+".html")
		text, err := os.ReadFile(name)
		if err != nil || !strings.Contains(page.Markdown, name) || !strings.Contains(string(text), "what is this?") {
			t.Fatalf("export: %s, %v", page.Markdown, err)
		}
	}
	ask[host.Page](t, h, host.Export{File: "talk.md"})
	for file, want := range map[string]string{"main.go": "unknown export format", "talk.md": "the file exists", "a/b.md": "no such file"} {
		if _, err := h.Ask(t.Context(), host.Export{File: file}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("export to %s: %v", file, err)
		}
	}
}

// COST-02, COST-06: the size of the window is told apart from what was spent,
// and of that all four classes.
func TestReports(t *testing.T) {
	t.Parallel()
	w := project(t)
	f := w.script(`{"text":"hello","usage":{"input":100,"output":20,"cacheRead":900,"cacheWrite":10,"reasoning":5}}`)
	f.Deny = []string{"bash(rm *)"}
	f.Agent = "plan"
	h := w.open(f)
	c := h.Events()
	defer c.Close()
	turn(t, h, c, "hi")
	for name, want := range map[string][]string{
		"context":     {"system text", "tool schemas", "conversation", "together", "▰"},
		"cost":        {"input               100", "cache read          900", "cache write          10", "output               20  (5 of it reasoning)", "89 % of what was sent", "not known"},
		"tools":       {"| read_file | read | core |", "Withheld by agent or rules: ", "write_file"},
		"permissions": {"| `bash(rm *)` | deny | --deny |", "| `read_file(denied/*)` | deny |", "Without a match"},
		"config":      {"plan", "--agent"},
		"doctor":      {"1.2.3", "bytes of schemas", w.root},
		"session":     {"assent -r "},
	} {
		page := ask[host.Page](t, h, host.Report{Name: name})
		for _, text := range want {
			if page.Title != name || !strings.Contains(page.Markdown, text) {
				t.Errorf("%s lacks %q:\n%s", name, text, page.Markdown)
			}
		}
	}
	if _, err := h.Ask(t.Context(), host.Report{Name: "contxt"}); err == nil || !strings.Contains(err.Error(), `did you mean "context"`) {
		t.Errorf("an unknown report: %v", err)
	}
}

func TestConfigureKeepsCommentsAndRefusesWhatIsWrong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.config("{\n  // mine\n  \"agent\": \"plan\"\n}\n")
	h := w.open(w.script(`{"text":"x"}`))
	page := ask[host.Page](t, h, host.Configure{Field: "thinking", Value: "high"})
	if !strings.Contains(page.Markdown, "`thinking` is set") {
		t.Error(page.Markdown)
	}
	for field, want := range map[string]string{"thinkng": `did you mean "thinking"`, "agent": `unknown agent "nope"`} {
		if _, err := h.Ask(t.Context(), host.Configure{Field: field, Value: "nope"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", field, err)
		}
	}
	text, err := os.ReadFile(filepath.Join(w.home, "config.json"))
	if want := "{\n  // mine\n  \"agent\": \"plan\",\n  \"thinking\": \"high\"\n}\n"; err != nil || string(text) != want {
		t.Errorf("%v\n%s", err, text)
	}
}

// The caps: the flag's, else the user's, else the agent's; a project's lowers
// them. HEAD-09: the session goes on after one.
func TestStepLimits(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, user, project, agent string
		flag, want                 int
	}{
		{"the agent's", `{}`, ``, "quick", 0, 12},
		{"the project's below the agent's", `{}`, `{"maxSteps":3}`, "quick", 0, 3},
		{"the project's above the agent's", `{}`, `{"maxSteps":500}`, "quick", 0, 12},
		{"the user's above the agent's", `{"maxSteps":14}`, `{"maxSteps":500}`, "quick", 0, 14},
		{"the flag's", `{"maxSteps":14}`, `{"maxSteps":3}`, "quick", 5, 5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.config(tt.user)
			if tt.project != "" {
				w.write(".assent/config.json", tt.project)
			}
			var lines []string
			for i := range 20 { // no call twice
				lines = append(lines, fmt.Sprintf(`{"calls":[{"name":"list_dir","input":{"path":".","depth":%d}}]}`, i%9+1), `{"calls":[{"name":"todo_write","input":{"todos":[]}}]}`)
			}
			f := w.script(lines...)
			f.Agent, f.MaxSteps, f.Output = tt.agent, tt.flag, "json"
			code, err := w.run(f, "go")
			if code != 3 || err != nil || !strings.Contains(w.out.String(), fmt.Sprintf(`"steps":%d,`, tt.want)) {
				t.Fatalf("code %d, %v, want %d steps: %s", code, err, tt.want, &w.out)
			}
			f.Continue, f.MaxSteps = true, 1
			if code, err := w.run(f, "go on"); code != 3 || err != nil {
				t.Errorf("after the limit: code %d, %v, %s", code, err, &w.err)
			}
		})
	}
}

// ASK-06: a run without anybody to ask ends, and says why a call did not run.
func TestHeadlessAsksNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := w.script(`{"calls":[{"name":"write_file","input":{"path":"a.txt","content":"x"}},{"name":"ask_user","input":{"question":"which?"}}]}`, `{"text":"as you like"}`)
	f.Output = "stream-json"
	code, err := w.run(f, "go")
	out := w.out.String()
	if code != 0 || err != nil || !strings.Contains(out, `"by":"headless"`) || !strings.Contains(out, `"name":"ask_user","error":`) {
		t.Errorf("code %d, %v: %s", code, err, out)
	}
	if _, err := os.Stat(filepath.Join(w.root, "a.txt")); err == nil {
		t.Error("a denied call wrote")
	}
}

// PERM-28: what a model or an approval says changes no mode; only the user's
// own switch does, and then from the next step on.
func TestOnlyTheUserLeavesPlanMode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	call := `{"calls":[{"name":"write_file","input":{"path":"a.txt","content":"x"}}]}`
	f := w.script(call, `{"text":"the user said yes, so the mode is over now"}`, call, `{"text":"still not"}`, call, `{"text":"written"}`)
	f.Agent, f.Yolo = "plan", true
	h := w.open(f)
	c := h.Events()
	defer c.Close()
	for _, prompt := range []string{"go", "yes, I allow it, leave the plan mode"} {
		events := turn(t, h, c, prompt)
		if !slices.ContainsFunc(events, func(e event.Event) bool { d, ok := e.(event.ToolDenied); return ok && d.By == "mode" }) {
			t.Errorf("%s: not denied by the mode: %v", prompt, events)
		}
	}
	if err := h.Do(t.Context(), host.Use{Agent: "default"}); err != nil {
		t.Fatal(err)
	}
	turn(t, h, c, "now")
	if _, err := os.Stat(filepath.Join(w.root, "a.txt")); err != nil {
		t.Error(err)
	}
}

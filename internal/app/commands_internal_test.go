package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// explanation has the documented fields and no others.
type explanation struct {
	Tool, Decision, By, Reason string
	Subjects                   []struct{ Text, Kind, Decision, Pattern, Source, Reason string }
}

func (w *world) explain(f Flags, tool, input string) (explanation, error) {
	w.t.Helper()
	f.Dir = w.root
	var e explanation
	if err := w.app().PermissionsExplain(w.t.Context(), f, tool, input, true); err != nil {
		return e, err
	}
	dec := json.NewDecoder(&w.out)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil {
		w.t.Fatalf("%s %s: %v", tool, input, err)
	}
	return e, nil
}

func TestExplain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.config(`{"permission":{"bash":{"git *":"allow","git push *":"ask"},"write_file":{"gen/*":"deny"}},"readOnly":["ls *"]}`)
	w.write(".assent/config.json", `{"permission":{"bash":{"*":"allow"}}}`) // not trusted
	tests := []struct {
		name        string
		flags       Flags
		tool, input string
		want        string // decision by subject|pattern|source …
	}{
		{"a rule of the user's", Flags{}, "bash", "git status", "allow rule git status|git *|CONFIG:1"},
		{"the last match wins", Flags{}, "bash", "git push", "ask rule git push|git push *|CONFIG:1"},
		{"the strictest subject decides", Flags{}, "bash", "git status && make", "ask default git status|git *|CONFIG:1 make||"},
		{"the call as JSON", Flags{}, "bash", `{"command":"git status"}`, "allow rule git status|git *|CONFIG:1"},
		{"reading", Flags{}, "read_file", "main.go", "allow default main.go||"},
		{"a secret", Flags{}, "read_file", ".env", "deny default .env|*.env|default"},
		{"outside", Flags{}, "read_file", "/etc/passwd", "deny default /etc/passwd||"},
		{"a deny by path", Flags{}, "write_file", `{"path":"gen/a","content":""}`, "deny rule gen/a|gen/*|CONFIG:1"},
		{"--allow", Flags{Allow: []string{"bash(make *)"}}, "bash", "make all", "allow rule make all|make *|--allow"},
		{"--allow lifts no deny", Flags{Allow: []string{"write_file"}}, "write_file", `{"path":"gen/a","content":""}`, "deny rule gen/a|gen/*|CONFIG:1"},
		{"--deny over all", Flags{Allow: []string{"bash(git *)"}, Deny: []string{"bash(git log *)"}}, "bash", "git log", "deny rule git log|git log *|--deny"},
		{"--yolo", Flags{Yolo: true}, "bash", "make", "allow yolo make||"},
		{"--yolo reaches no deny", Flags{Yolo: true}, "write_file", `{"path":"gen/a","content":""}`, "deny rule gen/a|gen/*|CONFIG:1"},
		{"--yolo reaches no guard", Flags{Yolo: true}, "bash", "rm -rf /", "deny guard"},
		{"--agent", Flags{Agent: "plan", Yolo: true}, "write_file", `{"path":"a","content":""}`, "deny mode"},
		{"--agent and readOnly", Flags{Agent: "plan"}, "bash", "ls -l", "allow"},
		{"--agent and not readOnly", Flags{Agent: "review", Yolo: true}, "bash", "make", "deny mode"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := w.explain(tt.flags, tt.tool, tt.input)
			if err != nil {
				t.Fatal(err)
			}
			got := e.Decision + " " + e.By
			for _, s := range e.Subjects {
				got += " " + s.Text + "|" + s.Pattern + "|" + strings.ReplaceAll(s.Source, filepath.Join(w.home, "config.json"), "CONFIG")
			}
			if !strings.HasPrefix(got, tt.want) || e.Tool != tt.tool || e.Subjects == nil || e.Decision == "deny" && e.Reason == "" {
				t.Errorf("got  %s (%s)\nwant %s", got, e.Reason, tt.want)
			}
		})
	}
	for input, want := range map[[2]string]string{{"bsh", "x"}: `did you mean "bash"`, {"read_file", `{"pth":"x"}`}: "pth"} {
		if _, err := w.explain(Flags{}, input[0], input[1]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", input, err)
		}
	}
}

// DEST-06, DEST-09: a named file is deleted when the user says so, a folder
// (whatever it holds) not at all, --yolo or not.
func TestDeletingIsAskedOrRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("notes.txt", "untracked")
	w.write("repo/.git/HEAD", "ref: refs/heads/main")
	for command, want := range map[string]string{
		"rm notes.txt": "ask default", "mkdir new && mv notes.txt new/ && rm notes.txt": "ask default", "rm -r repo": "deny guard",
		"rm -rf repo": "deny guard", "find repo -delete": "deny guard", "sh -c 'cd repo && rm -fr .git'": "deny guard",
	} {
		e, err := w.explain(Flags{}, "bash", command)
		if got := e.Decision + " " + e.By; err != nil || got != want {
			t.Errorf("%s: %s (%s), %v, want %s", command, got, e.Reason, err, want)
		}
		if e, err := w.explain(Flags{Yolo: true}, "bash", command); err != nil || e.By == "guard" != (want == "deny guard") {
			t.Errorf("%s with --yolo: %s by %s, %v", command, e.Decision, e.By, err)
		}
	}
}

// The table of the document is what the program decides.
func TestTheDocumentedDecisions(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/contracts/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "| command | rules for `bash` | decision | why |\n|---|---|---|---|\n")
	if !ok {
		t.Fatal("rules.md has no table of commands")
	}
	row := regexp.MustCompile("^\\| `(.+?)` \\| (.+?) \\| (allow|ask|deny) \\| .+ \\|$")
	rule := regexp.MustCompile("`([^`]+)` (allow|ask|deny)")
	n := 0
	for line := range strings.Lines(table) {
		line = strings.TrimRight(line, "\n")
		if !strings.HasPrefix(line, "|") {
			break
		}
		n++
		m := row.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("no row: %s", line)
			continue
		}
		var rules []string
		for _, r := range rule.FindAllStringSubmatch(m[2], -1) {
			rules = append(rules, fmt.Sprintf("%q:%q", r[1], r[2]))
		}
		w := newWorld(t)
		w.config(`{"permission":{"bash":{` + strings.Join(rules, ",") + `}}}`)
		command := strings.ReplaceAll(m[1], `\|`, "|")
		if e, err := w.explain(Flags{}, "bash", command); err != nil || e.Decision != m[3] {
			t.Errorf("%s with %s: %s by %s (%s), %v; the document says %s", command, m[2], e.Decision, e.By, e.Reason, err, m[3])
		}
	}
	if n < 15 {
		t.Errorf("the table has %d rows", n)
	}
}

// A project's rules that allow count when it is trusted, and no longer when it
// changed. SEC-10 is about what a clone brings.
func TestTrust(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".assent/config.json", `{"permission":{"bash":{"make *":"allow"}}}`)
	decision := func() string {
		e, err := w.explain(Flags{}, "bash", "make all")
		if err != nil {
			t.Fatal(err)
		}
		return e.Decision
	}
	trust := func(show, revoke bool) string {
		if err := w.app().Trust(t.Context(), w.root, show, revoke, false); err != nil {
			t.Fatal(err)
		}
		return w.out.String()
	}
	if got := decision(); got != "ask" {
		t.Errorf("before: %s", got)
	}
	if out := trust(true, false); !strings.Contains(out, "brings: .assent/config.json") || !strings.Contains(out, "state:  not trusted") {
		t.Errorf("shown: %s", out)
	}
	trust(false, false)
	if got := decision(); got != "allow" {
		t.Errorf("trusted: %s", got)
	}
	w.write(".mcp.json", `{}`)
	if got := decision(); got != "ask" {
		t.Errorf("changed: %s", got)
	}
	if out := trust(true, false); !strings.Contains(out, "it changed since you trusted it") {
		t.Errorf("shown: %s", out)
	}
	trust(false, false)
	trust(false, true)
	if got := decision(); got != "ask" {
		t.Errorf("revoked: %s", got)
	}
	w.config(`{"trust":["` + w.root + `"]}`)
	if got := decision(); got != "allow" {
		t.Errorf("trusted by the user's config: %s", got)
	}
}

// Of the terminal's variables those are told that are set and do something, and
// what.
func TestDoctorOnTheTerminal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		env  map[string]string
		want string
	}{
		{"nothing", nil, "TERM is not set"},
		{"a terminal", map[string]string{"TERM": "xterm-256color"}, "TERM=xterm-256color"},
		{"set to nothing", map[string]string{"TERM": "xterm", "NO_COLOR": ""}, "TERM=xterm"},
		{"no colour", map[string]string{"TERM": "xterm", "NO_COLOR": "1"}, "TERM=xterm, NO_COLOR=1 (bold and underline only)"},
		{"dumb", map[string]string{"TERM": "dumb", "NO_COLOR": "1"}, "TERM=dumb (lines only, as --plain)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			for name, value := range c.env {
				w.env[name] = value
			}
			if err := w.app().Doctor(t.Context(), Flags{Dir: w.root}, false); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(w.out.String()) {
				if rest, ok := strings.CutPrefix(line, "terminal"); ok && strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest), "ok")) != c.want {
					t.Errorf("says %q, want %q", line, c.want)
				}
			}
		})
	}
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := strings.Repeat("k1", 20)
	w.env["ANTHROPIC_API_KEY"], w.env["TERM"] = key, "xterm"
	w.write(".assent/config.json", `{"readOnly":["ls *"]}`)
	doctor := func(f Flags) map[string]finding {
		f.Dir = w.root
		if err := w.app().Doctor(t.Context(), f, true); err != nil && !errors.Is(err, errUnsound) {
			t.Fatal(err)
		}
		if strings.Contains(w.out.String(), key) {
			t.Fatalf("the key is printed: %s", &w.out)
		}
		var list []finding
		if err := json.Unmarshal(w.out.Bytes(), &list); err != nil {
			t.Fatal(err)
		}
		found := map[string]finding{}
		for _, f := range list {
			if f.State != "ok" && f.State != "warn" && f.State != "missing" && f.State != "error" {
				t.Errorf("%s: state %q", f.Name, f.State)
			}
			found[f.Name] = f
		}
		return found
	}
	found := doctor(Flags{})
	for name, want := range map[string]string{
		"version": "1.2.3", "config": "config.json", "workspace": w.root, "sessions": "sessions", "terminal": "TERM=xterm",
		"key anthropic": "ANTHROPIC_API_KEY=k1k1…k1k1", "provider": "anthropic, model claude", "project config": "waits until you trust",
		"tool bash": "exec, set core", "tool read_file": "read, set core",
	} {
		if !strings.Contains(found[name].Detail, want) {
			t.Errorf("%s: %+v, want %q", name, found[name], want)
		}
	}
	for _, name := range []string{"git", "rg", "shell"} {
		if found[name].Detail == "" {
			t.Errorf("%s is not reported", name)
		}
	}
	w.config("{\n\"agnet\": 1}")
	if f := doctor(Flags{})["config"]; f.State != "error" || !strings.Contains(f.Detail, "config.json:2: agnet") {
		t.Errorf("a faulty config: %+v", f)
	}
	w.config(`{}`)
	delete(w.env, "ANTHROPIC_API_KEY")
	if f := doctor(Flags{})["provider"]; f.State != "warn" || !strings.Contains(f.Detail, "no model provider is set up") {
		t.Errorf("no provider: %+v", f)
	}
	if f := doctor(Flags{Allow: []string{"bsh"}, Provider: "ollama", Model: "m"})["permission"]; f.State != "warn" || !strings.Contains(f.Detail, `did you mean "bash"`) {
		t.Errorf("a wrong rule: %+v", f)
	}
}

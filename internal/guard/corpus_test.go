package guard_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"assent/internal/guard"
	"assent/internal/policy"
	"assent/internal/shell"
)

// entry is one line of a corpus: a command, the rules it is judged by, what is
// decided, by whom, and why.
type entry struct {
	line                             int
	command, rules, verdict, by, why string
}

// corpus reads a file of the corpus. Lines that begin with "@" name rules:
// "@name tool(pattern)=verdict; …". In commands ⏎ stands for a line feed, ␍ for
// a carriage return and ⇥ for a tab; fields are parted by " ¦ ".
func corpus(t *testing.T, file string) (map[string][]policy.Rule, []entry) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	sets := map[string][]policy.Rule{}
	var out []entry
	for i, line := range strings.Split(string(data), "\n") {
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "# "):
			continue
		case strings.HasPrefix(line, "@"):
			name, text, _ := strings.Cut(line[1:], " ")
			sets[name] = parseRules(t, text)
			continue
		}
		f := strings.Split(line, " ¦ ")
		if len(f) != 5 {
			t.Fatalf("%s:%d: %d fields, want 5", file, i+1, len(f))
		}
		if _, ok := sets[f[1]]; !ok {
			t.Fatalf("%s:%d: unknown rules %q", file, i+1, f[1])
		}
		command := strings.NewReplacer("⏎", "\n", "␍", "\r", "⇥", "\t").Replace(f[0])
		out = append(out, entry{i + 1, command, f[1], f[2], f[3], f[4]})
	}
	return sets, out
}

func parseRules(t *testing.T, text string) []policy.Rule {
	t.Helper()
	var out []policy.Rule
	for _, one := range strings.Split(text, "; ") {
		rule, verdict, ok := cutLast(strings.TrimSpace(one), "=")
		if !ok {
			continue
		}
		r, err := policy.ParseRule(rule, policy.Verdict(verdict), policy.LayerUser, "config:1", nil)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func cutLast(s, sep string) (string, string, bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

var tools = []policy.Tool{
	{Name: "read_file", Effect: policy.Read},
	{Name: "grep", Effect: policy.Read},
	{Name: "git_show", Effect: policy.Read},
	{Name: "write_file", Effect: policy.Write},
	{Name: "edit_file", Effect: policy.Write},
	{Name: "bash", Effect: policy.Exec},
}

var guards = guard.Builtin(guard.Options{
	Ignored: func(rel string) bool { return strings.HasPrefix(rel, "dist/") || strings.HasPrefix(rel, "target/") },
	Own:     []string{"/home/u/.config/assent"},
})

// decide is the order of the gate: guards, then rules.
func decide(command string, rules []policy.Rule) policy.Decision {
	return decideOn(disk, command, rules)
}

func decideOn(disk tree, command string, rules []policy.Rule) policy.Decision {
	plan := policy.ShellPlan(command, shell.Options{})
	c := guard.Call{Tool: "bash", Effect: policy.Exec, Plan: plan, Paths: disk}
	if r := guard.Check(guards, c); r != nil {
		return policy.Decision{Verdict: policy.Deny, By: policy.ByGuard, Reason: r.Error()}
	}
	return policy.New(policy.Options{Rules: rules, Tools: tools}).Decide(policy.Call{Tool: "bash", Effect: policy.Exec, Plan: plan}, disk)
}

func TestCorpus(t *testing.T) {
	t.Parallel()
	for _, file := range []struct {
		name  string
		least int
	}{{"testdata/corpus.txt", 400}, {"testdata/noise.txt", 400}} {
		sets, entries := corpus(t, file.name)
		if len(entries) < file.least {
			t.Errorf("%s has %d entries, want at least %d", file.name, len(entries), file.least)
		}
		for _, e := range entries {
			at := disk
			if e.rules == "tracked" || e.rules == "clean" {
				at.tracked, at.clean = []string{".env"}, e.rules == "clean"
			}
			d := decideOn(at, e.command, sets[e.rules])
			if string(d.Verdict) != e.verdict || e.by != "-" && string(d.By) != e.by {
				t.Errorf("%s:%d: %s\n\twant %s by %s (%s)\n\tgot  %s by %s: %s", file.name, e.line, e.command, e.verdict, e.by, e.why, d.Verdict, d.By, d.Reason)
			}
			if d.Reason == "" {
				t.Errorf("%s:%d: %s: a decision without a reason", file.name, e.line, e.command)
			}
		}
	}
}

// What a guard refuses, it refuses inside every wrapper.
func TestCorpusWrapped(t *testing.T) {
	t.Parallel()
	sets, entries := corpus(t, "testdata/corpus.txt")
	wrap := []string{"(%s)", "{ %s; }", "if true; then %s; fi", "echo $(%s)", "! %s", "true && %s", "false || %s", "x=`%s`", "time %s", "f() { %s; }; f", "for i in 1; do %s; done", "cat <(%s)"}
	for i, e := range entries {
		if e.by != "guard" || strings.ContainsAny(e.command, "\n`") || strings.Contains(e.command, "<<") || strings.Contains(e.command, "#") || strings.HasSuffix(e.command, "&") {
			continue
		}
		w := wrap[i%len(wrap)]
		if d := decide(strings.ReplaceAll(w, "%s", e.command), sets[e.rules]); d.By != policy.ByGuard {
			t.Errorf("line %d: %q in %q: %s by %s: %s", e.line, e.command, w, d.Verdict, d.By, d.Reason)
		}
	}
}

func TestCorpusHasNoDoubles(t *testing.T) {
	t.Parallel()
	var seen []string
	for _, file := range []string{"testdata/corpus.txt", "testdata/noise.txt"} {
		_, entries := corpus(t, file)
		for _, e := range entries {
			key := e.command + "¦" + e.rules
			if slices.Contains(seen, key) {
				t.Errorf("%s:%d: stands twice: %s", file, e.line, e.command)
			}
			seen = append(seen, key)
		}
	}
}

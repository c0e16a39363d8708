package prompt_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent/internal/prompt"
)

var update = flag.Bool("update", false, "write the goldens anew")

var (
	core    = []string{"read_file", "write_file", "edit_file", "glob", "grep", "bash", "bash_output", "bash_kill"}
	session = []string{"ask_user", "todo_write", "remember", "recall", "forget", "skill", "task", "read_output", "current_time"}
	plus    = []string{"multi_edit", "apply_patch", "move_file", "delete_file", "list_dir", "read_many_files"}
	git     = []string{"git_status", "git_diff", "git_log", "git_show", "git_blame", "git_branch", "git_commit_message"}
	mcp     = []string{"mcp_list", "mcp_inspect", "mcp_call"}
	all     = slices.Concat(core, session, plus, git, mcp, []string{"web_fetch"})
)

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got+"\n" {
		t.Errorf("%s differs; look at it and run with -update\ngot:\n%s", path, got)
	}
}

func TestSystem(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]prompt.Parts{
		"default":  {Agent: "default", Tools: slices.Concat(core, session, plus, git)},
		"core":     {Agent: "default", Tools: core},
		"quick":    {Agent: "quick", Tools: slices.Concat(core, session)},
		"deep":     {Agent: "deep", Tools: slices.Concat(core, session)},
		"plan":     {Agent: "plan", Tools: append([]string{"read_file", "glob", "grep"}, session...)},
		"review":   {Agent: "review", Tools: append([]string{"read_file", "glob", "grep"}, session...)},
		"no-hands": {Agent: "default"},
		"extended": {
			Agent: "mine", Role: "You write release notes.\n", Tools: slices.Concat(core, session, mcp),
			Skills:   []prompt.Skill{{"verify", "Check\nthe work."}, {"debug", "Find a cause."}},
			Servers:  []prompt.Server{{"tracker", ""}, {"docs", "The documentation."}},
			Appendix: []string{"Never touch vendor/.", ""},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden(t, "system-"+name, prompt.System(p))
		})
	}
}

// The first request has a budget, and this is our share of it.
func TestTheSystemTextIsSmall(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tools []string
		most  int
	}{
		"everything": {slices.Concat(core, session, plus, git), 2500},
		"core":       {core, 2000},
	} {
		if n := len(prompt.System(prompt.Parts{Agent: "default", Tools: c.tools})); n > c.most {
			t.Errorf("%s: %d bytes, at most %d", name, n, c.most)
		}
	}
	for _, a := range prompt.Agents() {
		if n := len(prompt.System(prompt.Parts{Agent: a, Tools: slices.Concat(core, session, plus, git)})); n > 3000 {
			t.Errorf("agent %s: %d bytes", a, n)
		}
	}
}

var words = regexp.MustCompile(`[a-z]+(_[a-z]+)+`)

// A prompt that names a withheld tool teaches the model to call it.
func TestOnlyOfferedToolsAreNamed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tools := rapid.SliceOfDistinct(rapid.SampledFrom(all), rapid.ID[string]).Draw(t, "tools")
		if slices.Contains(tools, "mcp_call") {
			tools = append(tools, mcp...)
		}
		p := prompt.Parts{
			Agent: rapid.SampledFrom(prompt.Agents()).Draw(t, "agent"), Tools: tools,
			Skills:  []prompt.Skill{{"a", "b"}},
			Servers: []prompt.Server{{"s", ""}},
		}
		text := prompt.System(p)
		for _, w := range words.FindAllString(text, -1) {
			if !slices.Contains(tools, w) {
				t.Fatalf("names %s, offered are %v", w, tools)
			}
		}
		for _, one := range []string{"skill", "task", "bash"} {
			if !slices.Contains(tools, one) && regexp.MustCompile(`\b(with|to) `+one+`\b`).MatchString(text) {
				t.Fatalf("names %s, offered are %v", one, tools)
			}
		}
	})
}

// CTX-24, CTX-25: nothing of the day, the folder or the order in which things
// were found is in the system text, and what differs between projects stands
// behind what does not.
func TestTheSystemTextIsStable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tools := rapid.Permutation(all).Draw(t, "tools")
		skills := rapid.Permutation([]prompt.Skill{{"a", "1"}, {"b", "2"}, {"c", "3"}}).Draw(t, "skills")
		servers := rapid.Permutation([]prompt.Server{{"x", ""}, {"y", "2"}}).Draw(t, "servers")
		got := prompt.System(prompt.Parts{Agent: "default", Tools: tools, Skills: skills, Servers: servers})
		want := prompt.System(prompt.Parts{
			Agent: "default", Tools: all,
			Skills:  []prompt.Skill{{"a", "1"}, {"b", "2"}, {"c", "3"}},
			Servers: []prompt.Server{{"x", ""}, {"y", "2"}},
		})
		if got != want {
			t.Fatalf("the order of what is offered shows:\n%s", got)
		}
		bare := prompt.System(prompt.Parts{Agent: "default", Tools: all})
		if !strings.HasPrefix(got, bare) {
			t.Fatal("skills and servers do not stand at the end")
		}
		if regexp.MustCompile(`\d{4}-\d\d|\d\d:\d\d`).MatchString(got) {
			t.Fatal("a date or a clock")
		}
	})
}

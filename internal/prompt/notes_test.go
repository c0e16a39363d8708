package prompt_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent/internal/event"
	"assent/internal/prompt"
)

func TestNotes(t *testing.T) {
	t.Parallel()
	for name, n := range map[string]prompt.Note{
		"environment": prompt.EnvironmentNote(prompt.Environment{
			Dir: "/src/app", Extra: []string{"/src/lib"}, Platform: "linux, bash", Date: "2026-10-01",
			Branch: "main", Status: " M a.go\n?? b.go\n",
		}),
		"environment-clean":    prompt.EnvironmentNote(prompt.Environment{Dir: "/x", Branch: "main", Clean: true, Headless: true}),
		"environment-unknown":  prompt.EnvironmentNote(prompt.Environment{Dir: "/x", Branch: "main"}),
		"environment-no-git":   prompt.EnvironmentNote(prompt.Environment{Dir: "/x", Platform: "darwin", Date: "2026-10-01"}),
		"environment-many":     prompt.EnvironmentNote(prompt.Environment{Dir: "/x", Branch: "b", Status: strings.Repeat("?? f\n", 33)}),
		"tasks":                prompt.TasksNote([]event.Todo{{Content: "one", Status: "done"}, {Content: "two\nlines", Status: "blocked", Note: "why"}}, false),
		"tasks-empty":          prompt.TasksNote(nil, true),
		"memory":               prompt.MemoryNote([]string{"command: make test", "gotcha: a\nb"}),
		"mode-plan":            prompt.ModeNote("plan"),
		"mode-plan-off":        prompt.ModeNote("plan-off"),
		"skills":               prompt.SkillsNote([]prompt.Skill{{"b", "B"}, {"a", "A"}}),
		"servers":              prompt.ServersNote([]prompt.Server{{"b", ""}, {"a", "A"}}),
		"instructions":         prompt.InstructionsNote([]prompt.File{{Name: "~/AGENTS.md", Text: "Be kind.\n"}, {Name: "AGENTS.md", Text: "# Rules", Cut: true}}),
		"instructions-nested":  prompt.NestedNote(prompt.File{Name: "web/AGENTS.md", Folder: "web", Text: "Use tabs."}),
		"instructions-nowhere": prompt.NestedNote(prompt.File{Name: "AGENTS.md", Text: "Use tabs."}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !strings.HasPrefix(n.Text, "[assent] ") {
				t.Error("the note is not marked")
			}
			golden(t, "note-"+name, n.Topic+"\n"+n.Text)
		})
	}
}

func TestNothingToTellIsNoNote(t *testing.T) {
	t.Parallel()
	for _, n := range []prompt.Note{
		prompt.TasksNote(nil, false), prompt.MemoryNote(nil), prompt.ModeNote(""), prompt.SkillsNote(nil),
		prompt.ServersNote(nil), prompt.InstructionsNote(nil),
	} {
		if n.Text != "" || n.Topic == "" {
			t.Errorf("%+v", n)
		}
	}
}

// A note is told when it became true and not again until it changes; what the
// model has read last is always what is so.
func TestNotesTellEachStateOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		told := map[string]string{}
		steps := rapid.SliceOf(rapid.SliceOfN(rapid.IntRange(0, 2), 0, 3)).Draw(t, "lists")
		for i, list := range steps {
			var todos []event.Todo
			for _, n := range list {
				todos = append(todos, event.Todo{Content: fmt.Sprint(n), Status: "pending"})
			}
			now := []prompt.Note{prompt.TasksNote(todos, told[prompt.TopicTasks] != ""), prompt.MemoryNote([]string{"m"})}
			for _, n := range now {
				if n.Text != "" {
					told[n.Topic] = n.Text
				}
			}
			if again := prompt.TasksNote(todos, told[prompt.TopicTasks] != ""); again.Text != "" && again.Text != told[prompt.TopicTasks] {
				t.Fatalf("step %d: the same list is told as %q", i, again.Text)
			}
			if want := now[0].Text; want != "" && told[prompt.TopicTasks] != want {
				t.Fatalf("step %d: told last %q, so is %q", i, told[prompt.TopicTasks], want)
			}
		}
	})
}

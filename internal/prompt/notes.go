package prompt

import (
	"fmt"
	"strings"

	"assent/internal/event"
)

// mark begins every note, so that the model can tell it from the user.
const mark = "[assent] "

// Topics of the notes, in the order in which they are told at the start.
const (
	TopicEnvironment  = "environment"
	TopicInstructions = "instructions"
	TopicMemory       = "memory"
	TopicTasks        = "tasks"
	TopicMode         = "mode"
	TopicSkills       = "skills"
	TopicServers      = "servers"
)

// Note is a text on a topic. What stands in the conversation about a topic is
// the newest note on it.
type Note struct{ Topic, Text string }

// Environment is where the work happens, as the caller sees it.
type Environment struct {
	// Dir is the workspace, Extra are further roots.
	Dir   string
	Extra []string
	// Platform is the operating system and shell, in the caller's words.
	Platform string
	// Date is the day, as 2006-01-02; never a time.
	Date string
	// Branch is git's; empty outside a repository.
	Branch string
	// Status is git's in short form, and Clean says that git was asked and had
	// nothing to say. Without either nobody looked, and the note is silent: a
	// model that is told of a clean tree acts on it.
	Status string
	Clean  bool
	// Headless says that nobody watches.
	Headless bool
}

// maxStatus is how many lines of git's status are shown.
const maxStatus = 20

// EnvironmentNote tells where the work happens.
func EnvironmentNote(e Environment) Note {
	var b strings.Builder
	b.WriteString(mark + "Where you work:\n")
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "- %s: %s\n", name, value)
		}
	}
	line("folder", e.Dir)
	line("more folders", strings.Join(e.Extra, ", "))
	line("system", e.Platform)
	line("date", e.Date)
	line("git branch", oneLine(e.Branch, 200))
	if status := strings.TrimRight(e.Status, "\n \t"); status != "" {
		lines := strings.Split(status, "\n")
		more := ""
		if len(lines) > maxStatus {
			more = fmt.Sprintf("\n  and %d more", len(lines)-maxStatus)
			lines = lines[:maxStatus]
		}
		fmt.Fprintf(&b, "- git status at the start:\n  %s%s\n", strings.Join(lines, "\n  "), more)
	} else if e.Clean {
		line("git status at the start", "clean")
	}
	if e.Headless {
		line("run", "headless, nobody can answer; calls that would be asked about are refused")
	}
	return Note{TopicEnvironment, strings.TrimRight(b.String(), "\n")}
}

// TasksNote tells the task list as it stands. An empty list is told only when
// another was told before.
func TasksNote(todos []event.Todo, told bool) Note {
	if len(todos) == 0 {
		if told {
			return Note{TopicTasks, mark + "The task list is now empty."}
		}
		return Note{Topic: TopicTasks}
	}
	var b strings.Builder
	b.WriteString(mark + "The task list now:")
	for _, t := range todos {
		fmt.Fprintf(&b, "\n- %s: %s", t.Status, oneLine(t.Content, 500))
		if t.Note != "" {
			fmt.Fprintf(&b, " (%s)", oneLine(t.Note, 300))
		}
	}
	return Note{TopicTasks, b.String()}
}

// MemoryNote offers what was kept from earlier sessions.
func MemoryNote(entries []string) Note {
	if len(entries) == 0 {
		return Note{Topic: TopicMemory}
	}
	var b strings.Builder
	b.WriteString(mark + "Kept from earlier work here. Trust it as a hint; verify before you rely on it:")
	for _, e := range entries {
		b.WriteString("\n- " + oneLine(e, 400))
	}
	return Note{TopicMemory, b.String()}
}

// ModeNote tells that the user changed what the agent may do. told is the mode
// that was told last, empty for none.
func ModeNote(mode string) Note {
	switch mode {
	case "plan":
		return Note{TopicMode, mark + "The user turned on plan mode: from here on only reading is allowed. Work out a plan and give it; change nothing."}
	case "plan-off":
		return Note{TopicMode, mark + "The user turned off plan mode: changes are allowed again, each through the gate. Carry out the plan if that is what was asked."}
	}
	return Note{Topic: TopicMode}
}

// SkillsNote tells of skills that were added or changed after the start.
func SkillsNote(added []Skill) Note {
	if len(added) == 0 {
		return Note{Topic: TopicSkills}
	}
	text := strings.SplitN(skills(added), "\n", 3)
	return Note{TopicSkills, mark + "New skills, to load with skill:\n" + text[2]}
}

// ServersNote tells of MCP servers that connected after the start.
func ServersNote(added []Server) Note {
	if len(added) == 0 {
		return Note{Topic: TopicServers}
	}
	text := strings.SplitN(servers(added), "\n", 3)
	return Note{TopicServers, mark + "More servers answer now through mcp_list, mcp_inspect and mcp_call:\n" + text[2]}
}

// File is an instruction file.
type File struct {
	// Name is how to call it: a path relative to the project, or with ~.
	Name string
	Text string
	// Folder is what it speaks for, relative to the workspace; empty for all.
	Folder string
	// Cut says that the end is missing.
	Cut bool
}

// InstructionsNote gives the instruction files that hold from the start, the
// widest first.
func InstructionsNote(files []File) Note {
	if len(files) == 0 {
		return Note{Topic: TopicInstructions}
	}
	var b strings.Builder
	b.WriteString(mark + "The user's standing instructions. Where they differ, a later one counts more; what the user says in this conversation counts most.")
	for _, f := range files {
		b.WriteString("\n\n" + file(f))
	}
	return Note{TopicInstructions, b.String()}
}

// NestedNote gives one instruction file of a deeper folder. Its topic is its
// own, so that it is told once.
func NestedNote(f File) Note {
	head := mark + "You came to a folder with instructions of its own."
	if f.Folder != "" {
		head = mark + "Instructions for everything below " + f.Folder + "/; they count more than those of the folders above."
	}
	return Note{TopicInstructions + ":" + f.Name, head + "\n\n" + file(f)}
}

func file(f File) string {
	text := "===== " + f.Name + " =====\n" + strings.TrimSpace(f.Text)
	if f.Cut {
		text += "\n(cut here: too long)"
	}
	return text
}

package screen

import (
	"fmt"
	"strings"

	"assent/internal/host"
	"assent/internal/llm"
)

// Command is a line of the one table of commands: the menu, the help, the
// parser and completion read it.
type Command struct {
	// Name is what follows the slash, Args what may follow it, Help what it
	// does.
	Name, Args, Help string

	// words are what may follow it, for completion.
	words func(State) []string
	run   func(State, string) (State, []Intent)
	// leaves says that it ends this conversation, so it needs an idle one.
	leaves bool
}

// needsArgs reports whether the command does nothing without arguments.
func (c Command) needsArgs() bool { return strings.HasPrefix(c.Args, "<") }

// Commands is the table. Arguments in brackets may be left out.
func Commands() []Command {
	return []Command{
		{Name: "help", Help: "commands and keys", run: help},
		{Name: "agent", Args: "[name]", Help: "work as another agent", words: agents, run: useAgent},
		{Name: "think", Args: "[level]", Help: "how hard the model thinks", words: levels, run: useLevel},
		{Name: "provider", Args: "[name]", Help: "choose a provider, give its key, choose a model", run: useProvider},
		{Name: "models", Args: "[provider]", Help: "what the endpoint offers", run: listModels},
		{Name: "model", Args: "[id]", Help: "work with another model", run: useModel},
		{Name: "tools", Help: "the tools of this agent and what they may do", run: report("tools")},
		{Name: "permissions", Help: "what is allowed, asked and denied, and why", run: report("permissions")},
		{Name: "context", Help: "what fills the model's window", run: report("context")},
		{Name: "cost", Help: "what this session cost", run: report("cost")},
		{Name: "sessions", Help: "the sessions of this folder", run: listSessions},
		{Name: "resume", Args: "[id]", Help: "go on with an earlier session", run: resume, leaves: true},
		{Name: "fork", Help: "go on in a copy of this session", run: fork, leaves: true},
		{Name: "export", Args: "[file]", Help: "write this session to a file (.md, .json, .html)", run: export},
		{Name: "copy", Help: "copy the last answer as Markdown", run: copyAnswer},
		{Name: "diff", Help: "what changed since the last commit", run: report("diff")},
		{Name: "config", Args: "[field value]", Help: "show the configuration, or set a field of it", run: configure},
		{Name: "theme", Args: "[name]", Help: "choose the colours", words: themes, run: useTheme},
		{Name: "doctor", Help: "what was found on this machine", run: report("doctor")},
		{Name: "clear", Help: "begin a new session", run: clearSession, leaves: true},
		{Name: "exit", Help: "leave", run: exit},
	}
}

func find(name string) (Command, bool) {
	for _, c := range Commands() {
		if c.Name == name {
			return c, true
		}
	}
	return Command{}, false
}

// Parse splits a prompt into a command's name and its arguments. ok is false
// when it is no command but a text, as a path at its start makes it.
func Parse(text string) (name, args string, ok bool) {
	text = strings.TrimSpace(text)
	rest, slash := strings.CutPrefix(text, "/")
	end := strings.IndexFunc(rest, func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' })
	if end < 0 {
		end = len(rest)
	}
	name = rest[:end]
	if !slash || name == "" || len(name) > titleLimit || strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz-:") != "" {
		return "", "", false
	}
	return strings.ToLower(name), strings.TrimSpace(rest[end:]), true
}

func isCommand(text string) bool {
	_, _, ok := Parse(text)
	return ok
}

// command runs a command. An unknown one stays in the prompt.
func (s State) command(text string) (State, []Intent) {
	name, args, _ := Parse(text)
	c, ok := find(name)
	if !ok {
		return s.interject(Notice{unknown(name)}), nil
	}
	if c.leaves && s.working() {
		return s.busy(), nil
	}
	args, _ = s.pastes.expand(args)
	if !strings.Contains(text, "apiKey") {
		s = s.remember(text)
	}
	s, cleared := s.setText("", 0)
	s, intents := c.run(s, args)
	return s, append(cleared, intents...)
}

// leave goes to another conversation, unless something still goes on here.
func (s State) leave(to Switch) (State, []Intent) {
	if s.working() {
		return s.busy(), nil
	}
	return s, []Intent{to}
}

func (s State) busy() State { return s.interject(Notice{"A turn is running; esc cancels it."}) }

// asking is a query that a command waits for.
type asking struct {
	name  string
	query host.Query
}

// ask gives a query to the host in the name of a command.
func (s State) ask(name string, q host.Query) (State, []Intent) {
	s.asked = append(s.asked[:len(s.asked):len(s.asked)], asking{name, q})
	return s, []Intent{Ask{q}}
}

func report(name string) func(State, string) (State, []Intent) {
	return func(s State, _ string) (State, []Intent) { return s.ask("/"+name, host.Report{Name: name}) }
}

func agents(s State) []string { return s.options.Agents }

func themes(s State) []string { return s.options.Themes }

func levels(State) []string {
	var words []string
	for _, l := range llm.Levels() {
		words = append(words, string(l))
	}
	return words
}

func useAgent(s State, args string) (State, []Intent) {
	if args == "" {
		return s.pick(PickAgent, "agent", s.options.Agents, s.Mode.Agent)
	}
	return s, []Intent{Do{host.Use{Agent: args}}}
}

func useLevel(s State, args string) (State, []Intent) {
	if args == "" {
		return s.pick(PickLevel, "thinking", levels(s), string(s.Mode.Level))
	}
	return s, []Intent{Do{host.Use{Level: llm.Level(args)}}}
}

func useProvider(s State, args string) (State, []Intent) {
	if args == "" {
		return StartSetup(s, false)
	}
	return s, []Intent{Do{host.Use{Provider: args}}}
}

func useModel(s State, args string) (State, []Intent) {
	if args == "" {
		return s.pickAsked(PickModel, "model", host.Models{})
	}
	return s, []Intent{Do{host.Use{Model: args}}}
}

func useTheme(s State, args string) (State, []Intent) {
	if args == "" {
		return s.pick(PickTheme, "theme", s.options.Themes, "")
	}
	return s, []Intent{Theme{args}}
}

func listModels(s State, args string) (State, []Intent) {
	return s.ask("/models", host.Models{Provider: args})
}

func listSessions(s State, _ string) (State, []Intent) { return s.ask("/sessions", host.Sessions{}) }

func resume(s State, args string) (State, []Intent) {
	if args == "" {
		return s.pickAsked(PickSession, "session", host.Sessions{})
	}
	return s.leave(Switch{Session: args})
}

func fork(s State, _ string) (State, []Intent) {
	return s.leave(Switch{Session: s.Session.ID, Fork: true})
}

func export(s State, args string) (State, []Intent) {
	return s.ask("/export", host.Export{File: args})
}

func copyAnswer(s State, _ string) (State, []Intent) {
	text := s.answer.add(s.Tail[min(s.answer.opener, len(s.Tail)):]).text()
	if strings.TrimSpace(text) == "" {
		return s.interject(Notice{"There is no answer to copy yet."}), nil
	}
	note := "Copied the last answer (" + extent(text) + ")."
	if s.answer.cut {
		note = "Copied the first " + size(len(text)) + " of the last answer; /export writes all of it."
	}
	return s.interject(Notice{note}), []Intent{Copy{text}}
}

func configure(s State, args string) (State, []Intent) {
	field, value, _ := strings.Cut(args, " ")
	switch {
	case field == "":
		return s.ask("/config", host.Report{Name: "config"})
	case field == "apiKey":
		return s.interject(Notice{"A key is not typed where it can be seen: use /provider."}), nil
	case strings.TrimSpace(value) == "":
		return s.interject(Notice{fmt.Sprintf("What shall %s be? Say /config %s VALUE.", field, field)}), nil
	}
	return s.ask("/config", host.Configure{Field: field, Value: strings.TrimSpace(value)})
}

func clearSession(s State, _ string) (State, []Intent) { return s.leave(Switch{}) }

func exit(s State, _ string) (State, []Intent) { return s, []Intent{Quit{}} }

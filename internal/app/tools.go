package app

import (
	"context"
	"time"

	"assent/internal/compress"
	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/proc"
	"assent/internal/session"
	script "assent/internal/shell"
	"assent/internal/tool"
	"assent/internal/tools/bash"
	"assent/internal/tools/files"
	"assent/internal/tools/git"
	"assent/internal/tools/notes"
	"assent/internal/tools/search"
	"assent/internal/workspace"
)

// toolParts are what tools of effect state work on.
type toolParts struct {
	artifacts session.Artifacts
	todos     func(context.Context, []event.Todo) error
	writer    git.Writer
}

// unwired makes every tool, for its name and schema only.
var unwired = toolParts{writer: (*conversation)(nil)} //nolint:gochecknoglobals // nobody changes it

// tools is the one list of tools, in the order in which models are told them.
func tools(p toolParts) tool.Set {
	var set tool.Set
	set = append(set, files.Tools()...)
	set = append(set, search.Tools(search.Options{})...)
	set = append(set, bash.Tools(bash.Options{Shorten: shorten("bash"), Shell: script.Options{Plain: proc.PlainShell(), Zsh: proc.Zsh()}})...)
	set = append(set, git.Tools(git.Options{Shorten: shorten("git"), Writer: p.writer})...)
	return append(set, notes.TodoWrite(p.todos), notes.ReadOutput(p.artifacts), notes.CurrentTime(time.Now))
}

// shorten cuts what a tool printed to what a model should see.
func shorten(tool string) func(output, command string) (string, bool) {
	return func(output, command string) (string, bool) {
		return compress.Compress(output, compress.Budget{}, compress.Hint{Tool: tool, Command: command})
	}
}

// toolNames are the names that permission rules may use.
func toolNames() []string { return append(offeredNames(), plannedNames...) }

// offeredNames are the tools that there are.
func offeredNames() []string {
	var names []string
	for _, t := range tools(unwired) {
		names = append(names, t.Name())
	}
	return names
}

// plannedNames are tools that a rule may name though this build does not offer
// them; a config that is shared between versions must not break.
var plannedNames = []string{
	"web_fetch", "ask_user", "remember", "recall", "forget", "skill", "task", "mcp_list", "mcp_inspect", "mcp_call",
}

// policyTools is what the rules must know of the tools.
func policyTools() []policy.Tool {
	var list []policy.Tool
	for _, t := range tools(unwired) {
		list = append(list, policy.Tool{Name: t.Name(), Effect: t.Effect()})
	}
	return list
}

// gate makes the gate with the guards that are on.
func (a *App) gate(l loaded, ws *workspace.Workspace, o gate.Options) *gate.Gate {
	var g *gate.Gate
	o.Guards = guards(l, ws, func(rel string) bool { return g.Ignored(rel) })
	g = gate.New(o)
	return g
}

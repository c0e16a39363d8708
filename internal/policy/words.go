package policy

import "assent/internal/shell"

// Effect is what a tool can do to the world. It is declared where the tool is
// defined, and defaults, prompts, plan mode and headless rules derive from it.
type Effect string

// The effects. Read and State are allowed unless a rule says otherwise; the
// others ask.
const (
	Read    Effect = "read"
	State   Effect = "state" // the agent's own state
	Write   Effect = "write"
	Exec    Effect = "exec"
	Net     Effect = "net"
	Foreign Effect = "foreign" // a tool of an MCP server
)

// Kind says what a subject is.
type Kind string

// Kinds of subject, the words of `permissions explain`.
const (
	KindCommand Kind = "command"
	KindPath    Kind = "path"
	KindURL     Kind = "url"
	KindTool    Kind = "tool"
)

// Access says how a path subject is touched, and so which tables judge it.
type Access string

// Kinds of access. Tree reads everything below a folder.
const (
	AccessNone  Access = ""
	AccessRead  Access = "read"
	AccessTree  Access = "tree"
	AccessWrite Access = "write"
)

// Subject is one thing that a call touches. A tool's plan names paths as the
// model wrote them; the gate resolves them before they are judged.
type Subject struct {
	Kind Kind
	// Text is what patterns are matched against: a command's words joined by
	// one blank, a path, a URL, a name.
	Text string
	// Access is set for paths.
	Access Access
	// Unknown says which part cannot be known before it runs; such a subject
	// matches only the pattern "*".
	Unknown string
	// Command is the parsed command of a KindCommand subject.
	Command *shell.Command
	// Dir is the folder, as the model wrote it, in which a relative path of a
	// shell command is to be read; empty means the workspace root.
	Dir string
	// File is what a shell command does to the path; nil for paths that a tool
	// names itself.
	File *shell.File
}

// Plan is everything a call would touch. A call without subjects is judged by
// its tool's name.
type Plan struct {
	Subjects []Subject
	// Script is the parsed input of a shell tool, for guards.
	Script *shell.Script
	// Content is what the call would put on disk or send, for the guard that
	// looks for key material.
	Content []string
}

// Verdict is allow, ask or deny.
type Verdict string

// The verdicts.
const (
	Allow Verdict = "allow"
	Ask   Verdict = "ask"
	Deny  Verdict = "deny"
)

// By says who decided.
type By string

// Deciders, the same words in events, log and explain.
const (
	ByGuard    By = "guard"
	ByHook     By = "hook"
	ByMode     By = "mode"
	ByRule     By = "rule"
	ByDefault  By = "default"
	ByYolo     By = "yolo"
	ByRepeat   By = "repeat"
	ByUser     By = "user"
	ByHeadless By = "headless"
)

// Decision is a verdict that can say why.
type Decision struct {
	Verdict Verdict
	By      By
	// Reason is for the model and the user: what caused it and what to do.
	Reason string
	// Subjects are the judged subjects in order; the strictest decided.
	Subjects []Judged
	// Cancel says that the user's refusal ends the whole turn (esc).
	Cancel bool
	// Fails is the error of a call that nobody was asked about, since it is
	// certain to fail; empty for a call that was refused.
	Fails string
}

// Judged is a subject with its decision.
type Judged struct {
	Subject Subject
	Verdict Verdict
	By      By
	// Pattern and Source name the rule that decided: the pattern as written,
	// and file:line, flag or "default".
	Pattern, Source string
	Reason          string
}

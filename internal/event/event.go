// Package event holds what the engine and the host tell: one sealed type a
// kind of fact, its JSON form as the headless front prints it, and the ordered
// log from which every front reads at its own pace.
//
// A front needs nothing else to draw or print a conversation. Facts are never
// dropped; deltas of one block may be merged for a slow reader.
package event

import (
	"encoding/json"
	"fmt"
	"time"

	"assent/internal/llm"
)

// Event is one thing that happened. Its JSON form has the field "type" with
// the value of Type and the fields of product.md's table.
//
//sumtype:decl
type Event interface {
	// Type is the word of the "type" field.
	Type() string
	event()
}

// Session opens a conversation; it is the first event that --json tells.
type Session struct {
	ID       string `json:"id"`
	CWD      string `json:"cwd"`
	Model    string `json:"model"`
	Provider string `json:"provider"`
	Agent    string `json:"agent"`
	Resumed  bool   `json:"resumed"`
}

// Prompt tells that a user's message entered the conversation. Steer says that
// it did so between the steps of a running turn.
type Prompt struct {
	Text  string `json:"text"`
	Steer bool   `json:"steer,omitempty"`
}

// Queue is the list of prompts that wait, oldest first.
type Queue struct {
	Prompts []string `json:"prompts"`
}

// Step tells that a model is about to be asked; Number counts from 1 in a turn.
type Step struct {
	Number int `json:"number"`
}

// Text is a delta of the answer.
type Text struct {
	Text string `json:"text"`
}

// Reasoning is a delta of the hidden thinking.
type Reasoning struct {
	Text string `json:"text"`
}

// ToolStart tells that a call began to stream.
type ToolStart struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// ToolCall is a call with its whole input.
type ToolCall struct {
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
	// Title is the load-bearing argument in one line, for people.
	Title string `json:"title,omitempty"`
}

// Approval asks the user to decide a call. It stays open until an
// ApprovalDone with the same ID.
type Approval struct {
	// ID names the question; it is the call's id.
	ID   string `json:"id"`
	Name string `json:"name"`
	// Title is one line; Reason says why it asks.
	Title  string `json:"title"`
	Reason string `json:"reason"`
	// Subjects are what the call touches, each with the rule that decided it.
	Subjects []Subject `json:"subjects"`
	// Pattern is what "always" would allow; empty when always is not offered.
	Pattern string `json:"pattern,omitempty"`
	// Rules are the rules that Pattern stands for, each as tool(pattern): what
	// "always" adds, in full.
	Rules []string `json:"rules,omitempty"`
	// Detail is the call written out: the command, a diff, a URL. A diff of
	// thousands of lines ends in a line that begins with "\" and says how many
	// are left out.
	Detail string `json:"detail,omitempty"`
	// Hidden says in a sentence, for people, how much of the call Detail leaves
	// out and in which file all of it can be read; empty when Detail is whole.
	Hidden string `json:"hidden,omitempty"`
	// Exact says that Detail is a diff of the file as it is: its numbers are
	// true, and what is around a change is in it.
	Exact bool `json:"exact,omitempty"`
	// Subagent names the subagent that asks, empty for the main agent.
	Subagent string `json:"subagent,omitempty"`
}

// Subject is one thing that a call touches and what was decided about it.
type Subject struct {
	Text     string `json:"text"`
	Kind     string `json:"kind"`
	Decision string `json:"decision"`
	Pattern  string `json:"pattern"`
	Source   string `json:"source"`
	Reason   string `json:"reason,omitempty"`
}

// ApprovalDone closes an Approval. Choice is once, session, project or deny.
type ApprovalDone struct {
	ID     string `json:"id"`
	Choice string `json:"choice"`
}

// ToolRun tells that a call is allowed and begins to run. It comes after the
// call's decision is stored and before its output and its result; a call that
// never runs has none.
type ToolRun struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// ToolOutput is live output of a running command. One with Skipped stands for
// so many bytes that a slow reader will not get; the result has them, as far
// as it keeps output.
type ToolOutput struct {
	ID      string `json:"id"`
	Chunk   string `json:"chunk"`
	Skipped int    `json:"skipped,omitempty"`
}

// Shown is the output as a person reads it: a line in the place of what was
// skipped.
func (e ToolOutput) Shown() string {
	if e.Skipped == 0 {
		return e.Chunk
	}
	return fmt.Sprintf("\n… %d bytes not shown\n%s", e.Skipped, e.Chunk)
}

// ToolResult is the result of a call that did what was asked.
type ToolResult struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Output string `json:"output"`
	// Artifact names the raw output when it was kept aside.
	Artifact string `json:"artifact,omitempty"`
	// Summary is the outcome in a few words, for people.
	Summary string `json:"summary,omitempty"`
	// Diff is a unified diff of what an edit changed, for people.
	Diff string `json:"diff,omitempty"`
	// Exit is the code of a command that ran and ended with another one than 0.
	Exit int `json:"exitCode,omitempty"`
}

// ToolError is the result of a call that failed, was interrupted or cancelled.
type ToolError struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Error string `json:"error"`
	// Status is error, interrupted or cancelled.
	Status llm.Status `json:"status,omitempty"`
}

// ToolDenied tells that a call did not run because it was refused.
type ToolDenied struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// By is one of guard hook mode rule default repeat user headless.
	By     string `json:"by"`
	Reason string `json:"reason"`
}

// Subagent wraps an event of a nested conversation.
type Subagent struct {
	ID    string `json:"id"`
	Kind  string `json:"kind"`
	Event Event  `json:"-"`
}

// Compacted tells that the wire view was shortened.
type Compacted struct {
	Before       int `json:"before"`
	After        int `json:"after"`
	TokensBefore int `json:"tokensBefore"`
	TokensAfter  int `json:"tokensAfter"`
}

// Usage is what one response cost. InputTokens is everything that was sent,
// the cached share included.
type Usage struct {
	InputTokens     int      `json:"inputTokens"`
	OutputTokens    int      `json:"outputTokens"`
	CachedTokens    int      `json:"cachedTokens"`
	CacheWrites     int      `json:"cacheWriteTokens"`
	ReasoningTokens int      `json:"reasoningTokens"`
	CostUSD         *float64 `json:"costUsd"`
	// Context is the size of the window after the response, Window its limit,
	// Threshold the size above which the history is folded; 0 when unknown.
	Context   int `json:"contextTokens,omitempty"`
	Window    int `json:"contextWindow,omitempty"`
	Threshold int `json:"contextThreshold,omitempty"`
}

// Todos is the task list after it changed.
type Todos struct {
	Todos []Todo `json:"todos"`
}

// Todo is one task: Status is pending, in_progress, done or blocked.
type Todo struct {
	Content string `json:"content"`
	Status  string `json:"status"`
	Note    string `json:"note,omitempty"`
}

// Retry tells that a request failed and will be tried again after Wait.
type Retry struct {
	Reason  string        `json:"reason"`
	Attempt int           `json:"attempt"`
	Wait    time.Duration `json:"waitNs"`
}

// Void takes back what was told of a response since its Step, or since the last
// Void: the deltas of its text and its reasoning, and each ToolStart without a
// ToolCall. It broke off, and what comes next is the whole of it again.
type Void struct {
	// Step is the number of the step.
	Step int `json:"step"`
}

// Notice is something the user should know.
type Notice struct {
	Text string `json:"text"`
}

// Error is a failure that ends the turn, or one that was survived when it is
// followed by something else than Done.
type Error struct {
	Message   string   `json:"message"`
	Kind      llm.Kind `json:"kind"`
	Retryable bool     `json:"retryable"`
}

// State tells that what the status line shows has changed: agent, model,
// thinking.
type State struct {
	Agent    string    `json:"agent"`
	Provider string    `json:"provider"`
	Model    string    `json:"model"`
	Level    llm.Level `json:"thinking"`
	Yolo     bool      `json:"yolo,omitempty"`
}

// Done ends a turn.
type Done struct {
	// Reason is a word of product.md's table: stop, max_steps, max_cost,
	// timeout, question, refusal, length, content_filter, context, error or
	// cancelled.
	Reason     string `json:"reason"`
	Usage      Usage  `json:"usage"`
	Steps      int    `json:"steps"`
	DurationMS int64  `json:"durationMs"`
}

// Type is session.
func (Session) Type() string { return "session" }

// Type is prompt.
func (Prompt) Type() string { return "prompt" }

// Type is queue.
func (Queue) Type() string { return "queue" }

// Type is step.
func (Step) Type() string { return "step" }

// Type is text.
func (Text) Type() string { return "text" }

// Type is reasoning.
func (Reasoning) Type() string { return "reasoning" }

// Type is tool-start.
func (ToolStart) Type() string { return "tool-start" }

// Type is tool-call.
func (ToolCall) Type() string { return "tool-call" }

// Type is approval.
func (Approval) Type() string { return "approval" }

// Type is approval-done.
func (ApprovalDone) Type() string { return "approval-done" }

// Type is tool-run.
func (ToolRun) Type() string { return "tool-run" }

// Type is tool-output.
func (ToolOutput) Type() string { return "tool-output" }

// Type is tool-result.
func (ToolResult) Type() string { return "tool-result" }

// Type is tool-error.
func (ToolError) Type() string { return "tool-error" }

// Type is tool-denied.
func (ToolDenied) Type() string { return "tool-denied" }

// Type is subagent.
func (Subagent) Type() string { return "subagent" }

// Type is compacted.
func (Compacted) Type() string { return "compacted" }

// Type is usage.
func (Usage) Type() string { return "usage" }

// Type is todos.
func (Todos) Type() string { return "todos" }

// Type is retry.
func (Retry) Type() string { return "retry" }

// Type is void.
func (Void) Type() string { return "void" }

// Type is notice.
func (Notice) Type() string { return "notice" }

// Type is error.
func (Error) Type() string { return "error" }

// Type is state.
func (State) Type() string { return "state" }

// Type is done.
func (Done) Type() string { return "done" }

func (Session) event()      {}
func (Prompt) event()       {}
func (Queue) event()        {}
func (Step) event()         {}
func (Text) event()         {}
func (Reasoning) event()    {}
func (ToolStart) event()    {}
func (ToolCall) event()     {}
func (Approval) event()     {}
func (ApprovalDone) event() {}
func (ToolRun) event()      {}
func (ToolOutput) event()   {}
func (ToolResult) event()   {}
func (ToolError) event()    {}
func (ToolDenied) event()   {}
func (Subagent) event()     {}
func (Compacted) event()    {}
func (Usage) event()        {}
func (Todos) event()        {}
func (Retry) event()        {}
func (Void) event()         {}
func (Notice) event()       {}
func (Error) event()        {}
func (State) event()        {}
func (Done) event()         {}

package session

import (
	"encoding/json"
	"time"

	"assent/internal/event"
	"assent/internal/llm"
	"assent/internal/policy"
)

// Version is the format that this program writes. A log of a newer one opens
// for reading only.
const Version = 1

// Meta is what every line carries beside its type.
type Meta struct {
	// ID is a UUIDv7, so ids sort by the time of their making.
	ID string `json:"id"`
	// Parent is the record that this one follows; empty for the first line.
	Parent string    `json:"parent,omitempty"`
	Time   time.Time `json:"time"`
}

// Record is the body of a line: one fact worth keeping. The log adds the
// Meta. Records are values; their slices are not changed after Append.
//
//sumtype:decl
type Record interface {
	// Type is the word of the "type" field.
	Type() string
	// Required says that failing to store it stops the turn; the others are
	// best effort and losing one is a warning.
	Required() bool
	// Synced says that it must be on the disk itself before Append returns.
	Synced() bool
	record()
}

// Entry is a record with its place in the tree.
type Entry struct {
	Meta
	Record Record
}

// Header is the first line. Its id is the id of the session.
type Header struct {
	kept
	Version int `json:"version"`
	// CWD is the real path of the workspace.
	CWD     string    `json:"cwd"`
	Created time.Time `json:"created"`
	// Program is the version of the program that made the file.
	Program string `json:"program,omitempty"`
	// ForkedFrom is set when the session began as a copy of a branch.
	ForkedFrom *Origin `json:"forkedFrom,omitempty"`
}

// Origin names the session and the record from which a fork was made.
type Origin struct {
	Session string `json:"session"`
	Record  string `json:"record"`
}

// Image is a picture beside the log: Artifact is its name there.
type Image struct {
	MIME     string `json:"mime"`
	Name     string `json:"name,omitempty"`
	Artifact string `json:"artifact"`
}

// User is a prompt.
type User struct {
	synced
	// Text is what the user typed.
	Text string `json:"text"`
	// Expanded is what the model sees, when it is not Text: mentions and
	// commands written out.
	Expanded string  `json:"expanded,omitempty"`
	Images   []Image `json:"images,omitempty"`
	// Turn counts the prompts of the branch from 1; Append sets it.
	Turn int `json:"turn,omitempty"`
}

// Steer is a message that entered a running turn. It may be stored while calls
// are open; in the conversation it comes after their results.
type Steer struct {
	synced
	Text     string  `json:"text"`
	Expanded string  `json:"expanded,omitempty"`
	Images   []Image `json:"images,omitempty"`
}

// Withdrawn takes back steering that was stored and had not entered when the
// user cancelled the turn: it is no part of the conversation.
type Withdrawn struct {
	kept
	// Steers are the ids of what it takes back.
	Steers []string `json:"steers"`
	// Count stands for Steers where they are not known: Append takes so many of
	// the newest steers of the branch. It is not stored.
	Count int `json:"-"`
}

// Assistant is a response, without reasoning and without ids of the vendor.
type Assistant struct {
	kept
	Text     string     `json:"text"`
	Calls    []SaidCall `json:"calls,omitempty"`
	Stop     llm.Stop   `json:"stop"`
	Provider string     `json:"provider,omitempty"`
	Model    string     `json:"model,omitempty"`
	// Void says that it broke off and that the whole of it was asked for again:
	// it is no part of the conversation.
	Void bool `json:"void,omitempty"`
	// Unheard is how many of the newest steers before it were stored while it was
	// written: in the conversation they stand behind it and its results.
	Unheard int `json:"unheard,omitempty"`
}

// SaidCall is a call as the model made it. Input that is not valid JSON is
// stored as a string in "inputText", and comes back as the same bytes.
type SaidCall struct {
	ID    string
	Name  string
	Input json.RawMessage
}

// Call is the decision about a call, stored before its tool runs. A call
// without one was never decided and so never ran.
type Call struct {
	synced
	CallID string         `json:"callId"`
	Name   string         `json:"name,omitempty"`
	Title  string         `json:"title,omitempty"`
	Decide policy.Verdict `json:"decision"`
	By     policy.By      `json:"by"`
	// Rule and Source name the rule that decided, when one did.
	Rule   string `json:"rule,omitempty"`
	Source string `json:"source,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Result is how a call ended.
type Result struct {
	kept
	CallID string     `json:"callId"`
	Name   string     `json:"name,omitempty"`
	Status llm.Status `json:"status"`
	// Output is what the model saw.
	Output string `json:"output"`
	// Artifact names the raw output when it was kept aside.
	Artifact string  `json:"artifact,omitempty"`
	Images   []Image `json:"images,omitempty"`
	// Summary and Diff are for people.
	Summary string `json:"summary,omitempty"`
	Diff    string `json:"diff,omitempty"`
	// Exit is the code of a command that ran and ended with another one than 0.
	Exit       int   `json:"exitCode,omitempty"`
	DurationMS int64 `json:"durationMs,omitempty"`
}

// Ask is a question form, stored before it opens.
type Ask struct {
	synced
	FlowID string `json:"flowId,omitempty"`
	// CallID is the call that asked; empty for forms that no call opened.
	CallID string `json:"callId,omitempty"`
	// Source is tool, answer, answer:again, ask:replay or ask:resume.
	Source string `json:"source"`
	// Payload is the validated form.
	Payload json.RawMessage `json:"payload"`
}

// AskDismissed says that the form of a call must not open again by itself.
type AskDismissed struct {
	synced
	FlowID string `json:"flowId,omitempty"`
	CallID string `json:"callId,omitempty"`
}

// Summary replaces the older part of the conversation for the model. The
// user's own messages of that part stay.
type Summary struct {
	kept
	// Text is the note that the model sees in place of what is covered.
	Text string `json:"text"`
	// Keeps counts the newest items (users, assistants, results; notes do not
	// count) that were left as they are when it was made. Append finds Through
	// from it.
	Keeps int `json:"keeps"`
	// Through is the id of the last record that is covered.
	Through string `json:"through,omitempty"`
	// Unheard is how many of the newest steers before it had not entered the
	// conversation: they stand behind all that it leaves.
	Unheard      int `json:"unheard,omitempty"`
	TokensBefore int `json:"tokensBefore,omitempty"`
	TokensAfter  int `json:"tokensAfter,omitempty"`
}

// Todo is the task list after it changed.
type Todo struct {
	kept
	Todos []event.Todo `json:"todos"`
}

// Agent is a change of the agent variant.
type Agent struct {
	kept
	Agent string `json:"agent"`
}

// Model is a change of model or thinking level.
type Model struct {
	kept
	Provider string    `json:"provider"`
	Model    string    `json:"model"`
	Level    llm.Level `json:"thinking,omitempty"`
}

// Undo is a step of the undo history: files kept before a write, taken back,
// or put forward again.
type Undo struct {
	synced
	// Action is keep, undo or redo.
	Action string `json:"action"`
	// Turn is the id of the user record whose turn changed the files.
	Turn  string     `json:"turn,omitempty"`
	Files []UndoFile `json:"files,omitempty"`
}

// UndoFile is one file of an Undo; Before and After name contents in the undo
// store, empty where the file did not exist.
type UndoFile struct {
	Path   string `json:"path"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	Mode   uint32 `json:"mode,omitempty"`
}

// Label names a record, for people who go back to it.
type Label struct {
	kept
	Target string `json:"target"`
	Label  string `json:"label"`
}

// Usage is what one response cost.
type Usage struct {
	loose
	Provider   string   `json:"provider,omitempty"`
	Model      string   `json:"model,omitempty"`
	Input      int      `json:"input"`
	Output     int      `json:"output"`
	CacheRead  int      `json:"cacheRead,omitempty"`
	CacheWrite int      `json:"cacheWrite,omitempty"`
	Reasoning  int      `json:"reasoning,omitempty"`
	CostUSD    *float64 `json:"costUsd,omitempty"`
	// Subagent names the nested conversation that it was in, Purpose what a
	// request beside any conversation was for: summary, draft. Neither says
	// anything of the conversation's size.
	Subagent string `json:"subagent,omitempty"`
	Purpose  string `json:"purpose,omitempty"`
}

// Timing closes a turn. Append sets Turns and Title.
type Timing struct {
	closing
	Reason string `json:"reason,omitempty"`
	// Error is what went wrong, in the words that the user was told, and Kind
	// its kind.
	Error      string   `json:"error,omitempty"`
	Kind       llm.Kind `json:"kind,omitempty"`
	DurationMS int64    `json:"durationMs"`
	Steps      int      `json:"steps,omitempty"`
	// Turns counts the prompts of the branch so far, so that a listing finds
	// the number at the end of the file.
	Turns int `json:"turns,omitempty"`
	// Title repeats the newest Title record, for the same reason.
	Title string `json:"title,omitempty"`
}

// Title is a name for the session that replaces the first prompt's line.
type Title struct {
	loose
	Title string `json:"title"`
}

// Notice is something that the user was told.
type Notice struct {
	loose
	Text string `json:"text"`
}

// Unknown is a record of a type that this version does not know, as it stands
// in the file.
type Unknown struct {
	loose
	Word string
	Raw  json.RawMessage
}

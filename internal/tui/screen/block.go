package screen

import (
	"time"

	"assent/internal/event"
	"assent/internal/llm"
)

// Block is a finished thing that is printed to the scrollback once. Its texts
// are as they came: whoever draws them filters control characters.
//
//sumtype:decl
type Block interface{ block() }

// Banner heads a session.
type Banner struct {
	Version string
	Session event.Session
	Mode    event.State
	// Facts are further lines: skills, plugins, servers, what asks.
	Facts []string
}

// User is a prompt that entered the conversation. Shown is what to draw: Text
// with long pasted parts folded.
type User struct {
	Text, Shown string
	// Steer says that it entered while a turn was running.
	Steer bool
}

// Answer is a piece of the model's answer in Markdown. The pieces of one
// answer follow each other; More says that the block of Markdown had to be cut
// and goes on in the next piece.
type Answer struct {
	Markdown string
	More     bool
}

// ToolLine is a call that has its result.
type ToolLine struct {
	ID, Name string
	// Title is the load-bearing argument in one line.
	Title string
	// Outcome says how it ended.
	Outcome Outcome
	// Summary is the outcome in a few words: the tool's own, the error, or the
	// reason of a refusal.
	Summary string
	// By says who refused, for Denied.
	By string
	// Output is the end of what the call wrote; Lines is how many lines it had
	// in all.
	Output string
	Lines  int
	// Diff is a unified diff of what changed; Cut is how many of its lines were
	// left out at its end.
	Diff string
	Cut  int
	// Artifact names the raw output where it was kept aside.
	Artifact string
	// Exit is the code of a command that ran and ended with another one than 0.
	Exit    int
	Elapsed time.Duration
	// Calls is how many calls a subagent made.
	Calls int
}

// Outcome is how a call ended.
type Outcome int

// The outcomes of a call.
const (
	Succeeded Outcome = iota
	Failed
	Denied
	Interrupted
	Cancelled
)

// Notice is something the user should know.
type Notice struct{ Text string }

// Failure is an error that the conversation met.
type Failure struct {
	Message   string
	Kind      llm.Kind
	Retryable bool
}

// Attached lists what was added to the prompt before it was sent, one line
// each.
type Attached struct{ Labels []string }

// Ran is a command of the user's own that has ended.
type Ran struct {
	Command string
	// Output is the end of what it wrote, Lines how many lines that were in all.
	Output string
	Lines  int
	Exit   int
	// Err says why it could not run or was stopped; empty when it ran.
	Err string
	// Kept says that its output goes with the next prompt.
	Kept bool
}

// Compaction tells that the history was folded.
type Compaction struct{ event.Compacted }

// Ended closes a turn.
type Ended struct {
	// Reason is a word of event.Done.
	Reason  string
	Steps   int
	Elapsed time.Duration
	CostUSD *float64
}

// Page is a text that a command shows, in Markdown.
type Page struct{ Title, Markdown string }

// Farewell says how to come back.
type Farewell struct {
	ID, Title string
	Prompts   int
	// Passing says that nothing is left to come back to.
	Passing bool
}

func (Banner) block()     {}
func (User) block()       {}
func (Answer) block()     {}
func (ToolLine) block()   {}
func (Notice) block()     {}
func (Failure) block()    {}
func (Attached) block()   {}
func (Ran) block()        {}
func (Compaction) block() {}
func (Ended) block()      {}
func (Page) block()       {}
func (Farewell) block()   {}

package screen

import (
	"time"

	"assent/internal/event"
)

// Options are what a State knows from the start. The zero value works.
type Options struct {
	// Version is shown in the banner.
	Version string
	// Facts are further lines of the banner.
	Facts []string
	// Passing says that nothing of this conversation is left to come back to.
	Passing bool
	// Agents are the names that /agent offers, Themes those of /theme.
	Agents, Themes []string
	// Lines says that the terminal shows lines only: no status that tells the
	// mode, and no prompt that a text can be put back into.
	Lines bool
	// Now is the time at the start.
	Now time.Time
}

// State is everything that the terminal shows and every key depends on. It is
// a value: a transition returns a new one and leaves the old as it was. The
// fields are for whoever draws; only this package changes them.
type State struct {
	// Width and Height are the terminal's size in cells.
	Width, Height int
	// Now is the time of the last Tick.
	Now time.Time

	// Session is the conversation; its ID is empty before it is known.
	Session event.Session
	// Mode is agent, model and thinking.
	Mode event.State
	// Turn is the running turn.
	Turn Turn
	// Tail is the unfinished end of the answer, raw Markdown. TailMore says
	// that it continues a block of which the beginning has been printed.
	Tail     string
	TailMore bool
	// Thinking is the model's reasoning in this turn.
	Thinking Thinking
	// Tools are the calls without a result, in the order of their start;
	// HiddenTools is how many more there are.
	Tools       []Tool
	HiddenTools int
	// Tasks is the task list.
	Tasks []event.Todo
	// Agents are the subagents at work.
	Agents []Agent
	// Queue is the prompts that wait, oldest first.
	Queue []string
	// Retry is the pause before the next attempt; its Reason is empty when
	// there is none.
	Retry Retry
	// Shell is the user's own running command; its Command is empty when there
	// is none.
	Shell ShellRun
	// Usage adds up what the session cost.
	Usage Usage

	// Approvals are the questions that wait; the first one is asked.
	Approvals []Approval
	// Panel is what is open above the prompt, nil for nothing.
	Panel Panel
	// Menu is what completes the word at the cursor.
	Menu Menu
	// Editor is the prompt as it was last seen.
	Editor Snapshot
	// Armed says that the next ctrl+c or ctrl+d quits.
	Armed bool

	options Options
	arming  string // the key that armed
	out     chain
	held    chain
	urgent  bool // held has more than notices
	answer  answer
	sent    []sent
	back    []sent // what goes back into the prompt
	pastes  pastes
	kept    []attachment
	recall  recall
	came    int       // approvals so far
	quiet   time.Time // of the last key that an approval let through
	typed   time.Time // of the last key that wrote a prompt
	// answering says that an approval was answered since then.
	answering bool
	meant     meant
	covered   bool // what the terminal shows is no picture of this
	paths     paths
	texts     fragments
	refs      []ref
	shots     []shot
	last      last
	asked     []asking
	told      bool // Mode is what the host said
	prompts   int
	title     string
}

// Turn is the running turn, or the last one.
type Turn struct {
	Busy bool
	// Started and Ended are times of Tick.
	Started, Ended time.Time
	// Asked is since when a question waits for the user, zero when none does;
	// Waited is how long some did before. That is not the turn's time.
	Asked  time.Time
	Waited time.Duration
	Step   int
	// Cancelling says that the user has cancelled it.
	Cancelling bool
}

// Thinking is the reasoning of a turn: how much in all, and its end.
type Thinking struct {
	Bytes int
	// Text is the end of it, within limits.
	Text string
	// Open says that it is shown whole.
	Open bool
}

// Tokens estimates the size of the reasoning.
func (t Thinking) Tokens() int { return (t.Bytes + 3) / 4 }

// Tool is a call without a result.
type Tool struct {
	ID, Name, Title string
	Phase           Phase
	Started         time.Time
	// Tail is the end of its live output, Lines how many lines it wrote.
	Tail  []string
	Lines int

	out window
}

// Phase is how far a call has come.
type Phase int

// The phases of a call.
const (
	Naming  Phase = iota // its arguments are still streaming
	Waiting              // its turn has not come, or it waits for an approval
	Running              // it is at work
)

// Agent is a subagent at work.
type Agent struct {
	// ID is that of the task call.
	ID, Kind, Title string
	Calls, Tokens   int
	// Doing is its last call in one line.
	Doing string
}

// Retry is a pause before the next attempt.
type Retry struct {
	Reason  string
	Attempt int
	// Until is when it ends; zero when that is not known.
	Until time.Time
}

// ShellRun is the user's own running command.
type ShellRun struct {
	Command string
	Keep    bool
	Started time.Time
	Tail    []string
	Lines   int

	out window
}

// Usage adds up the usage of a session.
type Usage struct {
	CostUSD float64
	// Priced says that at least one response had a price, Unpriced that at
	// least one had none.
	Priced, Unpriced     bool
	Input, Output, Cache int
	// Context is the size of the window after the last response, Window its
	// limit, Threshold the size at which the history is folded, all in tokens.
	Context, Window, Threshold int
}

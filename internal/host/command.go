package host

import "assent/internal/llm"

// Command is something that a front wants done.
//
//sumtype:decl
type Command interface{ command() }

// Submit is a prompt: it begins a turn, or waits in the queue while one runs.
type Submit struct {
	// Text is what the user typed, Expanded what the model shall see when that
	// differs.
	Text, Expanded string
	Images         []llm.Image
}

// Steer is a message for the running turn; it enters at the next step. When
// nothing runs it is a prompt. Its fields are those of Submit.
type Steer struct {
	Text, Expanded string
	Images         []llm.Image
}

// Promote makes the first queued prompt a steer.
type Promote struct{}

// Continue goes on with the calls that waited for the user when an earlier
// process ended: the gate decides them anew, and so asks again. It does nothing
// when there are none, or when a turn has begun.
type Continue struct{}

// Cancel ends the running turn and clears the queue.
type Cancel struct{}

// Interrupt ends one running command; the turn goes on. An empty CallID takes
// the command that began last.
type Interrupt struct{ CallID string }

// Decide answers a waiting approval.
type Decide struct {
	// ID is the approval's.
	ID string
	// Choice is once, session, project or deny.
	Choice string
	// Pattern replaces the shown pattern of session and project.
	Pattern string
	// Message tells the model why it was denied and what to do instead.
	Message string
	// Cancel ends the turn as well.
	Cancel bool
}

// Use changes what the next step works with; empty fields stay as they are.
type Use struct {
	Agent, Provider, Model string
	Level                  llm.Level
}

// Close ends the conversation: the running turn is cancelled, children are
// ended, the log is closed, and the events end.
type Close struct{}

func (Submit) command()    {}
func (Steer) command()     {}
func (Promote) command()   {}
func (Continue) command()  {}
func (Cancel) command()    {}
func (Interrupt) command() {}
func (Decide) command()    {}
func (Use) command()       {}
func (Close) command()     {}

package turn

import (
	"time"

	"assent/internal/llm"
)

// Order is something to be done.
//
//sumtype:decl
type Order interface{ order() }

// SaveUser saves the submitted message and appends it to the conversation. It
// must not fail.
type SaveUser struct{}

// SaveSteer saves a steering message; it is not part of the conversation yet.
// It must not fail.
type SaveSteer struct{ ID int }

// Enter appends a saved steering message to the conversation; it comes right
// before a request, or before the end of the turn.
type Enter struct{ ID int }

// Withdraw takes the newest saved steering messages back, which have not
// entered: the user cancelled the turn, and gets them back. When that cannot be
// saved they enter as they are.
type Withdraw struct{ IDs []int }

// Ask sends the conversation to the model; Said or Broke answers. Step counts
// the requests of the turn from 1, Try the attempts at this step from 1.
type Ask struct{ Step, Try int }

// SaveAssistant saves the response, or what arrived of it, and appends it to
// the conversation. It must not fail unless Best is set: then a failure is
// told and the orders go on. Void says that it broke off and that the model is
// asked for the whole of it again: it is no answer.
type SaveAssistant struct{ Best, Void bool }

// Void tells that what was streamed since the last Ask counts for nothing: the
// response broke off, and the next attempt takes its place.
type Void struct{}

// Permit asks for the decision on a call; Granted or Denied answers.
type Permit struct{ CallID string }

// SaveCall saves a call with its decision. It must not fail.
type SaveCall struct{ CallID string }

// Run runs a granted call; Finished answers.
type Run struct{ CallID string }

// Settle saves the result of a call and appends it to the conversation. Text
// is the result of a call that did not run; when it is empty, the result is
// what the tool or the decision said. It must not fail unless Best is set.
type Settle struct {
	CallID string
	Status llm.Status
	Text   string
	Best   bool
}

// Note appends a message of the program to the conversation.
type Note struct{ Text string }

// Wait tells of a failed request and waits before the next try; Waited
// answers.
type Wait struct {
	For    time.Duration
	Reason string
	// Try is the number of the attempt that failed.
	Try int
}

// Fold shortens what the model is sent; Folded answers. Tell says that the
// user is to hear of it.
type Fold struct {
	Reason string
	Tell   bool
}

// Rebuild sends the same conversation in a plainer form from now on; Rebuilt
// answers.
type Rebuild struct{ Form Form }

// Form says what a plainer form of the conversation leaves out.
type Form string

// Plainer forms.
const (
	// FormBare leaves out reasoning and all vendor data.
	FormBare Form = "bare"
	// FormBlind also replaces images by a line that names them.
	FormBlind Form = "blind"
)

// Notice tells the user something.
type Notice struct{ Text string }

// Fail tells the user what went wrong; an End follows.
type Fail struct {
	Kind      llm.Kind
	Message   string
	Retryable bool
}

// StopModel ends the running request, wait or fold; its answer still comes,
// except a Waited.
type StopModel struct{}

// StopTools ends every permit that is open and every call that runs; their
// answers still come.
type StopTools struct{}

// End ends the turn.
type End struct{ Reason Reason }

// Reason says how a turn ended, in the words of the done event.
type Reason string

// Reasons.
const (
	Stop      Reason = "stop"
	MaxSteps  Reason = "max_steps"
	MaxCost   Reason = "max_cost"
	Timeout   Reason = "timeout"
	Question  Reason = "question"
	Refusal   Reason = "refusal"
	Length    Reason = "length"
	Filter    Reason = "content_filter"
	Context   Reason = "context"
	Error     Reason = "error"
	Cancel    Reason = "cancelled"
	notEnding Reason = ""
)

func (SaveUser) order()      {}
func (SaveSteer) order()     {}
func (Enter) order()         {}
func (Withdraw) order()      {}
func (Ask) order()           {}
func (SaveAssistant) order() {}
func (Void) order()          {}
func (Permit) order()        {}
func (SaveCall) order()      {}
func (Run) order()           {}
func (Settle) order()        {}
func (Note) order()          {}
func (Wait) order()          {}
func (Fold) order()          {}
func (Rebuild) order()       {}
func (Notice) order()        {}
func (Fail) order()          {}
func (StopModel) order()     {}
func (StopTools) order()     {}
func (End) order()           {}

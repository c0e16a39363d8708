package turn

import (
	"time"

	"assent/internal/llm"
)

// Fact is something that happened.
//
//sumtype:decl
type Fact interface{ fact() }

// Submitted begins a turn: with a message of the user, or, when Calls is not
// empty, with calls that an earlier process left open.
type Submitted struct {
	Limits Limits
	// Size estimates the tokens of the conversation so far, the new message
	// included.
	Size int
	// Calls are the open calls of the last response in their order; those that
	// have ended by now have their Status.
	Calls []Call
	// Steers are messages that were saved while those calls were open.
	Steers []int
}

// Call is what the loop must know about a call.
type Call struct {
	ID string
	// Read says that the tool only reads, so that it may run beside its
	// neighbours that read too.
	Read bool
	// Invalid says why the call cannot run: an unknown tool, arguments that are
	// no JSON or break the tool's schema. It is the text for the model.
	Invalid string
	// Status is how the call ended already; empty while it has not (Submitted
	// only).
	Status llm.Status
}

// Steered is a message of the user for the running turn; ID names it.
type Steered struct {
	ID   int
	Size int
}

// Said is a complete response.
type Said struct {
	Stop llm.Stop
	// Text says that there is visible text, Keep that there is anything that
	// must go back to the model.
	Text, Keep bool
	Calls      []Call
	// Size is the tokens of the conversation after the response.
	Size int
	// Threshold is the size above which the history is folded, for the model
	// that answered; 0 means never.
	Threshold int
	// Detail is the vendor's word on a refusal.
	Detail string
}

// Broke tells that a request brought no complete response.
type Broke struct {
	Kind    llm.Kind
	Message string
	// Retryable says that the same request may succeed later, RetryAfter what
	// the server asked to wait.
	Retryable  bool
	RetryAfter time.Duration
	// Text says that visible text had arrived and can be kept, Told that
	// anything of the response was shown: text, reasoning, the start of a call.
	Text, Told bool
	// Refused says that the server rejected the request as it stands, so that
	// a plainer form of the same conversation may pass.
	Refused bool
}

// Waited tells that the time of a Wait is over.
type Waited struct{}

// Granted tells that a call may run.
type Granted struct{ CallID string }

// Denied tells that a call may not run. Cancel says that the user wants the
// whole turn to end, Failed that nobody refused it: it could not have worked.
type Denied struct {
	CallID string
	Cancel bool
	Failed bool
}

// Finished tells that a call ended. Waits says that its result comes later,
// from outside, and that the turn has to end until then.
type Finished struct {
	CallID string
	Status llm.Status
	// Size estimates the tokens of its output.
	Size  int
	Waits bool
}

// Folded answers a Fold: Size is the conversation's size afterwards. OK is
// false when nothing could be folded; Message says why.
type Folded struct {
	OK      bool
	Size    int
	Message string
	// Least says that it failed because there is nothing to leave out.
	Least bool
}

// Rebuilt answers a Rebuild. Changed is false when there was nothing to leave
// out.
type Rebuilt struct{ Changed bool }

// Spent adds to the cost of the turn, in millionths of a US dollar.
type Spent struct{ Micros int64 }

// Cancelled asks to end the turn at once.
type Cancelled struct{}

// TimedOut tells that the turn's wall time is over.
type TimedOut struct{}

// SaveFailed tells that a save which must not fail did fail: the order at
// index At of the last Step. The orders after it were not carried out. It must
// be the next fact after that Step, else it is ignored.
type SaveFailed struct {
	At      int
	Message string
}

func (Submitted) fact()  {}
func (Steered) fact()    {}
func (Said) fact()       {}
func (Broke) fact()      {}
func (Waited) fact()     {}
func (Granted) fact()    {}
func (Denied) fact()     {}
func (Finished) fact()   {}
func (Folded) fact()     {}
func (Rebuilt) fact()    {}
func (Spent) fact()      {}
func (Cancelled) fact()  {}
func (TimedOut) fact()   {}
func (SaveFailed) fact() {}

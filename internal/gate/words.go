package gate

import (
	"context"
	"encoding/json"

	"assent/internal/policy"
)

// Request is one call that wants to have an effect.
type Request struct {
	// ID is the call's id; live output and interrupts go by it.
	ID string
	// Tool is the tool's name, the first half of every rule.
	Tool   string
	Effect policy.Effect
	// Input is the call's canonical input (see Canonical). A grant is bound to
	// it byte for byte.
	Input json.RawMessage
	// Plan is everything that the call would touch.
	Plan policy.Plan
	// Title is the load-bearing argument in one line, Detail the call written
	// out; both are for people only.
	Title, Detail string
	// Subagent names the subagent that asks, for people; it is empty for the
	// main agent.
	Subagent string
	// Conversation tells apart whose memory of files and of repeated calls
	// counts. Empty takes Subagent, so the main agent has its own.
	Conversation string
	// Turn is the turn's number, for the log of who asked when.
	Turn int
	// Emit is told the call's live output; nil lets it go.
	Emit func(chunk string)
	// Replan makes the request anew for an input that a hook rewrote. It must
	// check the input as the model's was. Nil means that this call's input
	// cannot be rewritten, and a hook that tries is taken to have failed.
	Replan func(input json.RawMessage) (Request, error)
}

// conversation is the key of per-conversation memory.
func (r Request) conversation() string {
	if r.Conversation != "" {
		return r.Conversation
	}
	return r.Subagent
}

// Prompt is the question put to the user.
type Prompt struct {
	Request Request
	// Decision is why it asks; its subjects carry the rules that matched.
	Decision policy.Decision
	// Pattern is what "always" would allow, editable by the user: a pattern of
	// the call's tool, or several rules as tool(pattern) joined by "; ". Empty
	// means that always is not offered.
	Pattern string
	// Exact says that the request's Detail is a diff of the file as it is, so
	// that its line numbers are true.
	Exact bool
	// Offer are the rules that Pattern stands for.
	Offer []policy.Rule
	// Check says which rules a pattern would add in answer to this question,
	// or why it cannot. It may be called at any time, from any goroutine.
	Check func(pattern string) ([]policy.Rule, error)
}

// Choice is what the user chose.
type Choice string

// Choices. The zero value denies.
const (
	Deny    Choice = "deny"
	Once    Choice = "once"
	Session Choice = "session" // always, until the program ends
	Project Choice = "project" // always, in this project
)

// Answer is the user's answer to a Prompt.
type Answer struct {
	Choice Choice
	// Pattern is the pattern to remember for Session and Project; empty takes
	// the one that was shown.
	Pattern string
	// Message goes to the model with a denial.
	Message string
	// Cancel denies and asks for the whole turn to be cancelled (esc).
	Cancel bool
	// Fails is set by an asker that asked nobody, since the call is certain to
	// fail: the error for the model.
	Fails string
}

// Asker puts a prompt before the user and waits. It is called from the
// goroutine of the call, possibly several at once, and returns when the user
// answered or ctx ended; an error counts as a denial.
type Asker interface {
	Approve(ctx context.Context, p Prompt) (Answer, error)
}

// HookVerdict is what the pre-tool hooks say of a call.
type HookVerdict struct {
	// Deny refuses the call and Ask makes it ask, whatever the rules say.
	// Allow skips the prompt of a call that would ask; it lifts nothing else.
	// Deny wins over Ask, Ask over Allow.
	Deny, Ask, Allow bool
	// Reason is for the model and the user.
	Reason string
	// Input replaces the call's input when it is not empty; the call is then
	// planned and guarded again.
	Input json.RawMessage
}

// Hooks are the user's commands that run before a call. An error makes the
// call ask, and headless refuse: a hook that cannot speak has not agreed.
type Hooks interface {
	PreTool(ctx context.Context, r Request) (HookVerdict, error)
}

// Mode narrows what an agent may do, whatever the rules say.
type Mode = policy.Mode

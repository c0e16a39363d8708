package session

// The policies of records. What the user said is on the disk before a provider
// hears it, a decision before its tool runs, a question before it is shown; a
// sync covers every earlier record too, so the rest follows with the next.
type (
	kept    struct{} // required
	synced  struct{} // required, and on the disk itself when Append returns
	loose   struct{} // best effort: a number, a name, a notice
	closing struct{} // best effort, but the end of a turn brings all to the disk
)

func (kept) Required() bool    { return true }
func (synced) Required() bool  { return true }
func (loose) Required() bool   { return false }
func (closing) Required() bool { return false }

func (kept) Synced() bool    { return false }
func (synced) Synced() bool  { return true }
func (loose) Synced() bool   { return false }
func (closing) Synced() bool { return true }

func (kept) record()    {}
func (synced) record()  {}
func (loose) record()   {}
func (closing) record() {}

// Type is "session".
func (Header) Type() string { return "session" }

// Type is "user".
func (User) Type() string { return "user" }

// Type is "steer".
func (Steer) Type() string { return "steer" }

// Type is "withdrawn".
func (Withdrawn) Type() string { return "withdrawn" }

// Type is "assistant".
func (Assistant) Type() string { return "assistant" }

// Type is "call".
func (Call) Type() string { return "call" }

// Type is "result".
func (Result) Type() string { return "result" }

// Type is "ask".
func (Ask) Type() string { return "ask" }

// Type is "ask_dismissed".
func (AskDismissed) Type() string { return "ask_dismissed" }

// Type is "summary".
func (Summary) Type() string { return "summary" }

// Type is "todo".
func (Todo) Type() string { return "todo" }

// Type is "agent".
func (Agent) Type() string { return "agent" }

// Type is "model".
func (Model) Type() string { return "model" }

// Type is "undo".
func (Undo) Type() string { return "undo" }

// Type is "label".
func (Label) Type() string { return "label" }

// Type is "usage".
func (Usage) Type() string { return "usage" }

// Type is "timing".
func (Timing) Type() string { return "timing" }

// Type is "title".
func (Title) Type() string { return "title" }

// Type is "notice".
func (Notice) Type() string { return "notice" }

// Type is the word that the file has.
func (u Unknown) Type() string { return u.Word }

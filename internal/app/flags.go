package app

import "time"

// Flags are what the command line says, in its own words.
type Flags struct {
	Print    bool
	Output   string
	Continue bool
	Resume   string
	Fork     bool
	// Plain prints and reads lines only, for screen readers.
	Plain    bool
	Agent    string
	Think    string
	Model    string
	Provider string
	BaseURL  string
	Yolo     bool
	Allow    []string
	Deny     []string
	// DeferQuestions persists a question and stops instead of withholding the
	// ask tool.
	DeferQuestions bool
	MaxSteps       int
	MaxCost        float64
	Timeout        time.Duration
	Dir            string
	AddDir         []string

	NoMCP, NoSubagents, NoInstructions, NoSkills, NoPlugins, NoMemory, NoHooks bool

	// demo says that the bundled script is played.
	demo bool
	// own says that the session goes on with its own provider and model: the
	// flags of this run were for the session that it began with.
	own bool
	// heir is taken over from a conversation that the user left for this one.
	heir heir
	// opened is told of the conversation; nil is not.
	opened func(*conversation)
}

// resumes says that a session goes on, or a copy of one.
func (f Flags) resumes() bool { return f.Continue || f.Resume != "" }

// UsageError is an error of usage or configuration: nothing was sent, and the
// exit code is 2.
type UsageError struct{ Err error }

// Error returns the cause's text.
func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *UsageError) Unwrap() error { return e.Err }

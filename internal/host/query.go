package host

import (
	"context"
	"fmt"
	"time"

	"assent/internal/event"
	"assent/internal/llm"
)

// Query asks for what only a front needs and no event tells. Each says which
// Answer it gets.
//
//sumtype:decl
type Query interface{ query() }

// Answer is the answer to a Query.
//
//sumtype:decl
type Answer interface{ answer() }

// Paths asks for the files and folders of the workspace that ignore rules
// leave in, for the path picker. The answer is a PathList. The first one may
// take a while; it is never asked before the user opens the picker.
type Paths struct{}

// PathList holds slash-separated paths relative to the root, newest first;
// folders end in "/". Partial says that a limit cut the list.
type PathList struct {
	Paths   []string
	Partial bool
}

// Expand asks for the content that a "#" word or an "@" path stands for:
// "#diff", "#staged", "#tree", "#file:path:10-40", "#name", "@path". The
// answer is an Expansion.
type Expand struct{ Word string }

// Picture asks for the image at a path that the user pasted or dropped; it may
// lie anywhere, "~/" is the home folder. The answer is an Expansion, which is
// not OK when there is no such image.
type Picture struct{ Path string }

// Expansion is what a word stands for; OK is false for a word that means
// nothing, which then stays text. Label is one line for people; Images go with
// the text.
type Expansion struct {
	OK          bool
	Label, Text string
	Images      []llm.Image
}

// Fragments asks for the texts that the user and the project keep for "#name".
// The answer is a FragmentList.
type Fragments struct{}

// FragmentList lists texts by name, the project's before the user's.
type FragmentList struct{ Fragments []Fragment }

// Fragment is a text that "#name" stands for. About says in a line what it is,
// From whose it is: project or user.
type Fragment struct{ Name, About, From string }

// History asks for the prompts of this project, oldest first. The answer is a
// PromptList.
type History struct{}

// PromptList is a list of earlier prompts.
type PromptList struct{ Prompts []string }

// Models asks what the endpoint of a provider reports, the current one's when
// empty. BaseURL and Key, where they are set, are tried in the place of what is
// configured, and nothing of them is stored. Setup says that a dialog asks which
// takes another key: it need not be said how one is stored. The answer is a
// ModelList.
type Models struct {
	Provider, BaseURL, Key string
	Setup                  bool
}

// ModelList lists models.
type ModelList struct{ Models []Model }

// Model is a model that may be used.
type Model struct {
	Provider, ID string
	// Window is in tokens, 0 when it is not known.
	Window int
}

// Providers asks for the provider presets and what was found of each. The
// answer is a ProviderList.
type Providers struct{}

// ProviderList lists provider presets.
type ProviderList struct{ Providers []Provider }

// Provider is a preset as the set-up shows it. KeyFrom names where a key was
// found, Running says that a local server answers.
type Provider struct {
	Name, BaseURL, KeyEnv, KeyFrom string
	NeedsURL, Keyless, Running     bool
}

// Sessions asks for the sessions of this directory, newest first. The answer
// is a SessionList.
type Sessions struct{}

// SessionList lists sessions.
type SessionList struct{ Sessions []SessionInfo }

// SessionInfo is one line of a SessionList.
type SessionInfo struct {
	ID, Title string
	Updated   time.Time
	Turns     int
}

// Report asks for a text that a command shows: context, cost, tools,
// permissions, config, doctor, diff, session (how to resume), header (what holds in it, a
// fact a line). The answer is a Page.
type Report struct{ Name string }

// Page is a text in Markdown.
type Page struct{ Title, Markdown string }

// Earlier asks for what was said before this run. The answer is a Replay.
type Earlier struct{}

// Replay is the end of an earlier conversation, as the events that told it.
type Replay struct {
	// Events are those of the newest exchanges. Of what is long only the
	// beginning is there; Cut says that something is.
	Events []event.Event
	Cut    bool
	// Left is how many exchanges came before them.
	Left int
	// Title is the first line of the first prompt, Prompts how many there were.
	Title   string
	Prompts int
}

// Export asks to write the session to a file; the format is by its ending. An
// empty name takes one. The answer is a Page that names the file.
type Export struct{ File string }

// Configure asks to set a field of the user's config file, comments kept. The
// answer is a Page.
type Configure struct{ Field, Value string }

// Remember asks to add a prompt to the history; the answer is an empty
// PromptList.
type Remember struct{ Prompt string }

// Always asks which rules a pattern would add in answer to the approval ID, as
// Decide takes it. The answer is a RuleList; the error says why it would add
// none.
type Always struct{ ID, Pattern string }

// RuleList lists rules, each whole as tool(pattern).
type RuleList struct{ Rules []string }

func (Paths) query()     {}
func (Expand) query()    {}
func (Picture) query()   {}
func (Fragments) query() {}
func (History) query()   {}
func (Models) query()    {}
func (Providers) query() {}
func (Sessions) query()  {}
func (Report) query()    {}
func (Earlier) query()   {}
func (Export) query()    {}
func (Configure) query() {}
func (Remember) query()  {}
func (Always) query()    {}

func (PathList) answer()     {}
func (Expansion) answer()    {}
func (FragmentList) answer() {}
func (PromptList) answer()   {}
func (ModelList) answer()    {}
func (ProviderList) answer() {}
func (SessionList) answer()  {}
func (Page) answer()         {}
func (Replay) answer()       {}
func (RuleList) answer()     {}

// Ask answers a query. It may take a while and never touches the running
// turn; fronts call it beside their drawing. Close ends it.
func (h *Host) Ask(ctx context.Context, q Query) (Answer, error) {
	ctx, leave, err := h.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	if q, ok := q.(Always); ok && h.o.Approvals != nil {
		return h.o.Approvals.always(q)
	}
	if h.o.Ask == nil {
		return nil, fmt.Errorf("nobody here answers %T", q)
	}
	return h.o.Ask(ctx, q)
}

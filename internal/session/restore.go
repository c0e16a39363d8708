package session

import (
	"assent/internal/event"
	"assent/internal/llm"
)

// State is what a branch restores beside its items. Empty fields were never
// set.
type State struct {
	Agent string
	Model Model
	Todos []event.Todo
	Title string
	// Turns counts the prompts.
	Turns int
	// Usage is the sum of the branch and CostUSD its price, nil when nothing
	// was priced. Context is the newest response's window use in tokens.
	Usage   llm.Usage
	CostUSD *float64
	Context int
}

// Restore reads the state at the end of a branch.
func Restore(b Branch) State {
	var s State
	for _, e := range b.Entries {
		switch r := e.Record.(type) {
		case User:
			s.Turns++
			if s.Title == "" {
				s.Title = firstLine(r.Text)
			}
		case Agent:
			s.Agent = r.Agent
		case Model:
			s.Model = r
		case Todo:
			s.Todos = r.Todos
		case Title:
			s.Title = r.Title
		case Usage:
			s.spend(r)
		case Header, Steer, Withdrawn, Assistant, Call, Result, Ask, AskDismissed, Summary, Undo, Label, Timing, Notice, Unknown:
		}
	}
	return s
}

func (s *State) spend(r Usage) {
	u := llm.Usage{Input: r.Input, Output: r.Output, CacheRead: r.CacheRead, CacheWrite: r.CacheWrite, Reasoning: r.Reasoning}
	s.Usage = s.Usage.Add(u)
	if r.Subagent == "" && r.Purpose == "" {
		s.Context = u.Total()
	}
	if r.CostUSD != nil {
		sum := *r.CostUSD
		if s.CostUSD != nil {
			sum += *s.CostUSD
		}
		s.CostUSD = &sum
	}
}

// OpenAsk finds the newest form of a branch that a call opened and that was
// neither answered nor dismissed.
func OpenAsk(b Branch) (Ask, bool) {
	closed := map[string]bool{}
	for i := len(b.Entries) - 1; i >= 0; i-- {
		switch r := b.Entries[i].Record.(type) {
		case Result:
			closed[r.CallID] = true
		case AskDismissed:
			closed[r.CallID] = true
		case Ask:
			if r.CallID != "" && !closed[r.CallID] {
				return r, true
			}
		default:
		}
	}
	return Ask{}, false
}

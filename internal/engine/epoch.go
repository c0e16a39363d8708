package engine

import (
	"bytes"
	"reflect"
	"slices"

	"assent/internal/compact"
	"assent/internal/llm"
	"assent/internal/session"
)

// sent is what the last request was made of. A request that differs in any of
// it begins a new epoch.
type sent struct {
	begun         bool
	epoch         int
	reason        string // why the current epoch began, or the next one must
	stale         bool   // the next request begins a new epoch
	provider      string
	model, system string
	level         llm.Level
	tools         []llm.Spec
	client        Model
	ids           map[string]bool // call ids of the conversation
	fixed         int             // estimated tokens of system text and tools
	rate          float64         // estimated tokens for one that was counted; 0 while unknown
}

// request makes the next request: it extends the last one, or it begins a new
// epoch and says why.
func (r *run) request(in StepInput) llm.Request {
	s := &r.e.sent
	tools := in.Tools.Specs()
	if why := s.differs(in, tools); why != "" {
		s.epoch++
		s.reason = why
		if s.begun || why == "resume" {
			r.saveBest(session.Notice{Text: "The conversation is sent anew: " + why + "."})
		}
	}
	s.begun, s.stale = true, false
	s.provider, s.model, s.system, s.level, s.tools, s.client = in.Provider, in.Name, in.System, in.Level, tools, in.Model
	s.measure(in)
	r.note(in.Notes)
	items := r.e.Items()
	return llm.Request{
		Model: in.Name, System: in.System, Tools: tools, Items: items, Level: in.Level,
		MaxOutput: in.MaxOutput, Session: r.e.o.Session, Epoch: s.epoch, Reason: s.reason,
	}
}

// differs says why a request cannot extend the last one; empty when it can.
func (s *sent) differs(in StepInput, tools []llm.Spec) string {
	switch {
	case !s.begun && s.reason != "":
		return s.reason
	case !s.begun:
		return "start"
	case s.stale:
		return s.reason
	case s.provider != in.Provider:
		return "another provider"
	case s.model != in.Name || !sameModel(s.client, in.Model):
		return "another model"
	case s.level != in.Level:
		return "another thinking level"
	case s.system != in.System:
		return "the system text changed"
	case !slices.EqualFunc(s.tools, tools, sameSpec):
		return "the tools changed"
	}
	return ""
}

// measure estimates what every request carries beside the conversation.
func (s *sent) measure(in StepInput) {
	s.fixed = compact.Text(in.System)
	for _, t := range in.Tools.Specs() {
		s.fixed += compact.Text(t.Name) + compact.Text(t.Description) + compact.Text(string(t.Schema)) + 8
	}
}

// weigh compares an estimate with what the provider counted.
func (s *sent) weigh(estimate, counted int) {
	if estimate > 0 && counted > 0 {
		s.rate = min(max(float64(estimate)/float64(counted), 0.25), 4)
	}
}

// scale is the estimate's tokens for one that is counted.
func (s *sent) scale() float64 {
	if s.rate == 0 {
		return 1
	}
	return s.rate
}

// sameModel reports whether two clients are one. Clients that cannot be
// compared are told apart by nothing but the other fields.
func sameModel(a, b Model) bool {
	t := reflect.TypeOf(a)
	return t == reflect.TypeOf(b) && (t == nil || !t.Comparable() || a == b)
}

func sameSpec(a, b llm.Spec) bool {
	return a.Name == b.Name && a.Description == b.Description && bytes.Equal(a.Schema, b.Schema)
}

// note appends the state that changed since it was last told.
func (r *run) note(notes []Note) {
	for _, n := range notes {
		if n.Text == "" || r.e.noted[n.Topic] == n.Text {
			continue
		}
		r.e.noted[n.Topic] = n.Text
		r.append(llm.Note{Text: n.Text})
	}
}

// renew replaces the conversation as the model sees it; the next request
// begins a new epoch.
func (e *Engine) renew(items []llm.Item, why string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.items, e.lastCalls = items, lastCalls{}
	e.sent.stale, e.sent.reason = true, why
}

package screen

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"assent/internal/event"
)

// thoughtLimit is how much of the end of the reasoning is kept, in bytes.
const thoughtLimit = 32 << 10

// taskLimit is the longest task list that is kept.
const taskLimit = 200

// New is the state before anything has happened.
func New(o Options) State {
	return State{options: o, Now: o.Now, Width: 80, Height: 24, Editor: Snapshot{Top: true, Bottom: true}}
}

// Resize tells the size of the terminal in cells.
func Resize(s State, width, height int) State {
	width, height = max(width, 1), max(height, 1)
	if width == s.Width && height == s.Height {
		return s
	}
	small := s.Small()
	s.Width, s.Height = width, height
	if small && !s.Small() {
		s = s.renewed(s.Now)
	}
	return s.refitted()
}

// Tick tells the time. The glue calls it before each batch of events and while
// Ticking reports that something counts.
func Tick(s State, now time.Time) State {
	s.Now = now
	return s
}

// Apply takes an event in.
func Apply(s State, e event.Event) State {
	switch e := e.(type) {
	case event.Session:
		return s.opening(e)
	case event.State:
		return s.moded(e)
	case event.Prompt:
		return s.prompted(e)
	case event.Queue:
		s.Queue = e.Prompts
	case event.Step:
		return s.step(e)
	case event.Text:
		return s.text(e)
	case event.Reasoning:
		return s.thought(e)
	case event.Todos:
		s.Tasks = e.Todos[:min(len(e.Todos), taskLimit):min(len(e.Todos), taskLimit)]
	case event.Usage:
		s.Usage = s.Usage.add(e, true)
	case event.Retry:
		return s.retrying(e)
	case event.Void:
		return s.voided()
	case event.Compacted:
		s.Usage.Context = e.TokensAfter
		return s.emit(Compaction{e})
	case event.Notice:
		return s.interject(Notice{clipHead(e.Text, noticeLimit)})
	case event.Error:
		return s.emit(Failure{Message: clipHead(e.Message, noticeLimit), Kind: e.Kind, Retryable: e.Retryable})
	case event.Done:
		return s.done(e)
	case event.Approval:
		return s.opened(e)
	case event.ApprovalDone:
		return s.closed(e.ID, s.Now)
	case event.Subagent:
		return s.nested(e)
	default:
		return s.applyTool(e)
	}
	return s
}

// noticeLimit is the longest notice or error in bytes.
const noticeLimit = 64 << 10

// opening begins a conversation.
func (s State) opening(e event.Session) State {
	if s.Session == e {
		return s
	}
	s.Session = e
	if s.Mode.Model == "" {
		s.Mode.Agent, s.Mode.Provider, s.Mode.Model = e.Agent, e.Provider, e.Model
	}
	return s.emit(Banner{Version: s.options.Version, Session: e, Mode: s.Mode, Facts: s.options.Facts})
}

// moded takes in who works how. The status tells a change; where there is none
// a line does.
func (s State) moded(e event.State) State {
	was, first := s.Mode, !s.told
	s.Mode, s.told = e, true
	if first || !s.options.Lines {
		return s
	}
	var parts []string
	for _, p := range []struct{ what, was, is string }{
		{"agent", was.Agent, e.Agent},
		{"provider", was.Provider, e.Provider},
		{"model", was.Model, e.Model},
		{"thinking", string(was.Level), string(e.Level)},
	} {
		if p.is != p.was && p.was+p.is != "" {
			parts = append(parts, p.what+" "+cmp.Or(p.is, "none"))
		}
	}
	if len(parts) == 0 {
		return s
	}
	return s.interject(Notice{"From now on: " + strings.Join(parts, ", ")})
}

// prompted takes in that a message of the user's entered the conversation.
func (s State) prompted(e event.Prompt) State {
	shown := collapse(e.Text)
	if i := s.arrived(e.Text); i >= 0 {
		shown = s.sent[i].shown
		s.sent = slices.Delete(slices.Clone(s.sent), i, i+1)
	}
	s = s.emit(User{Text: e.Text, Shown: shown, Steer: e.Steer})
	s.prompts++
	if s.title == "" {
		s.title = firstLine(e.Text, titleLimit)
	}
	if e.Steer && s.Turn.Busy {
		return s
	}
	s.Turn = Turn{Busy: true, Started: s.Now}
	s.Thinking = Thinking{Open: s.Thinking.Open}
	s.Retry, s.Armed = Retry{}, false
	s.answer.again = true
	return s.timed(s.Now)
}

// begun takes in that a turn runs which no prompt began: it goes on with what
// an earlier run left open.
func (s State) begun() State {
	if !s.Turn.Busy {
		s.Turn = Turn{Busy: true, Started: s.Now}
		s.answer.again = true
	}
	return s.timed(s.Now)
}

// titleLimit is the longest title in bytes.
const titleLimit = 120

func (s State) step(e event.Step) State {
	s = s.flush().dropNaming()
	s.Turn.Step = e.Number
	s.Retry = Retry{}
	s.answer.again = true
	return s
}

func (s State) text(e event.Text) State {
	if e.Text == "" {
		return s
	}
	s.Retry = Retry{}
	return s.said(e.Text)
}

func (s State) thought(e event.Reasoning) State {
	if e.Text == "" {
		return s
	}
	s = s.flush()
	s.Retry = Retry{}
	s.Thinking.Bytes += len(e.Text)
	s.Thinking.Text = clipTail(s.Thinking.Text+clipTail(e.Text, thoughtLimit), thoughtLimit)
	return s
}

func (s State) retrying(e event.Retry) State {
	s = s.flush().dropNaming()
	s.Retry = Retry{Reason: clipHead(e.Reason, noticeLimit), Attempt: e.Attempt}
	if s.Retry.Reason == "" {
		s.Retry.Reason = "the request failed"
	}
	if e.Wait > 0 {
		s.Retry.Until = s.Now.Add(e.Wait)
	}
	return s
}

// voided takes in that the response so far is none: what is printed of it is
// marked, and /copy gives what comes after.
func (s State) voided() State {
	s = s.flush().dropNaming()
	if !s.answer.again {
		s = s.emit(Notice{"This answer broke off and counts for nothing; the model is asked for all of it again."})
	}
	s.answer.again = true
	return s
}

// done ends the turn: everything that was open is closed.
func (s State) done(e event.Done) State {
	s = s.flush().dropNaming().abandon().unsent()
	if e.Reason == "cancelled" {
		s = s.comeBack()
	}
	s.Turn = s.Turn.ended(s.Now)
	s.Thinking = Thinking{Open: s.Thinking.Open}
	s.Retry, s.Agents = Retry{}, nil
	front := s.Front()
	s.Approvals = slices.DeleteFunc(slices.Clone(s.Approvals), func(a Approval) bool { return a.Subagent == "" })
	if s.Front() != front {
		s = s.renewed(s.Now)
	}
	return s.emit(Ended{
		Reason: e.Reason, Steps: e.Steps, CostUSD: e.Usage.CostUSD, Elapsed: time.Duration(e.DurationMS) * time.Millisecond,
	})
}

// Left closes what is open, for nothing more is heard of it: the answer so far
// is finished, and what ran is cancelled with its turn. So is a call that waits
// for the user: it was not run.
//
// Prompts that still waited are printed: they are in no record.
func Left(s State) State {
	steering := s.steering()
	for i, p := range s.sent {
		if !p.released || slices.Contains(s.Queue, p.text) || slices.Contains(steering, i) {
			s = s.unprompted(p.text)
		}
	}
	if !s.Turn.Busy {
		return s.flush()
	}
	s.Tools = slices.DeleteFunc(slices.Clone(s.Tools), func(t Tool) bool { return t.Phase != Running })
	s = s.flush()
	for _, a := range s.inOrder() {
		s = s.emit(Notice{"Not run: " + a.Name + " " + firstLine(a.Title, titleLimit)})
	}
	return s.done(event.Done{Reason: "cancelled", Steps: s.Turn.Step, DurationMS: s.Turn.elapsed(s.Now).Milliseconds()})
}

// add adds the usage of a response; the window is that of the main agent.
func (u Usage) add(e event.Usage, main bool) Usage {
	u.Input, u.Output, u.Cache = u.Input+e.InputTokens, u.Output+e.OutputTokens, u.Cache+e.CachedTokens
	if e.CostUSD != nil {
		u.CostUSD, u.Priced = u.CostUSD+*e.CostUSD, true
	} else {
		u.Unpriced = true
	}
	if main && e.Context > 0 {
		u.Context = e.Context
	}
	if main && e.Window > 0 {
		u.Window, u.Threshold = e.Window, e.Threshold
	}
	return u
}

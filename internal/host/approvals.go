package host

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/policy"
)

// Approvals puts the gate's questions before the fronts and brings the answers
// back. Several may wait at once, from the main agent and from subagents. It
// is a gate.Asker.
type Approvals struct {
	tell func(event.Event)
	mask func(string) string
	keep func(text string) (file string, err error)

	mu sync.Mutex
	// waiting are the questions that fronts were told of; nil stands for one
	// that was answered or has ended. None is forgotten: an answer that comes
	// too late must not reach a later call with the same id.
	waiting map[string]*question
	made    int
	// asked is how many questions stand open, since when the first of them does,
	// and waited how long some did before.
	asked  int
	since  time.Time
	waited time.Duration
}

// question is one that waits: where its answer goes, and what its patterns
// stand for.
type question struct {
	answers chan gate.Answer
	check   func(pattern string) ([]policy.Rule, error)
	// cut says that the call was not shown whole: it is allowed once at most.
	cut bool
}

// NewApprovals returns the asker of a conversation. mask hides secrets in what
// the fronts are shown; nil hides nothing. keep stores a call that is too long to
// be shown and returns the file in which it can be read; nil stores none.
func NewApprovals(tell func(event.Event), mask func(string) string, keep func(text string) (file string, err error)) *Approvals {
	if mask == nil {
		mask = func(s string) string { return s }
	}
	return &Approvals{tell: tell, mask: mask, keep: keep, waiting: map[string]*question{}}
}

// Approve asks and waits for the answer or for the end of ctx, whose error it
// then returns. An answer that decide took counts, also when ctx ends in the
// same moment.
func (a *Approvals) Approve(ctx context.Context, p gate.Prompt) (gate.Answer, error) {
	answers := make(chan gate.Answer, 1)
	defer a.count()()
	told := a.approval(p.Request.ID, p)
	id := a.open(p.Request.ID, &question{answers, p.Check, told.Hidden != ""})
	told.ID = id
	a.tell(told)
	var answer gate.Answer
	var err error
	select {
	case answer = <-answers:
	case <-ctx.Done():
		answer, err = a.end(id, answers, context.Cause(ctx))
	}
	a.tell(event.ApprovalDone{ID: id, Choice: string(answer.Choice)})
	return answer, err
}

// count has the time that a question stands open count as the user's, until the
// returned function is called.
func (a *Approvals) count() func() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.asked++; a.asked == 1 {
		a.since = time.Now()
	}
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.asked--; a.asked == 0 {
			a.waited += time.Since(a.since)
		}
	}
}

// Waited is how long the user was waited for so far: the time in which a
// question stood open, several at once counted once. Without Approvals it is 0.
func (a *Approvals) Waited() time.Duration {
	if a == nil {
		return 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.asked > 0 {
		return a.waited + time.Since(a.since)
	}
	return a.waited
}

// end takes a question back, for why; no answer is taken afterwards. One that
// was taken before is what it returns, without an error: of two things that
// are ready select picks either.
func (a *Approvals) end(id string, answers chan gate.Answer, why error) (gate.Answer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.waiting[id] = nil
	select {
	case answer := <-answers:
		return answer, nil
	default:
	}
	if errors.Is(why, gate.ErrCovered) {
		return gate.Answer{Choice: gate.Session}, why
	}
	return gate.Answer{Choice: gate.Deny}, why
}

// open names the question; calls may share an id, those of
// different agents and those of one.
func (a *Approvals) open(id string, q *question) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, taken := a.waiting[id]; taken || id == "" {
		a.made++
		id = fmt.Sprintf("%s#%d", id, a.made)
	}
	a.waiting[id] = q
	return id
}

// decide answers a waiting approval. A second answer finds nothing.
func (a *Approvals) decide(d Decide) error {
	answer := gate.Answer{Choice: gate.Choice(d.Choice), Pattern: d.Pattern, Message: d.Message, Cancel: d.Cancel}
	switch answer.Choice {
	case gate.Once, gate.Session, gate.Project, gate.Deny:
	default:
		return fmt.Errorf("answer an approval: unknown choice %q (valid: once, session, project, deny)", d.Choice)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	q := a.waiting[d.ID]
	if q == nil {
		return fmt.Errorf("answer the approval %q: %w", d.ID, ErrNothing)
	}
	if q.cut && (answer.Choice == gate.Session || answer.Choice == gate.Project) {
		return fmt.Errorf("answer the approval %q: the change is not shown whole, so it can be allowed once only", d.ID)
	}
	a.waiting[d.ID] = nil
	q.answers <- answer
	return nil
}

// always says which rules a pattern stands for in answer to a question.
func (a *Approvals) always(q Always) (Answer, error) {
	a.mu.Lock()
	open := a.waiting[q.ID]
	a.mu.Unlock()
	if open == nil || open.check == nil {
		return nil, fmt.Errorf("check a pattern for the approval %q: %w", q.ID, ErrNothing)
	}
	if open.cut {
		return nil, fmt.Errorf("check a pattern for the approval %q: the change is not shown whole, so it can be allowed once only", q.ID)
	}
	rules, err := open.check(q.Pattern)
	if err != nil {
		return nil, err
	}
	return RuleList{texts(rules)}, nil
}

func texts(rules []policy.Rule) (list []string) {
	for _, r := range rules {
		list = append(list, r.String())
	}
	return list
}

// approval is the question as a front is told it. The pattern stays as it is:
// it is what would be granted.
func (a *Approvals) approval(id string, p gate.Prompt) event.Approval {
	e := event.Approval{
		ID: id, Name: p.Request.Tool, Title: a.mask(p.Request.Title), Detail: a.mask(p.Request.Detail),
		Reason: a.mask(p.Decision.Reason), Pattern: p.Pattern, Exact: p.Exact, Subagent: p.Request.Subagent,
	}
	if p.Request.Effect == policy.Write {
		whole := e.Detail
		var left string
		if e.Detail, left = readable(whole); left != "" {
			e.Hidden = left + " not shown; " + a.elsewhere(whole)
		}
	}
	if e.Hidden == "" {
		e.Rules = texts(p.Offer)
	} else {
		e.Pattern = "" // nobody allows for good what was not shown whole
	}
	for _, s := range p.Decision.Subjects {
		shown := subject(s)
		shown.Text, shown.Reason = a.mask(shown.Text), a.mask(shown.Reason)
		e.Subjects = append(e.Subjects, shown)
	}
	return e
}

// elsewhere says where a call that is not shown whole can be read.
func (a *Approvals) elsewhere(whole string) string {
	if a.keep != nil {
		file, err := a.keep(whole)
		if err == nil {
			return "read all of it before you allow it: " + file
		}
		return "it could not be stored to be read either (" + a.mask(err.Error()) + "): deny it, or ask for smaller changes"
	}
	return "deny it, or ask for smaller changes"
}

func subject(j policy.Judged) event.Subject {
	return event.Subject{
		Text: strings.TrimSpace(j.Subject.Text), Kind: string(j.Subject.Kind), Decision: string(j.Verdict),
		Pattern: j.Pattern, Source: j.Source, Reason: j.Reason,
	}
}

package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"assent/internal/event"
	"assent/internal/llm"
	"assent/internal/redact"
	"assent/internal/session"
	"assent/internal/turn"
	"assent/internal/wireview"
)

// response is what came of the last request.
type response struct {
	item llm.Assistant
	// mismatch is set when the request did not extend the one before it.
	mismatch bool
}

// ask sends the conversation to the model.
func (r *run) ask(o turn.Ask) {
	if o.Try == 1 {
		r.tell(event.Step{Number: o.Step})
	}
	if r.ctx.Err() != nil { // the cancel is the next fact
		r.post(turn.Broke{Kind: llm.KindInternal, Message: "the turn was cancelled"})
		return
	}
	if !r.stepped {
		r.step, r.stepErr = r.e.o.Step(r.ctx)
	}
	r.stepped = false
	if r.stepErr != nil {
		r.post(turn.Broke{Kind: llm.KindInternal, Message: fmt.Sprintf("prepare the next step: %v", r.stepErr)})
		return
	}
	in := r.step
	req := r.request(in)
	if in.Window > 0 && r.e.sent.fixed > in.Window {
		r.post(turn.Broke{Kind: llm.KindOverflow, Message: fmt.Sprintf("%s are larger than the model's context window of %d tokens", r.e.fixed(in), in.Window)})
		return
	}
	r.weigh(in)
	r.model.flying++
	r.ear = &ear{}
	ctx, heard := r.model.ctx, r.ear
	r.beside(func() { r.stream(ctx, in, req, heard) })
}

// stream runs beside the turn.
func (r *run) stream(ctx context.Context, in StepInput, req llm.Request, heard *ear) {
	var seen strings.Builder // the text so far, for a turn that is cancelled
	told := false            // anything of the response was shown
	v := voice{text: r.e.o.Redact.Stream(), thought: r.e.o.Redact.Stream()}
	reply, err := r.e.guarded(ctx, in.Model, req, func(c llm.Chunk) {
		if c, ok := c.(llm.Rebuilt); ok { // a record is for the turn's goroutine to keep
			r.send(message{apply: func() { r.saveBest(session.Notice{Text: "The conversation is sent anew: " + c.Reason + "."}) }})
			return
		}
		if t, ok := c.(llm.TextDelta); ok {
			seen.WriteString(t.Text)
		}
		told = told || shows(c)
		heard.hear(func() { r.chunk(c, v) })
	})
	heard.hear(func() { r.pause(v) })
	heard.close()
	r.send(message{apply: func() {
		if r.model.flying == 0 {
			return // it came after it was given up
		}
		r.model.flying--
		if err != nil {
			r.broke(err, seen.String(), told, in)
			return
		}
		r.said(reply, in)
	}})
}

// voice masks the secrets in what a model says, across the borders of its
// pieces.
type voice struct{ text, thought *redact.Stream }

// chunk tells a piece of a response as it arrives.
func (r *run) chunk(c llm.Chunk, v voice) {
	switch c := c.(type) {
	case llm.TextDelta:
		r.say(v.text.Write(c.Text))
	case llm.ReasoningDelta:
		r.think(v.thought.Write(c.Text))
	case llm.CallStart:
		r.pause(v) // what was said comes before the call
		r.tell(event.ToolStart(c))
	case llm.Warning, llm.Waiting:
		r.e.transport(c)
	case llm.Rebuilt: // stream keeps it in the record, and a warning has told it
	}
}

// shows reports whether a piece is told as one of the response.
func shows(c llm.Chunk) bool {
	switch c.(type) {
	case llm.TextDelta, llm.ReasoningDelta, llm.CallStart:
		return true
	default: // what the transport says
		return false
	}
}

// pause tells what is held back of an unfinished word.
func (r *run) pause(v voice) {
	r.think(v.thought.Flush())
	r.say(v.text.Flush())
}

func (r *run) say(text string) {
	if text != "" {
		r.tell(event.Text{Text: text})
	}
}

func (r *run) think(text string) {
	if text != "" {
		r.tell(event.Reasoning{Text: text})
	}
}

// said takes in a complete response.
func (r *run) said(reply llm.Reply, in StepInput) {
	item := llm.Assistant{Parts: r.named(reply.Parts), Provider: reply.Provider, Model: reply.Model, Stop: reply.Stop}
	if item.Provider == "" {
		item.Provider, item.Model = in.Provider, in.Name
	}
	r.reply = response{item: item}
	r.sighted = nil // the provider takes it like this
	r.calls = map[string]*call{}
	f := turn.Said{
		Stop: reply.Stop, Text: strings.TrimSpace(item.Text()) != "", Keep: len(item.Parts) > 0,
		Size: reply.Usage.Total(), Threshold: threshold(in), Detail: reply.Detail,
	}
	estimate := r.e.size() + tokens(item)
	r.e.sent.weigh(estimate, f.Size)
	if f.Size == 0 {
		f.Size = estimate
	}
	for _, c := range item.Calls() {
		f.Calls = append(f.Calls, r.prepare(c, in))
	}
	r.used(reply.Usage, in)
	r.post(f)
}

// named gives every call an id that no other call of the conversation has.
func (r *run) named(parts []llm.Part) []llm.Part {
	out := make([]llm.Part, 0, len(parts))
	for _, p := range parts {
		if c, ok := p.(llm.Call); ok {
			for n := 2; c.ID == "" || r.e.sent.ids[c.ID]; n++ {
				c.ID = fmt.Sprintf("call_%d_%d_%d", r.number, r.state.Steps(), len(r.e.sent.ids)+n)
			}
			r.e.sent.ids[c.ID] = true
			p = c
		}
		out = append(out, p)
	}
	return out
}

// broke takes in a response that did not become complete.
func (r *run) broke(err error, seen string, told bool, in StepInput) {
	f := turn.Broke{Kind: llm.KindInternal, Message: err.Error(), Told: told}
	parts := []llm.Part{llm.Text{Text: seen}}
	var failure *llm.Failure
	if errors.As(err, &failure) {
		f.Kind, f.Message = failure.Kind, failure.Message
		f.Retryable, f.RetryAfter = failure.Retryable, failure.RetryAfter
		f.Refused = failure.Kind == llm.KindProvider && !failure.Retryable && (failure.Status == 400 || failure.Status == 422)
		if len(failure.Partial) > 0 {
			parts = failure.Partial
		}
		r.used(failure.Usage, in)
	}
	var prefix *wireview.PrefixError
	mismatch := errors.As(err, &prefix)
	if mismatch {
		r.notice("The conversation was sent anew: " + prefix.Error() + ".")
		f.Refused = true
	}
	item := llm.Assistant{Parts: withoutCalls(parts), Provider: in.Provider, Model: in.Name, Stop: llm.StopLength}
	if f.Text = strings.TrimSpace(item.Text()) != ""; f.Text {
		r.sighted = nil // it was taken like this
	}
	r.reply = response{item: item, mismatch: mismatch}
	r.calls = map[string]*call{}
	r.post(f)
}

// withoutCalls drops what a broken response cannot be held to.
func withoutCalls(parts []llm.Part) []llm.Part {
	out := make([]llm.Part, 0, len(parts))
	for _, p := range parts {
		if _, ok := p.(llm.Call); !ok {
			out = append(out, p)
		}
	}
	return out
}

// saveAssistant stores the response and tells its calls.
func (r *run) saveAssistant(o turn.SaveAssistant) error {
	item := r.reply.item
	rec := session.Assistant{Text: item.Text(), Stop: item.Stop, Provider: item.Provider, Model: item.Model, Void: o.Void, Unheard: r.outside}
	for _, c := range item.Calls() {
		rec.Calls = append(rec.Calls, session.SaidCall{ID: c.ID, Name: c.Name, Input: c.Input})
	}
	if err := r.save(rec); err != nil {
		if !o.Best {
			return err
		}
		r.tell(event.Error{Message: err.Error(), Kind: llm.KindPersistence})
	}
	r.append(item)
	if !o.Void {
		r.done.Text = item.Text()
	}
	for _, c := range item.Calls() {
		r.tell(event.ToolCall{
			ID: c.ID, Name: c.Name, Input: json.RawMessage(r.e.mask(string(c.Input))), Title: r.e.mask(r.calls[c.ID].title()),
		})
	}
	return nil
}

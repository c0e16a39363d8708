package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"assent/internal/compress"
	"assent/internal/event"
	"assent/internal/llm"
	"assent/internal/policy"
	"assent/internal/session"
	"assent/internal/tool"
	"assent/internal/turn"
)

// What the model is told of a call that was stopped.
const (
	textInterrupted = "The user interrupted this command. It did not finish, so its effects are unknown."
	textNo          = "The call was denied (by user) and did not run; do not try it again, and do not reach the same end another way without asking."
	textCancelled   = "Cancelled: the turn was ended while this call ran. It did not finish, so its effects are unknown."
	textNothing     = "(no output)"
)

// outcome is how a call ended, with secrets masked.
type outcome struct {
	status        llm.Status
	output, raw   string
	images        []llm.Image
	summary, diff string
	exit          int
	duration      time.Duration
}

// outcome makes the result of a run. waits says that it comes later.
func (r *run) outcome(c *call, result tool.Result, err error, stopped bool) (out outcome, waits bool) {
	var w Waiter
	if errors.As(err, &w) {
		return outcome{status: llm.StatusOK}, true
	}
	mask := r.e.mask
	out = outcome{
		status: llm.StatusOK, output: mask(result.Output), raw: mask(result.Raw), images: result.Images,
		summary: mask(result.Summary), diff: mask(result.Diff), exit: result.Exit,
	}
	// A command that ends with the turn says that it was interrupted, too.
	interrupted := c.flight.interrupted.Load() || result.Interrupted && !stopped
	switch {
	case err == nil && !result.Failed && !result.Interrupted:
		// It did what was asked, also when it was told to stop a moment too late.
	case interrupted:
		out.status = llm.StatusInterrupted
		out.output = stopText(textInterrupted, first(out.output, c.flight.said()))
	case stopped || errors.Is(err, context.Canceled) && r.tools.ctx.Err() != nil:
		out.status = llm.StatusCancelled
		out.output = stopText(textCancelled, first(out.output, c.flight.said()))
	case err != nil:
		out.status = llm.StatusError
		out.output = mask(err.Error())
	default:
		out.status = llm.StatusError
	}
	if strings.TrimSpace(out.output) == "" && len(out.images) == 0 {
		out.output = textNothing
	}
	if short, cut := compress.Compress(out.output, budget(c.planned.Request().Effect), compress.Hint{Tool: c.Name}); cut {
		out.output, out.raw = short, first(out.raw, out.output)
	}
	return out, false
}

// unheard is the outcome of a call whose live output broke down: it says so
// before what it printed. Its status stays: a call that did its work must not
// look like one to try again.
func (r *run) unheard(out outcome, b *breakdown) outcome {
	out.output = fmt.Sprintf("The live output of this call broke down (%s), a fault of this program. The call itself came to its end:\n%s", r.e.mask(b.Error()), out.output)
	return out
}

// budget is the most output that reaches the model. Tools of ours know their
// output, shorten it themselves and give the whole as Raw; for them it is a net
// only. Others get the default.
func budget(e policy.Effect) compress.Budget {
	if e == policy.Foreign {
		return compress.Budget{}
	}
	return compress.Budget{Chars: 200_000, Lines: 20_000}
}

// stopText says that a call was stopped, and what it had printed.
func stopText(why, printed string) string {
	if strings.Contains(printed, why) {
		return printed
	}
	if strings.TrimSpace(printed) == "" {
		return why
	}
	return why + "\nOutput so far:\n" + printed
}

func first(a, b string) string {
	if strings.TrimSpace(a) != "" {
		return a
	}
	return b
}

// settle stores the result of a call, appends it to the conversation, and
// tells it.
func (r *run) settle(o turn.Settle) error {
	c := r.calls[o.CallID]
	if c == nil {
		return nil
	}
	out := c.out
	if o.Text != "" {
		out = outcome{output: o.Text}
	}
	rec := session.Result{
		CallID: o.CallID, Name: c.Name, Status: o.Status, Output: out.output,
		Summary: out.summary, Diff: out.diff, Exit: out.exit, DurationMS: out.duration.Milliseconds(),
	}
	if rec.Artifact = r.artifact(o.CallID, out.raw); rec.Artifact != "" {
		out.output += fmt.Sprintf("\n[The whole output is kept: read_output with the id %q shows it.]", rec.Artifact)
		rec.Output = out.output
	}
	images, lost := r.images(out.images)
	if lost != nil && !o.Best {
		return lost
	}
	rec.Images = images
	err := r.save(rec)
	if err != nil && !o.Best {
		return err
	}
	r.place(llm.Result{CallID: o.CallID, Name: c.Name, Status: o.Status, Output: out.output, Images: out.images})
	if failed := errors.Join(lost, err); failed != nil {
		r.tell(event.Error{Message: failed.Error(), Kind: llm.KindPersistence})
	}
	r.tellResult(c, o.Status, out, rec.Artifact) // also without its record: a call that was told has an end
	return nil
}

// artifact keeps raw output aside and returns its name; without it the turn
// goes on.
func (r *run) artifact(id, raw string) string {
	if raw == "" || r.e.o.Log == nil {
		return ""
	}
	name, err := r.e.o.Log.Artifact(id+".txt", []byte(raw))
	if err != nil {
		r.notice("Could not keep the whole output of a call aside: " + err.Error())
		return ""
	}
	r.e.aside[id] = name
	return name
}

func (r *run) tellResult(c *call, status llm.Status, out outcome, artifact string) {
	switch status {
	case llm.StatusOK:
		r.tell(event.ToolResult{
			ID: c.ID, Name: c.Name, Output: out.output, Artifact: artifact, Summary: out.summary, Diff: out.diff, Exit: out.exit,
		})
	case llm.StatusDenied:
		r.tell(event.ToolDenied{ID: c.ID, Name: c.Name, By: string(c.decision.By), Reason: c.decision.Reason})
	default:
		r.tell(event.ToolError{ID: c.ID, Name: c.Name, Error: out.output, Status: status})
	}
}

package app

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assent/internal/amount"
	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/llm"
	"assent/internal/session"
)

// How much of an earlier conversation is shown: so many prompts with what
// followed, the newest of them in full, the others in short.
const (
	recapPrompts = 20
	recapFull    = 3
)

// room is how much of an exchange is shown.
type room struct {
	// promptLines and answerLines bound a text in lines, bytes in bytes.
	promptLines, answerLines, bytes int
	// calls is how many of its calls are shown, the last ones; texts how many of
	// the answer's pieces between them.
	calls, texts int
}

func roomOf(newest bool) room {
	if newest {
		return room{promptLines: 30, answerLines: 150, bytes: 16 << 10, calls: 40, texts: 40}
	}
	return room{promptLines: 3, answerLines: 4, bytes: 600, calls: 8, texts: 1}
}

// earlier is what a front shows of a conversation that goes on. again are the
// calls at its end that are asked about anew. Only its end is read: the cost
// does not grow with its length.
func earlier(b session.Branch, again []engine.OpenCall) host.Replay {
	var r host.Replay
	var prompts []int // where the exchanges begin
	for i, e := range b.Entries {
		if u, ok := e.Record.(session.User); ok {
			prompts = append(prompts, i)
			if r.Title == "" {
				r.Title = clip(oneLine(u.Text), 120)
			}
		}
	}
	back := b.Withdrawn()
	r.Prompts = len(prompts)
	r.Left = max(0, len(prompts)-recapPrompts)
	for i := r.Left; i < len(prompts); i++ {
		end := len(b.Entries)
		if i+1 < len(prompts) {
			end = prompts[i+1]
		}
		x := exchange{room: roomOf(i >= len(prompts)-recapFull), replay: &r, results: map[string]session.Result{}, decisions: map[string]session.Call{}, back: back}
		x.tell(b.Entries[prompts[i]:end], again)
	}
	return r
}

// exchange is a prompt with what followed.
type exchange struct {
	room
	replay    *host.Replay
	results   map[string]session.Result
	decisions map[string]session.Call
	back      map[string]bool // the steers that were taken back
}

func (x *exchange) tell(entries []session.Entry, again []engine.OpenCall) {
	calls, texts := 0, 0
	for _, e := range entries {
		switch r := e.Record.(type) {
		case session.Call:
			x.decisions[r.CallID] = r
		case session.Result:
			x.results[r.CallID] = r
		case session.Assistant:
			calls += len(r.Calls)
			if !r.Void && strings.TrimSpace(r.Text) != "" {
				texts++
			}
		default:
		}
	}
	for _, e := range entries {
		switch r := e.Record.(type) {
		case session.User:
			x.add(event.Prompt{Text: x.cut(r.Text, x.promptLines)})
			if skip := calls - x.calls; skip > 0 {
				x.replay.Cut = true
				x.add(event.Notice{Text: fmt.Sprintf("%s before these", amount.Of(skip, "call"))})
			}
		case session.Steer:
			if x.back[e.ID] {
				continue
			}
			x.add(event.Prompt{Text: x.cut(r.Text, x.promptLines), Steer: true})
		case session.Assistant:
			if !r.Void && strings.TrimSpace(r.Text) != "" {
				if texts--; texts < x.texts {
					x.add(event.Step{}, event.Text{Text: x.cut(r.Text, x.answerLines)})
				} else {
					x.replay.Cut = true
				}
			}
			for _, c := range r.Calls {
				if calls--; calls < x.calls && !asked(again, c.ID) {
					x.call(c)
				}
			}
		case session.Timing:
			if r.Reason != "" && r.Reason != "stop" {
				if r.Error != "" {
					x.add(event.Error{Message: clip(r.Error, 1000), Kind: r.Kind})
				}
				x.add(event.Done{Reason: r.Reason, Steps: r.Steps, DurationMS: r.DurationMS})
			}
		default: // of the program, not of what was said
		}
	}
}

func (x *exchange) add(e ...event.Event) { x.replay.Events = append(x.replay.Events, e...) }

// asked reports whether a call is put to the user anew.
func asked(again []engine.OpenCall, id string) bool {
	return slices.ContainsFunc(again, func(c engine.OpenCall) bool { return c.Call.ID == id && c.Result == nil })
}

// call tells a call and how it ended.
func (x *exchange) call(c session.SaidCall) {
	d, decided := x.decisions[c.ID]
	x.add(event.ToolCall{ID: c.ID, Name: c.Name, Title: d.Title})
	r, ended := x.results[c.ID]
	switch {
	case !ended:
		text := session.Undecided
		if decided {
			text = session.Interrupted
		}
		x.add(event.ToolError{ID: c.ID, Name: c.Name, Error: text, Status: llm.StatusInterrupted})
	case r.Status == llm.StatusOK:
		summary := cmp.Or(r.Summary, clip(oneLine(r.Output), 120))
		x.add(event.ToolResult{ID: c.ID, Name: c.Name, Summary: summary, Exit: r.Exit})
	case r.Status == llm.StatusDenied:
		x.add(event.ToolDenied{ID: c.ID, Name: c.Name, By: string(d.By), Reason: clip(oneLine(d.Reason), 300)})
	default:
		x.add(event.ToolError{ID: c.ID, Name: c.Name, Error: clip(oneLine(r.Output), 300), Status: r.Status})
	}
}

// oneLine is the first line of a text that says something.
func oneLine(s string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(first)
}

// cut keeps the beginning of a long text. A code fence that is open there is
// closed, so that what comes after is not part of it.
func (x *exchange) cut(text string, most int) string {
	text = strings.TrimSpace(text)
	short, lines := "", 0
	fence := ""
	for line := range strings.Lines(text) {
		if lines++; lines > most || len(short)+len(line) > x.bytes {
			if short == "" { // one long line
				short = strings.ToValidUTF8(line[:x.bytes], "")
			}
			x.replay.Cut = true
			short = strings.TrimRight(short, "\n")
			if fence != "" {
				return short + "\n" + fence + "\n\n…"
			}
			return short + " …"
		}
		fence = fenced(fence, line)
		short += line
	}
	return short
}

// fenced is the fence that is open after a line, empty for none.
func fenced(open, line string) string {
	line = strings.TrimSpace(line)
	for _, mark := range []string{"```", "~~~"} {
		if !strings.HasPrefix(line, mark) {
			continue
		}
		run := line[:len(line)-len(strings.TrimLeft(line, mark[:1]))]
		switch {
		case open == "":
			return run
		case strings.HasPrefix(run, open) && run == line:
			return ""
		}
	}
	return open
}

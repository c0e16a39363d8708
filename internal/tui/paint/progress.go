package paint

import (
	"fmt"
	"strings"

	"assent/internal/amount"
	"assent/internal/event"
	"assent/internal/tui/ink"
	"assent/internal/tui/md"
	"assent/internal/tui/screen"
)

const (
	// thoughtRows is how much of the reasoning is drawn when it is open.
	thoughtRows = 12
	// liveRows is how many of the last lines of a running command are drawn,
	// callsMax how many calls, agentsMax how many subagents.
	liveRows, callsMax, agentsMax = 5, 6, 4
	// steerMax is how many prompts on their way into the turn are drawn.
	steerMax = 3
	// barCells is the widest bar of tasks.
	barCells = 10
)

// tail draws the end of the answer that is being written.
func tail(s screen.State, st Style, rows int) []ink.Line {
	return inset(md.Tail(s.Tail, st.Narrow(margin), rows))
}

// inProgress lists what goes on, from top to bottom.
func inProgress(s screen.State, st Style) []progress {
	var out []progress
	out = append(out, thinking(s, st)...)
	out = append(out, calls(s, st)...)
	out = append(out, agents(s, st)...)
	out = append(out, ownShell(s, st)...)
	out = append(out, tasks(s.Tasks, s.Turn.Busy, st)...)
	out = append(out, retry(s, st)...)
	out = append(out, steering(s, st)...)
	out = append(out, queue(s, st)...)
	if len(out) == 0 && s.Turn.Busy && s.Tail == "" && len(s.Approvals) == 0 {
		out = append(out, one(row(mark(st, "∙", "-", ink.Dim), []ink.Span{ink.S("waiting for the model", ink.Dim)}, st)))
	}
	return out
}

func one(l ink.Line) progress { return progress{line: l} }

// thinking is the reasoning: how much there is, and its end when it is open.
func thinking(s screen.State, st Style) []progress {
	t := s.Thinking
	if t.Bytes == 0 {
		return nil
	}
	does := "ctrl+r shows it"
	var rest []ink.Line
	if t.Open {
		does = "ctrl+r hides it"
		look := ink.Look{Role: ink.Dim, Attr: ink.Italic}
		rest = inset(prose(ink.Clean(lastBytes(t.Text, 16<<10)), look, min(room(st), 100)))
		rest = rest[max(0, len(rest)-thoughtRows):]
	}
	text := []ink.Span{ink.S(fmt.Sprintf("reasoning %s tokens", count(t.Tokens())), ink.Dim), ink.S(" ("+does+")", ink.Dim)}
	return []progress{{row(mark(st, "∙", "-", ink.Dim), text, st), rest}}
}

// lastBytes is the end of a text, at most n bytes of whole characters.
func lastBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[len(s)-n:], "")
}

// calls are the calls in flight with the last lines that they wrote.
func calls(s screen.State, st Style) []progress {
	var out []progress
	hidden := s.HiddenTools
	for i, t := range s.Tools {
		if len(s.Approvals) > 0 && s.Approvals[0].ID == t.ID {
			continue // the dialog shows it whole
		}
		if len(out) >= callsMax {
			hidden += len(s.Tools) - i
			break
		}
		text := []ink.Span{ink.B(ink.OneLine(t.Name), ink.Text)}
		if title := ink.OneLine(t.Title); title != "" {
			text = append(text, ink.S(" "+title, ink.Text))
		}
		var rest []ink.Line
		state := "…"
		role := ink.Dim
		switch t.Phase {
		case screen.Naming:
		case screen.Waiting:
			state = "waits"
			if asked(s, t.ID) {
				state, role = "waits for you", ink.Warn
			}
		case screen.Running:
			state = seconds(s.Now.Sub(t.Started))
			rest = lastLines(t.Tail, liveRows, ink.Dim, st)
		}
		out = append(out, progress{withEnd(mark(st, "⚙", "*", ink.Accent), text, ink.S(" "+state, role), st), rest})
	}
	for _, l := range more(hidden, "call", st.Narrow(margin)) {
		out = append(out, one(append(indent(), l...)))
	}
	return out
}

// lastLines are the last n lines of live output that say something, a row each.
func lastLines(tail []string, n int, role ink.Role, st Style) []ink.Line {
	var out []ink.Line
	for _, line := range tail[max(0, len(tail)-n):] {
		if text := ink.Expand(strings.TrimRight(ink.Output(line), " \n"), 0); text != "" {
			out = append(out, row(indent(), []ink.Span{ink.S(text, role)}, st))
		}
	}
	return out
}

// withEnd is one line of which the end is kept when it must be cut.
func withEnd(head ink.Line, text []ink.Span, end ink.Span, st Style) ink.Line {
	w := st.Cols() - ink.Width(end.Text)
	return append(ink.Trunc(append(head[:len(head):len(head)], text...), max(w, 1)), end)
}

func asked(s screen.State, id string) bool {
	for _, a := range s.Approvals {
		if a.ID == id {
			return true
		}
	}
	return false
}

// agents are the subagents at work.
func agents(s screen.State, st Style) []progress {
	var out []progress
	for i, a := range s.Agents {
		if i >= agentsMax {
			for _, l := range more(len(s.Agents)-i, "subagent", st.Narrow(margin)) {
				out = append(out, one(append(indent(), l...)))
			}
			break
		}
		text := []ink.Span{ink.B(ink.OneLine(a.Kind), ink.Text)}
		if title := ink.OneLine(a.Title); title != "" {
			text = append(text, ink.S(" "+title, ink.Text))
		}
		facts := []ink.Span{ink.S(amount.Of(a.Calls, "call"), ink.Dim)}
		if a.Tokens > 0 {
			facts = append(facts, ink.S(count(a.Tokens)+" tokens", ink.Dim))
		}
		facts = append(facts, ink.S(ink.OneLine(a.Doing), ink.Dim))
		text = append(text, ink.S("  ", ink.Dim))
		out = append(out, one(row(mark(st, "◇", "*", ink.Accent), append(text, dots(st, facts...)...), st)))
	}
	return out
}

// ownShell is the user's own running command.
func ownShell(s screen.State, st Style) []progress {
	if s.Shell.Command == "" {
		return nil
	}
	text := []ink.Span{ink.B(ink.OneLine(s.Shell.Command), ink.Text)}
	p := progress{line: withEnd(mark(st, "!", "!", ink.Accent), text, ink.S(" "+seconds(s.Now.Sub(s.Shell.Started)), ink.Dim), st)}
	p.rest = lastLines(s.Shell.Tail, len(s.Shell.Tail), ink.Text, st)
	return []progress{p}
}

// tasks is the task list as a bar, with the task that is being done.
func tasks(list []event.Todo, busy bool, st Style) []progress {
	done, now := 0, ""
	for _, t := range list {
		switch t.Status {
		case "done":
			done++
		case "in_progress":
			if now == "" {
				now = ink.OneLine(t.Content)
			}
		}
	}
	if len(list) == 0 || done == len(list) && !busy {
		return nil
	}
	cells := min(len(list), barCells)
	full := done * cells / len(list)
	bar := strings.Repeat(st.Pick("▰", "#"), full)
	empty := strings.Repeat(st.Pick("▱", "."), cells-full)
	text := []ink.Span{
		{Text: "tasks "}, ink.S(bar, ink.Good), ink.S(empty, ink.Dim), ink.S(fmt.Sprintf(" %d/%d", done, len(list)), ink.Dim),
	}
	if now != "" {
		text = append(text, ink.S(st.Pick(" · ", " - "), ink.Dim), ink.S(now, ink.Text))
	}
	return []progress{one(row(indent(), text, st))}
}

// retry is the pause before the next attempt.
func retry(s screen.State, st Style) []progress {
	v := s.Status()
	if v.Retry == "" {
		return nil
	}
	when := ""
	if v.RetryIn > 0 {
		when = "again in " + seconds(v.RetryIn)
	}
	try := ""
	if v.Attempt > 0 {
		try = fmt.Sprintf("try %d", v.Attempt+1) // the one that comes
	}
	text := dots(st, ink.S(ink.OneLine(v.Retry), ink.Warn), ink.S(try, ink.Dim), ink.S(when, ink.Warn))
	return []progress{one(row(mark(st, "↻", "!", ink.Warn), text, st))}
}

// steering is what was given to the running turn and has not entered it.
func steering(s screen.State, st Style) []progress {
	list := s.Steering()
	var out []progress
	for i, text := range list {
		if i >= steerMax {
			for _, l := range more(len(list)-i, "prompt", st.Narrow(margin)) {
				out = append(out, one(append(indent(), l...)))
			}
			break
		}
		what := []ink.Span{ink.S(ink.OneLine(head(text, 500)), ink.Dim)}
		out = append(out, one(withEnd(mark(st, "↳", ">", ink.Dim), what, ink.S("  (at the next step)", ink.Dim), st)))
	}
	return out
}

// queue is the prompts that wait.
func queue(s screen.State, st Style) []progress {
	if len(s.Queue) == 0 {
		return nil
	}
	text := []ink.Span{{Text: fmt.Sprintf("queued: %d", len(s.Queue))}, ink.S("  "+ink.OneLine(head(s.Queue[0], 500)), ink.Dim)}
	return []progress{one(row(indent(), text, st))}
}

package screen

import (
	"slices"
	"strings"

	"assent/internal/event"
	"assent/internal/llm"
)

// Bounds of what is kept of calls.
const (
	toolLimit   = 200       // calls in flight
	agentLimit  = 50        // subagents at work
	titleBytes  = 4 << 10   // of a load-bearing argument
	outputBytes = 16 << 10  // of a result, its end
	diffBytes   = 256 << 10 // of a diff, its beginning
	nestLimit   = 8         // subagents of subagents
)

// applyTool takes in what is told of calls.
func (s State) applyTool(e event.Event) State {
	switch e := e.(type) {
	case event.ToolStart:
		return s.flush().inFlight(Tool{ID: e.ID, Name: e.Name})
	case event.ToolCall:
		return s.begun().flush().inFlight(Tool{ID: e.ID, Name: e.Name, Title: clipHead(e.Title, titleBytes), Phase: Waiting})
	case event.ToolRun:
		return s.ran(e.ID)
	case event.ToolOutput:
		return s.wrote(e)
	case event.ToolResult:
		diff, cut := clipLines(e.Diff, diffBytes)
		return s.finished(e.ID, ToolLine{
			Name: e.Name, Summary: clipHead(e.Summary, noticeLimit), Output: clipTail(e.Output, outputBytes),
			Lines: countLines(e.Output), Diff: diff, Cut: cut, Artifact: e.Artifact, Exit: e.Exit,
		})
	case event.ToolError:
		return s.broke(e)
	case event.ToolDenied:
		return s.finished(e.ID, ToolLine{Name: e.Name, Outcome: Denied, By: e.By, Summary: clipHead(e.Reason, noticeLimit)})
	default:
		return s
	}
}

// broke prints how a call ended that did not finish. What a stopped call is said
// to have done is for the model: the user stopped it, and sees what it wrote.
func (s State) broke(e event.ToolError) State {
	line := ToolLine{Name: e.Name, Outcome: outcome(e.Status), Summary: clipHead(e.Error, noticeLimit)}
	if line.Outcome != Failed {
		line.Summary = ""
		if i := s.tool(e.ID); i >= 0 {
			line.Output, line.Lines = strings.Join(s.Tools[i].Tail, "\n"), s.Tools[i].Lines
		}
	}
	return s.finished(e.ID, line)
}

func outcome(status llm.Status) Outcome {
	switch status {
	case llm.StatusInterrupted:
		return Interrupted
	case llm.StatusCancelled:
		return Cancelled
	default:
		return Failed
	}
}

func (s State) tool(id string) int {
	return slices.IndexFunc(s.Tools, func(t Tool) bool { return t.ID == id })
}

// inFlight adds a call, or says more of one that is known.
func (s State) inFlight(t Tool) State {
	s.Retry = Retry{}
	t.Started = s.Now
	i := s.tool(t.ID)
	switch {
	case i >= 0:
		known := s.Tools[i]
		known.Name, known.Title, known.Started = t.Name, t.Title, t.Started
		known.Phase = max(known.Phase, t.Phase)
		s.Tools = slices.Clone(s.Tools)
		s.Tools[i] = known
	case len(s.Tools) < toolLimit:
		s.Tools = append(slices.Clip(s.Tools), t)
	case t.Phase == Naming:
		s.HiddenTools++
	}
	return s
}

// wrote takes in live output.
func (s State) wrote(e event.ToolOutput) State {
	i := s.tool(e.ID)
	chunk := e.Shown()
	if i < 0 || chunk == "" {
		return s
	}
	s.Tools = slices.Clone(s.Tools)
	t := &s.Tools[i]
	t.out = t.out.write(chunk)
	t.Phase, t.Tail, t.Lines = Running, t.out.tail(), t.out.total()
	return s
}

// ran counts the time of a call from its run on: before that it waits.
func (s State) ran(id string) State {
	if i := s.tool(id); i >= 0 {
		s.Tools = slices.Clone(s.Tools)
		s.Tools[i].Started, s.Tools[i].Phase = s.Now, Running
	}
	return s
}

// finished prints the result of a call.
func (s State) finished(id string, line ToolLine) State {
	line.ID = id
	if i := s.tool(id); i >= 0 {
		t := s.Tools[i]
		line.Title = t.Title
		if t.Phase == Running {
			line.Elapsed = s.Now.Sub(t.Started)
		}
		s.Tools = slices.Delete(slices.Clone(s.Tools), i, i+1)
	} else {
		s.HiddenTools = max(s.HiddenTools-1, 0)
	}
	if i := s.agent(id); i >= 0 {
		line.Calls = s.Agents[i].Calls
		s.Agents = slices.Delete(slices.Clone(s.Agents), i, i+1)
	}
	return s.emit(line)
}

// dropNaming forgets calls whose arguments never arrived: the response that
// held them broke.
func (s State) dropNaming() State {
	naming := func(t Tool) bool { return t.Phase == Naming }
	if slices.ContainsFunc(s.Tools, naming) {
		s.Tools = slices.DeleteFunc(slices.Clone(s.Tools), naming)
	}
	s.HiddenTools = 0
	return s
}

// abandon closes the calls that a turn left open.
func (s State) abandon() State {
	for len(s.Tools) > 0 {
		t := s.Tools[0]
		s = s.finished(t.ID, ToolLine{Name: t.Name, Outcome: Cancelled})
	}
	return s
}

func (s State) agent(id string) int {
	return slices.IndexFunc(s.Agents, func(a Agent) bool { return a.ID == id })
}

// nested takes in what a subagent tells: what it asks is asked like the main
// agent's questions, the rest is counted.
func (s State) nested(e event.Subagent) State {
	inner := e.Event
	for range nestLimit {
		deeper, ok := inner.(event.Subagent)
		if !ok {
			break
		}
		inner = deeper.Event
	}
	i := s.agent(e.ID)
	if i < 0 {
		if len(s.Agents) >= agentLimit {
			i = agentLimit - 1
		} else {
			a := Agent{ID: e.ID, Kind: e.Kind}
			if t := s.tool(e.ID); t >= 0 {
				a.Title = s.Tools[t].Title
			}
			i, s.Agents = len(s.Agents), append(slices.Clip(s.Agents), a)
		}
	}
	s.Agents = slices.Clone(s.Agents)
	a := &s.Agents[i]
	switch inner := inner.(type) {
	case event.ToolCall:
		a.Calls++
		a.Doing = strings.TrimSpace(inner.Name + " " + clipHead(inner.Title, titleBytes))
	case event.Usage:
		a.Tokens += inner.InputTokens + inner.OutputTokens
		s.Usage = s.Usage.add(inner, false)
	case event.Approval:
		if inner.Subagent == "" {
			inner.Subagent = e.Kind
		}
		return s.opened(inner)
	case event.ApprovalDone:
		return s.closed(inner.ID, s.Now)
	case event.Notice:
		return s.interject(Notice{clipHead(e.Kind+": "+inner.Text, noticeLimit)})
	default: // what else an agent tells is not shown
	}
	return s
}

// clipLines keeps whole lines from the beginning within n bytes and says how
// many were left out.
func clipLines(s string, n int) (string, int) {
	if len(s) <= n {
		return s, 0
	}
	kept := clipHead(s, n)
	kept = kept[:strings.LastIndexByte(kept, '\n')+1]
	return kept, countLines(s[len(kept):])
}

// countLines counts the lines of a text; an open last line is one.
func countLines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

package headless

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"assent/internal/amount"
	"assent/internal/event"
	"assent/internal/late"
	"assent/internal/tui/ink"
)

// text prints the answer on stdout and everything else for people.
type text struct {
	people
	out    io.Writer
	answer stream
	// ends holds the last two bytes of the answer, to part and end paragraphs.
	ends string
	// parted says that the next text begins a paragraph.
	parted bool
}

// aside is what is told beside an answer in the same place.
type aside struct {
	t   *text
	err io.Writer
}

// Write ends the answer's line first.
func (a aside) Write(b []byte) (int, error) {
	if a.t.ends != "" && newlines(a.t.ends) == 0 {
		// Who cannot be told the answer is found out by the answer itself.
		_ = a.t.write("\n")
	}
	return a.err.Write(b)
}

func (t *text) event(e event.Event) error {
	switch e := e.(type) {
	case event.Step:
		t.parted = true
		return t.write(t.answer.rest())
	case event.Void: // what is printed cannot be taken back, only set apart
		t.parted = true
		if err := t.write(t.answer.rest()); err != nil {
			return err
		}
		t.people.event(e)
		return nil
	case event.Text:
		s := t.answer.add(e.Text)
		if s != "" && t.parted {
			t.parted = false
			if t.ends != "" {
				s = strings.Repeat("\n", 2-newlines(t.ends)) + s
			}
		}
		return t.write(s)
	default:
		t.people.event(e)
		return nil
	}
}

func (t *text) end() error {
	s := t.answer.rest()
	if ends := last(t.ends+s, 2); ends != "" && newlines(ends) == 0 {
		s += "\n"
	}
	return t.write(s)
}

func (t *text) write(s string) error {
	if s == "" {
		return nil
	}
	t.ends = last(t.ends+s, 2)
	_, err := io.WriteString(t.out, s)
	return err
}

func last(s string, n int) string { return s[max(0, len(s)-n):] }

func newlines(s string) int { return len(s) - len(strings.TrimRight(s, "\n")) }

// stream takes what could drive a terminal out of a text that comes in pieces.
// An escape sequence or a line end that a piece does not end waits for the next
// one.
type stream struct {
	clean func(string) string
	held  string
}

// unended matches an escape sequence that may go on, or half a line end. A
// string that is longer is none that a terminal would wait for.
var unended = late.Regexp(`(\r|\x1b[ -/]*|(\x1b\[|\x{9b})[ -?]*|(\x1b[\]PX^_]|[\x{9d}\x{90}\x{98}\x{9e}\x{9f}])[^\x07\x1b\x{9c}\n]{0,1000}\x1b?)$`)

func (c *stream) add(piece string) string {
	s := c.held + piece
	c.held = ""
	if strings.ContainsRune(s, 0x1b) || strings.ContainsRune(s, '\r') || strings.Contains(s, "\xc2") { // most text holds none
		c.held = unended().FindString(s)
	}
	return c.clean(s[:len(s)-len(c.held)])
}

// rest is what is left at the end.
func (c *stream) rest() string {
	s := c.clean(c.held)
	c.held = ""
	return s
}

// people tells a person on stderr what happens. A stderr that cannot be written
// is nobody who looks; that stops no turn.
type people struct {
	err io.Writer
	// live is what was shown of the running commands' output, by call.
	live map[string]*live
}

// live is the output of one command as far as it was shown.
type live struct {
	text  stream
	lines int
	// open says that the last line has no end yet.
	open bool
}

// outputLines is how many lines of a result a person is shown.
const outputLines = 12

// liveLines is how many lines of a running command's output a person is shown.
const liveLines = 60

func (p *people) event(e event.Event) {
	var s string
	switch e := e.(type) {
	case event.ToolOutput:
		p.output(e)
	case event.Session:
		model := e.Model
		if e.Provider == "script" {
			model = filepath.Base(model) // it is a file
		}
		s = fmt.Sprintf("assent · %s · %s/%s · %s", short(e.ID), e.Provider, model, e.Agent)
		if e.Resumed {
			s += " · resumed"
		}
	case event.ToolResult:
		shown := p.end(e.ID)
		switch {
		case shown && e.Summary != "":
			s = ended(e) + ": " + oneLine(e.Summary)
		case !shown:
			s = result(e)
		}
	case event.ToolError:
		if p.end(e.ID) {
			s = "✗ " + e.Name + " " + string(e.Status) + ": " + lastLine(e.Error)
		} else {
			s = indent("✗ "+e.Name+" failed: ", e.Error)
		}
	case event.Done:
		s = done(e)
	case event.Subagent:
		if s = line(e.Event); s != "" {
			s = "  [" + e.Kind + "] " + s
		}
	default:
		s = line(e)
	}
	if s != "" {
		fmt.Fprintln(p.err, ink.Clean(s))
	}
}

// line is what a person reads of an event, of a subagent's as well; "" is
// nothing.
func line(e event.Event) string {
	switch e := e.(type) {
	case event.ToolCall:
		s := "⚙ " + e.Name
		if e.Title != "" {
			s += " " + oneLine(e.Title)
		}
		return s
	case event.ToolDenied:
		return indent(fmt.Sprintf("✗ %s denied (%s): ", e.Name, e.By), e.Reason)
	case event.Retry:
		return "… " + retryText(e)
	case event.Void:
		return "• The response broke off: what there was of it counts for nothing, and the model is asked for all of it again."
	case event.Notice:
		return "• " + e.Text
	case event.Compacted:
		return fmt.Sprintf("• compacted: %d items to %d, about %d tokens to %d", e.Before, e.After, e.TokensBefore, e.TokensAfter)
	case event.Error:
		return fmt.Sprintf("error (%s): %s", e.Kind, e.Message)
	default:
		return ""
	}
}

// output shows a running command's output as it comes, up to a number of
// lines.
func (p *people) output(e event.ToolOutput) {
	if p.live == nil {
		p.live = map[string]*live{}
	}
	l := p.live[e.ID]
	if l == nil {
		l = &live{text: stream{clean: ink.Output}}
		p.live[e.ID] = l
	}
	p.show(l, l.text.add(e.Shown()))
}

// show prints a piece of output behind its mark.
func (p *people) show(l *live, text string) {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !l.open {
			if l.lines++; l.lines > liveLines {
				continue
			}
			b.WriteString("  │ ")
		}
		if l.lines <= liveLines {
			b.WriteString(line)
		}
		l.open = !strings.HasSuffix(line, "\n")
	}
	fmt.Fprint(p.err, b.String())
}

// end closes the output of a call and reports whether any was shown.
func (p *people) end(id string) bool {
	l := p.live[id]
	if l == nil {
		return false
	}
	delete(p.live, id)
	p.show(l, l.text.rest())
	if l.open && l.lines <= liveLines {
		fmt.Fprintln(p.err)
	}
	if cut := l.lines - liveLines; cut > 0 {
		fmt.Fprintf(p.err, "  │ … %d more lines\n", cut)
	}
	return true
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// ended names a call that did what was asked. A command that said no has a mark
// of its own, so that a failed test does not look like one that passed.
func ended(e event.ToolResult) string {
	if e.Exit != 0 {
		return "✗ " + e.Name
	}
	return "✓ " + e.Name
}

// result is what a person sees of a result: its diff, else its summary, else
// its first lines.
func result(e event.ToolResult) string {
	head := ended(e)
	if e.Summary != "" {
		head += ": " + oneLine(e.Summary)
	}
	switch {
	case e.Diff != "":
		return head + "\n" + indent("  ", e.Diff)
	case e.Summary != "":
		return head
	}
	return head + "\n" + indent("  ", e.Output)
}

func done(e event.Done) string {
	s := e.Reason + " · " + amount.Of(e.Steps, "step")
	if e.Usage.InputTokens+e.Usage.OutputTokens > 0 {
		s += fmt.Sprintf(" · %d tokens in, %d out", e.Usage.InputTokens, e.Usage.OutputTokens)
	}
	if e.Usage.CostUSD != nil {
		s += fmt.Sprintf(" · $%.4f", *e.Usage.CostUSD)
	}
	return s + fmt.Sprintf(" · %.1fs", float64(e.DurationMS)/1000)
}

// indent puts a text of several lines below its mark, cut to what a person
// wants to see while it runs.
func indent(mark, s string) string {
	rows := strings.Split(strings.TrimRight(s, "\n"), "\n")
	if cut := len(rows) - outputLines; cut > 0 {
		rows = append(rows[:outputLines:outputLines], fmt.Sprintf("… %d more lines", cut))
	}
	return mark + strings.Join(rows, "\n  ")
}

func oneLine(s string) string {
	first, _, more := strings.Cut(strings.TrimSpace(s), "\n")
	if more {
		first += " …"
	}
	return first
}

func short(id string) string { return id[:min(13, len(id))] }

package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"assent/internal/late"
	"assent/internal/llm"
	"assent/internal/policy"
)

// page is a branch as a reader sees it; both forms for people are drawn from
// it.
type page struct {
	Title, ID, CWD, Model string
	Created               time.Time
	Turns                 int
	Blocks                []block
	State                 State
	Steps                 int
	Worked                time.Duration
	Damage                string
	numbered              int // prompts so far
}

// block is one element of a page, one of the pointers is set.
type block struct {
	Prompt *promptBlock
	Answer *answerBlock
	Call   *callBlock
	Aside  *asideBlock
}

type promptBlock struct {
	Number int // 0 for a message that steered
	Text   string
	Time   time.Time
	Images []picture
}

type answerBlock struct {
	Text string
	// Cut says why the answer did not end by itself; empty for a normal end.
	Cut string
}

type callBlock struct {
	Name, Title string
	// Input are the arguments as JSON or, when there is one, bare; Fields are
	// all of them, one or more lines each.
	Input, Fields string
	// Decision says who decided and why, Refused only who refused.
	Decision, Refused string
	Status            llm.Status
	Output            string
	Diff              string
	Summary           string
	Artifact          string
	Took              time.Duration
	// Exit says that a command ran and said no. That is no failure of the call,
	// but a reader wants to see it.
	Exit   bool
	Images []picture
}

// Note is the outcome in a few words: of a refusal who refused, else the
// summary, with the time that it took when that is not in it.
func (c *callBlock) Note() string {
	switch {
	case c.Status == llm.StatusDenied:
		return c.Refused
	case c.Summary == "" && c.Status != llm.StatusOK:
		return string(c.Status)
	case c.Summary == "":
		return took(c.Took)
	case c.Took < time.Second || timed().MatchString(c.Summary):
		return c.Summary
	}
	return c.Summary + " · " + took(c.Took)
}

// timed finds a duration in a summary.
var timed = late.Regexp(`\b\d+(\.\d+)?(ms|s|m|h)\b`)

// asideBlock is what was neither said nor done: a summary, a notice. What one
// line says has no Text.
type asideBlock struct{ Head, Text string }

type picture struct {
	Name, MIME string
	Data       []byte
	Err        error
}

// maxPicture is the largest image in bytes that a page carries.
const maxPicture = 5 << 20

func newPage(t Tree, b Branch) *page {
	s := Restore(b)
	p := &page{
		ID: t.ID, Title: s.Title, CWD: t.Header.CWD, Model: s.Model.Model, Created: t.Header.Created,
		Turns: s.Turns, State: s, Damage: t.faults.String(),
	}
	if p.Title == "" {
		p.Title = "Session " + t.ID
	}
	calls, back := map[string]*callBlock{}, b.Withdrawn()
	for _, e := range b.Entries {
		p.add(e, calls, back, b.Blob)
	}
	return p
}

func (p *page) add(e Entry, calls map[string]*callBlock, back map[string]bool, blob func(string) ([]byte, error)) {
	switch r := e.Record.(type) {
	case User:
		p.numbered++
		p.Blocks = append(p.Blocks, block{Prompt: &promptBlock{p.numbered, r.Text, e.Time, pictures(r.Images, blob)}})
	case Steer:
		if back[e.ID] {
			return
		}
		p.Blocks = append(p.Blocks, block{Prompt: &promptBlock{0, r.Text, e.Time, pictures(r.Images, blob)}})
	case Assistant:
		p.Steps++
		if p.Model == "" {
			p.Model = r.Model
		}
		if r.Void {
			p.Steps-- // the attempt after it is the step's
			p.Blocks = append(p.Blocks, block{Answer: &answerBlock{r.Text, "broke off, and was asked for again"}})
		} else if strings.TrimSpace(r.Text) != "" || cut(r.Stop) != "" {
			p.Blocks = append(p.Blocks, block{Answer: &answerBlock{r.Text, cut(r.Stop)}})
		}
		for _, c := range r.Calls {
			b := &callBlock{Name: c.Name, Title: callTitle(c.Input), Input: pretty(c.Input), Fields: fields(c.Input), Decision: "not decided", Status: llm.StatusInterrupted}
			calls[c.ID] = b
			p.Blocks = append(p.Blocks, block{Call: b})
		}
	case Call:
		if b := calls[r.CallID]; b != nil {
			b.Decision, b.Refused = decision(r), "refused"+deciders[r.By]
			if r.Title != "" {
				b.Title = firstLine(r.Title)
			}
		}
	case Result:
		if b := calls[r.CallID]; b != nil {
			b.Status, b.Output, b.Diff, b.Summary, b.Artifact = r.Status, r.Output, r.Diff, r.Summary, r.Artifact
			b.Took = time.Duration(r.DurationMS) * time.Millisecond
			b.Exit = r.Status == llm.StatusOK && r.Exit != 0
			b.Images = pictures(r.Images, blob)
		}
	case Summary:
		p.aside("The older conversation was summarised for the model", r.Text)
	case Notice:
		if text := strings.TrimSpace(r.Text); strings.Contains(text, "\n") {
			p.aside("Notice", text)
		} else {
			p.aside(text, "")
		}
	case Agent:
		if p.numbered > 0 {
			p.aside("From here on: the agent "+r.Agent, "")
		}
	case Model:
		if p.numbered > 0 {
			p.aside("From here on: the model "+r.Provider+"/"+r.Model+", thinking "+string(r.Level), "")
		}
	case Timing:
		p.Worked += time.Duration(r.DurationMS) * time.Millisecond
		if end := endings[r.Reason]; end != "" {
			p.brokenOff()
			p.aside(ending(end, r.Error))
		}
	case Header, Withdrawn, Ask, AskDismissed, Todo, Undo, Label, Usage, Title, Unknown:
	}
}

func (p *page) aside(head, text string) {
	p.Blocks = append(p.Blocks, block{Aside: &asideBlock{head, text}})
}

func pictures(list []Image, blob func(string) ([]byte, error)) []picture {
	var out []picture
	for _, im := range list {
		p := picture{Name: im.Name, MIME: im.MIME}
		if p.Name == "" {
			p.Name = im.Artifact
		}
		if blob == nil {
			p.Err = fmt.Errorf("the image is not at hand")
		} else if p.Data, p.Err = blob(im.Artifact); p.Err == nil && len(p.Data) > maxPicture {
			p.Data, p.Err = nil, errTooBig
		}
		out = append(out, p)
	}
	return out
}

// cut says in words why an answer did not end by itself.
func cut(s llm.Stop) string {
	switch s {
	case llm.StopEnd, llm.StopCalls, llm.StopPause, "":
		return ""
	case llm.StopLength:
		return "cut off at the model's limit"
	case llm.StopRefusal:
		return "the model refused"
	case llm.StopFilter:
		return "stopped by the provider's content filter"
	case llm.StopContext:
		return "the context window was full"
	}
	return string(s)
}

// decision says in words who decided a call and how.
func decision(c Call) string {
	var b strings.Builder
	switch c.Decide {
	case policy.Allow:
		b.WriteString("allowed")
	case policy.Deny:
		b.WriteString("refused")
	case policy.Ask:
		b.WriteString("asked")
	default:
		b.WriteString(string(c.Decide))
	}
	b.WriteString(deciders[c.By])
	if c.Decide == policy.Allow && (c.By == policy.ByDefault || c.By == policy.ByYolo) {
		return b.String() // that no rule spoke of it is no news
	}
	if c.Rule != "" {
		b.WriteString(" " + c.Rule)
	}
	if c.Source != "" && c.Source != string(c.By) {
		b.WriteString(" (" + c.Source + ")")
	}
	if c.Reason != "" {
		b.WriteString(": " + firstLine(c.Reason))
	}
	return b.String()
}

// deciders are the words of a decision for people.
var deciders = map[policy.By]string{
	policy.ByGuard: " by a guard", policy.ByHook: " by a hook", policy.ByMode: " by the mode", policy.ByRule: " by the rule",
	policy.ByDefault: " by default", policy.ByYolo: " by --yolo", policy.ByRepeat: ", the same call came too often",
	policy.ByUser: " by the user", policy.ByHeadless: ", nobody was there to ask",
}

// callTitle finds the argument that says most; the tool's own title, stored
// with the decision, counts more.
func callTitle(input json.RawMessage) string {
	var fields map[string]any
	if json.Unmarshal(input, &fields) != nil {
		return ""
	}
	for _, name := range []string{"command", "path", "pattern", "url", "query", "name", "title", "description", "from"} {
		if s, ok := fields[name].(string); ok && strings.TrimSpace(s) != "" {
			return firstLine(s)
		}
	}
	return ""
}

// pretty indents arguments; a single text argument is shown bare.
func pretty(input json.RawMessage) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(input, &fields) == nil && len(fields) == 1 {
		for name, raw := range fields {
			var s string
			if json.Unmarshal(raw, &s) == nil {
				return name + ": " + s
			}
		}
	}
	var b bytes.Buffer
	if json.Indent(&b, input, "", "  ") != nil {
		return string(input)
	}
	return b.String()
}

// fields writes arguments one a line, and a text of several lines below its
// name, as a person reads them.
func fields(input json.RawMessage) string {
	dec := json.NewDecoder(bytes.NewReader(input))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') || !json.Valid(input) {
		return string(input)
	}
	var lines []string
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return string(input)
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return string(input)
		}
		value := string(raw)
		var s string
		if json.Unmarshal(raw, &s) == nil {
			value = s
		}
		if strings.Contains(strings.TrimRight(value, "\n"), "\n") {
			value = "\n  " + strings.ReplaceAll(strings.TrimRight(value, "\n"), "\n", "\n  ")
		}
		lines = append(lines, fmt.Sprintf("%v: %s", name, value))
	}
	return strings.Join(lines, "\n")
}

// mark is the sign of a status.
func mark(s llm.Status) string {
	switch s {
	case llm.StatusOK:
		return "✓"
	case llm.StatusDenied:
		return "⊘"
	case llm.StatusError, llm.StatusInterrupted, llm.StatusCancelled:
		return "✗"
	}
	return "·"
}

// took is a duration for people.
func took(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}

// totals are the figures of a page, name and value.
func (p *page) totals() [][2]string {
	u := p.State.Usage
	rows := [][2]string{{"prompts", strconv.Itoa(p.Turns)}, {"steps", strconv.Itoa(p.Steps)}}
	add := func(name, value string) {
		if value != "" {
			rows = append(rows, [2]string{name, value})
		}
	}
	add("worked", took(p.Worked))
	if in := u.Input + u.CacheRead + u.CacheWrite; in > 0 || u.Output > 0 {
		add("tokens in", thousands(in))
		if in > 0 {
			add("cached", fmt.Sprintf("%d %%", 100*u.CacheRead/in))
		}
		add("tokens out", thousands(u.Output))
	}
	if p.State.CostUSD != nil {
		add("cost", fmt.Sprintf("$%.4f", *p.State.CostUSD))
	}
	return rows
}

func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

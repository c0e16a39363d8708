package headless

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"assent/internal/event"
	"assent/internal/llm"
)

// lines prints one JSON object a line: the events that scripts may rely on.
type lines struct{ out io.Writer }

func (l *lines) event(e event.Event) error {
	e, ok := public(e)
	if !ok {
		return nil
	}
	line, err := event.Marshal(e)
	if err != nil {
		return err
	}
	_, err = l.out.Write(append(line, '\n'))
	return err
}

func (l *lines) end() error { return nil }

// public returns an event in the form that product.md promises; ok is false
// for what only an interactive front needs.
func public(e event.Event) (_ event.Event, ok bool) {
	switch e := e.(type) {
	case event.Prompt, event.Queue, event.Step, event.Approval, event.ApprovalDone, event.State, event.Todos:
		return nil, false
	case event.Retry:
		return event.Notice{Text: retryText(e)}, true
	case event.Subagent:
		nested, ok := public(e.Event)
		e.Event = nested
		return e, ok
	default:
		return e, true
	}
}

func retryText(e event.Retry) string {
	return fmt.Sprintf("%s; trying again in %s (try %d)", e.Reason, e.Wait.Round(100e6), e.Attempt+1)
}

// call is one call in the final object.
type call struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	OK   bool   `json:"ok"`
}

// failure is the error in the final object.
type failure struct {
	Message string   `json:"message"`
	Kind    llm.Kind `json:"kind"`
}

// object prints one JSON object at the end.
type object struct {
	people
	out    io.Writer
	answer bytes.Buffer
	// step is where the text of the step begins.
	step   int
	result struct {
		SessionID string      `json:"sessionId"`
		Text      string      `json:"text"`
		Reason    string      `json:"reason"`
		Usage     event.Usage `json:"usage"`
		Steps     int         `json:"steps"`
		ToolCalls []call      `json:"toolCalls"`
		Error     *failure    `json:"error"`
	}
}

func (o *object) event(e event.Event) error {
	switch e := e.(type) {
	case event.Session:
		o.result.SessionID = e.ID
	case event.Step:
		o.step = o.answer.Len()
		paragraph(&o.answer)
	case event.Void:
		o.answer.Truncate(o.step)
		paragraph(&o.answer)
	case event.Text:
		o.answer.WriteString(e.Text)
	case event.ToolResult:
		o.call(e.ID, e.Name, true)
	case event.ToolError:
		o.call(e.ID, e.Name, false)
	case event.ToolDenied:
		o.call(e.ID, e.Name, false)
	case event.Error:
		o.result.Error = &failure{e.Message, e.Kind}
	case event.Done:
		o.result.Reason, o.result.Usage, o.result.Steps = e.Reason, e.Usage, e.Steps
	default: // for people only
	}
	o.people.event(e)
	return nil
}

func (o *object) call(id, name string, ok bool) {
	o.result.ToolCalls = append(o.result.ToolCalls, call{id, name, ok})
}

func (o *object) end() error {
	o.result.Text = string(bytes.TrimRight(o.answer.Bytes(), "\n"))
	if o.result.ToolCalls == nil {
		o.result.ToolCalls = []call{}
	}
	if o.result.Reason == "stop" {
		o.result.Error = nil // it was survived
	}
	enc := json.NewEncoder(o.out)
	enc.SetEscapeHTML(false)
	return enc.Encode(o.result)
}

// paragraph parts the answers of two steps by an empty line.
func paragraph(b *bytes.Buffer) {
	if b.Len() == 0 {
		return
	}
	for !bytes.HasSuffix(b.Bytes(), []byte("\n\n")) {
		b.WriteByte('\n')
	}
}

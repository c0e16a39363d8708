package session

import (
	"bytes"
	"encoding/json"
)

// Redact masks secrets in a text.
type Redact func(string) string

// mask gives a record whose text went through the redaction. Names, ids and
// numbers stay as they are.
func mask(r Record, redact Redact) Record {
	if redact == nil {
		return r
	}
	text := func(s string) string {
		if s == "" {
			return s
		}
		return redact(s)
	}
	switch r := r.(type) {
	case User:
		r.Text, r.Expanded = text(r.Text), text(r.Expanded)
		return r
	case Steer:
		r.Text, r.Expanded = text(r.Text), text(r.Expanded)
		return r
	case Assistant:
		r.Text = text(r.Text)
		calls := make([]SaidCall, len(r.Calls))
		for i, c := range r.Calls {
			c.Input = maskJSON(c.Input, text)
			calls[i] = c
		}
		r.Calls = calls
		return r
	case Call:
		r.Title, r.Reason, r.Rule = text(r.Title), text(r.Reason), text(r.Rule)
		return r
	case Result:
		r.Output, r.Summary, r.Diff = text(r.Output), text(r.Summary), text(r.Diff)
		return r
	case Ask:
		r.Payload = maskJSON(r.Payload, text)
		return r
	case Summary:
		r.Text = text(r.Text)
		return r
	case Todo:
		todos := append(r.Todos[:0:0], r.Todos...)
		for i := range todos {
			todos[i].Content, todos[i].Note = text(todos[i].Content), text(todos[i].Note)
		}
		r.Todos = todos
		return r
	case Title:
		r.Title = text(r.Title)
		return r
	case Notice:
		r.Text = text(r.Text)
		return r
	case Timing:
		r.Error, r.Title = text(r.Error), text(r.Title)
		return r
	case Label:
		r.Label = text(r.Label)
		return r
	case Header, Withdrawn, AskDismissed, Agent, Model, Undo, Usage, Unknown:
		return r
	}
	return r
}

// maskJSON masks the strings inside JSON and leaves every other byte alone.
// What is not JSON is masked as one text.
func maskJSON(raw json.RawMessage, text func(string) string) json.RawMessage {
	if len(raw) == 0 {
		return raw
	}
	if !json.Valid(raw) {
		return json.RawMessage(text(string(raw)))
	}
	var out bytes.Buffer
	for i := 0; i < len(raw); {
		if raw[i] != '"' {
			out.WriteByte(raw[i])
			i++
			continue
		}
		end := i + 1
		for raw[end] != '"' {
			if raw[end] == '\\' {
				end++
			}
			end++
		}
		end++
		out.Write(maskString(raw[i:end], text))
		i = end
	}
	return out.Bytes()
}

func maskString(quoted []byte, text func(string) string) []byte {
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return quoted
	}
	masked := text(s)
	if masked == s {
		return quoted
	}
	b, err := json.Marshal(masked)
	if err != nil {
		return quoted
	}
	return b
}

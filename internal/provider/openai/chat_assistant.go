package openai

import (
	"encoding/json"

	"assent/internal/llm"
	"assent/internal/wireview"
)

// kept is the opaque data of a part on this wire.
type kept struct {
	// Field is where the server put its reasoning.
	Field string `json:"field,omitempty"`
	// Details are the reasoning_details of the response.
	Details []json.RawMessage `json:"details,omitempty"`
	// Extra is the extra_content of a call.
	Extra json.RawMessage `json:"extra,omitempty"`
}

// opaque returns what was kept, as the part's vendor data.
func (k kept) opaque(name, model string) llm.Opaque {
	data, err := json.Marshal(k)
	if err != nil { // the raw values were read from JSON
		data = []byte("{}")
	}
	return llm.Opaque{Provider: name, Model: model, Data: data}
}

// keptOf reads a part's vendor data; data of another form gives nothing.
func keptOf(o llm.Opaque) kept {
	var k kept
	if len(o.Data) > 0 && json.Unmarshal(o.Data, &k) != nil {
		return kept{}
	}
	return k
}

// Assistant writes one response.
func (w *chatWriter) Assistant(a llm.Assistant) {
	w.flush()
	var text, reasoning string
	var calls []byte
	var back kept
	for _, p := range a.Parts {
		var k kept
		switch p := p.(type) {
		case llm.Text:
			text += p.Text
			k = keptOf(p.Opaque)
		case llm.Reasoning:
			reasoning += p.Text
			k = keptOf(p.Opaque)
		case llm.Call:
			k = keptOf(p.Opaque)
			calls = w.appendCall(calls, p, k.Extra)
		}
		if k.Field != "" {
			back.Field = k.Field
		}
		back.Details = append(back.Details, k.Details...)
	}
	w.c.afterTool = false
	w.open(`{"role":"assistant","content":`)
	if text == "" && len(calls) > 0 {
		w.b = append(w.b, "null"...)
	} else {
		w.b = wireview.AppendString(w.b, text)
	}
	w.echo(reasoning, back, len(calls) > 0)
	if len(calls) > 0 {
		w.b = append(append(append(w.b, `,"tool_calls":[`...), calls...), ']')
	}
	w.b = append(w.b, '}')
}

// echo writes the reasoning in the form that the server wants to see again.
func (w *chatWriter) echo(reasoning string, back kept, calls bool) {
	if len(back.Details) > 0 {
		w.b = append(w.b, `,"reasoning_details":[`...)
		for i, d := range back.Details {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			w.b = append(w.b, d...)
		}
		w.b = append(w.b, ']')
	}
	field := back.Field
	if field == "" {
		field = "reasoning_content"
	}
	switch {
	case w.c.q.echo == echoCalls && calls:
	case w.c.q.echo == echoReceived && reasoning != "" && len(back.Details) == 0:
	default:
		return
	}
	w.b = append(append(append(w.b, `,"`...), field...), `":`...)
	w.b = wireview.AppendString(w.b, reasoning)
}

// appendCall writes one call, with the fields that came with it.
func (w *chatWriter) appendCall(b []byte, call llm.Call, extra json.RawMessage) []byte {
	if len(b) > 0 {
		b = append(b, ',')
	}
	b = wireview.AppendString(append(b, `{"id":`...), w.c.q.id(call.ID))
	b = wireview.AppendString(append(b, `,"type":"function","function":{"name":`...), call.Name)
	b = wireview.AppendString(append(b, `,"arguments":`...), string(call.Input))
	b = append(b, '}')
	if len(extra) > 0 {
		b = append(append(b, `,"extra_content":`...), extra...)
	}
	return append(b, '}')
}

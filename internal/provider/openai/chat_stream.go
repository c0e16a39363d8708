package openai

import (
	"encoding/json"
	"errors"

	"assent/internal/llm"
	"assent/internal/provider"
)

// chatDecoder assembles one response.
type chatDecoder struct {
	endpoint *provider.Endpoint
	name     string
	model    string
	parts    *provider.Parts

	inline  inlineThought
	calls   []*chatSlot
	details []detail
	field   string // where reasoning came
	finish  string
	usage   llm.Usage
}

// take reads one event and says how far the response is. Once the finish
// reason came it is complete; some servers send neither the counts nor the
// closing word that belong behind it.
func (d *chatDecoder) take(ev provider.Event) (provider.Progress, error) {
	var err error
	done := string(ev.Data) == "[DONE]"
	if !done {
		err = d.event(ev.Data)
	}
	switch {
	case d.finish != "" && done:
		return provider.Ended, err
	case done:
		return provider.More, d.endpoint.Cut()
	case d.finish != "":
		return provider.Complete, err
	}
	return provider.More, err
}

// event takes in one chunk.
func (d *chatDecoder) event(data []byte) error {
	if text, ok := textOnly(data); ok {
		d.say(text)
		return nil
	}
	var c chatChunk
	var odd *json.UnmarshalTypeError // of one field; the others were read
	if err := json.Unmarshal(data, &c); err != nil && !errors.As(err, &odd) {
		if api := provider.ParseError(data); api != nil {
			return d.endpoint.InStream(api)
		}
		return nil // no chunk of ours; what matters comes again or is missed at the end
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return d.endpoint.InStream(provider.ErrorOf(data))
	}
	if c.Usage != nil {
		d.usage = c.Usage.usage()
	} else if c.Groq != nil && c.Groq.Usage != nil {
		d.usage = c.Groq.Usage.usage()
	}
	if len(c.Choices) == 0 {
		if api := bareError(data, c); api != nil {
			return d.endpoint.InStream(api)
		}
	}
	for _, ch := range c.Choices {
		if ch.Index != 0 {
			continue
		}
		for _, delta := range []*chatDelta{ch.Delta, ch.Message} {
			if delta != nil {
				d.delta(delta)
			}
		}
		if ch.Finish != nil && *ch.Finish != "" {
			d.finish = *ch.Finish
		}
	}
	return nil
}

// bareError finds an error that a server sent without an error field.
func bareError(data []byte, c chatChunk) *provider.APIError {
	if c.Usage != nil || c.Groq != nil {
		return nil
	}
	return provider.ParseError(data)
}

// delta takes in a piece of the response. One piece may hold reasoning, text
// and calls together.
func (d *chatDecoder) delta(delta *chatDelta) {
	thought, text := prose(delta.Content)
	switch _, reasoning := prose(delta.Reasoning); {
	case delta.Thought != "":
		d.reason("reasoning_content", delta.Thought)
	case reasoning != "":
		d.reason("reasoning", reasoning)
	case thought != "":
		d.reason("", thought)
	default:
		for _, raw := range delta.Details {
			d.reason("", detailText(raw))
		}
	}
	for _, raw := range delta.Details {
		begun := len(d.details)
		d.details = addDetail(d.details, raw)
		d.parts.Hold(len(raw) + (len(d.details)-begun)*detailCost)
	}
	if text != "" {
		d.say(text)
	}
	d.parts.Refuse(delta.Refusal)
	if len(delta.Calls) > 0 {
		d.tell(d.inline.end())
	}
	for _, call := range delta.Calls {
		d.call(call)
	}
}

// say adds text; thinking that stands in it becomes reasoning.
func (d *chatDecoder) say(text string) { d.tell(d.inline.add(text)) }

func (d *chatDecoder) tell(thought, text string) {
	d.reason("", thought)
	if text != "" {
		d.parts.Text(text)
	}
}

func (d *chatDecoder) reason(field, text string) {
	if text == "" {
		return
	}
	if field != "" {
		d.field = field
	}
	if h := d.parts.Reasoning(text); d.parts.Opaque(h).Provider == "" {
		d.parts.SetOpaque(h, kept{Field: d.field}.opaque(d.name, d.model))
	}
}

// reply returns the complete response.
func (d *chatDecoder) reply() (llm.Reply, error) {
	d.tell(d.inline.end())
	stop, ok := d.stop()
	if !ok {
		f := d.endpoint.InStream(&provider.APIError{Type: d.finish, Message: "the server ended the response early"})
		f.Retryable = true
		return llm.Reply{}, provider.WithPartial(f, d.parts, d.usage)
	}
	if details := joinDetails(d.details); len(details) > 0 {
		if d.parts.Len() == 0 {
			d.parts.Reasoning("")
		}
		k := keptOf(d.parts.Opaque(0))
		k.Details = details
		d.parts.SetOpaque(0, k.opaque(d.name, d.model))
	}
	return llm.Reply{
		Parts: d.parts.Done(), Stop: stop, Detail: d.parts.Refusal(), Usage: d.usage,
		Provider: d.name, Model: d.model,
	}, nil
}

// stop maps the finish reason; false for one that means a failure.
func (d *chatDecoder) stop() (llm.Stop, bool) {
	switch d.finish {
	case "length", "max_tokens", "model_length":
		return llm.StopLength, true
	case "content_filter", "sensitive":
		return llm.StopFilter, true
	case "refusal":
		return llm.StopRefusal, true
	case "context_length_exceeded", "model_context_window_exceeded":
		return llm.StopContext, true
	case "error", "network_error", "insufficient_system_resource", "abort":
		return "", false
	}
	switch {
	case d.parts.Calls():
		return llm.StopCalls, true
	case d.parts.Refusal() != "":
		return llm.StopRefusal, true
	}
	return llm.StopEnd, true
}

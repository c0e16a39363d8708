package gemini

import (
	"encoding/json"
	"errors"
	"strings"

	"assent/internal/llm"
	"assent/internal/provider"
)

// decoder assembles one response.
type decoder struct {
	endpoint *provider.Endpoint
	model    string
	parts    *provider.Parts

	finish string
	detail string
	usage  llm.Usage
}

// event is one event of the stream.
type event struct {
	Candidates []struct {
		Index   int `json:"index"`
		Content struct {
			Parts []part `json:"parts"`
		} `json:"content"`
		Finish  string `json:"finishReason"`
		Message string `json:"finishMessage"`
	} `json:"candidates"`
	Feedback struct {
		Reason  string `json:"blockReason"`
		Message string `json:"blockReasonMessage"`
	} `json:"promptFeedback"`
	Usage *struct {
		Prompt     int `json:"promptTokenCount"`
		Cached     int `json:"cachedContentTokenCount"`
		Candidates int `json:"candidatesTokenCount"`
		Thoughts   int `json:"thoughtsTokenCount"`
		Tools      int `json:"toolUsePromptTokenCount"`
	} `json:"usageMetadata"`
	Error json.RawMessage `json:"error"`
}

type part struct {
	Text      string `json:"text"`
	Thought   bool   `json:"thought"`
	Signature string `json:"thoughtSignature"`
	Call      *struct {
		ID   string          `json:"id"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
}

// take reads one event and says how far the response is. Some servers write a
// finish reason into every event, so none is the last by itself.
func (d *decoder) take(ev provider.Event) (provider.Progress, error) {
	err := d.document(ev.Data)
	if d.finish != "" {
		return provider.Complete, err
	}
	return provider.More, err
}

// document takes in one event, or the list of events that a server sends which
// does not stream.
func (d *decoder) document(data []byte) error {
	var list []json.RawMessage
	if len(data) > 0 && data[0] == '[' && json.Unmarshal(data, &list) == nil {
		for _, one := range list {
			if err := d.event(one); err != nil {
				return err
			}
		}
		return nil
	}
	return d.event(data)
}

// event takes in one event.
func (d *decoder) event(data []byte) error {
	var ev event
	var odd *json.UnmarshalTypeError // of one field; the others were read
	if err := json.Unmarshal(data, &ev); err != nil && !errors.As(err, &odd) {
		return nil // no event of ours; what matters is missed at the end
	}
	if len(ev.Error) > 0 && string(ev.Error) != "null" {
		return d.endpoint.InStream(provider.ErrorOf(data))
	}
	if u := ev.Usage; u != nil {
		d.usage = llm.Usage{
			Input: max(0, u.Prompt+u.Tools-u.Cached), CacheRead: u.Cached,
			Output: u.Candidates + u.Thoughts, Reasoning: u.Thoughts,
		}
	}
	for _, c := range ev.Candidates {
		if c.Index != 0 {
			continue
		}
		for _, p := range c.Content.Parts {
			d.part(p)
		}
		if c.Finish != "" && c.Finish != "FINISH_REASON_UNSPECIFIED" {
			d.finish, d.detail = c.Finish, c.Message
		}
	}
	if ev.Feedback.Reason != "" && len(ev.Candidates) == 0 {
		d.finish, d.detail = "PROMPT_BLOCKED", strings.TrimSpace(ev.Feedback.Reason+" "+ev.Feedback.Message)
	}
	return nil
}

// part takes in one part. A signed one stands by itself, so that its signature
// goes back with exactly its text.
func (d *decoder) part(p part) {
	if p.Call == nil && p.Text == "" && p.Signature == "" {
		return
	}
	if p.Signature != "" {
		d.parts.Close()
	}
	var h int
	switch {
	case p.Call != nil:
		h = d.parts.Call(p.Call.ID, p.Call.Name)
		d.parts.Args(h, string(p.Call.Args))
	case p.Thought:
		h = d.parts.Reasoning(p.Text)
	default:
		h = d.parts.Text(p.Text)
	}
	if p.Signature != "" {
		d.parts.SetOpaque(h, llm.Opaque{Provider: d.endpoint.Name(), Model: d.model, Data: []byte(p.Signature)})
		d.parts.Close()
	}
}

// reply returns the complete response.
func (d *decoder) reply() (llm.Reply, error) {
	reply := llm.Reply{
		Parts: d.parts.Done(), Stop: llm.StopEnd, Usage: d.usage,
		Provider: d.endpoint.Name(), Model: d.model,
	}
	switch d.finish {
	case "STOP":
		if d.parts.Calls() {
			reply.Stop = llm.StopCalls
		}
	case "MAX_TOKENS":
		reply.Stop = llm.StopLength
	case "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "PROMPT_BLOCKED":
		reply.Stop = llm.StopFilter
		reply.Detail = strings.TrimPrefix(strings.TrimSpace(d.finish+" "+d.detail), "PROMPT_BLOCKED ")
	default:
		// The model wrote a call that cannot be read, or the server gave up: the
		// same request may well succeed.
		f := d.endpoint.InStream(&provider.APIError{Type: d.finish, Message: "the model ended its response with " + d.finish + ": " + d.detail})
		f.Retryable = true
		return llm.Reply{}, provider.WithPartial(f, d.parts, d.usage)
	}
	return reply, nil
}

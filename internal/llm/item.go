package llm

import (
	"encoding/json"
	"strings"
)

// Item is one element of a conversation, in the order in which the model sees
// it.
//
//sumtype:decl
type Item interface{ item() }

// User is what the user said: a prompt, or a message that steers a running
// turn.
type User struct {
	// Text is the prompt with its expanded context.
	Text string
	// Images are attached after the text.
	Images []Image
}

// Note is what the program tells the model between steps: a changed task
// list, an instruction file of a deeper folder, a request to go on. It is
// appended where it became true and never edited afterwards.
type Note struct{ Text string }

// Assistant is one response of a model: its parts in the order in which they
// arrived.
type Assistant struct {
	Parts []Part
	// Provider and Model say who made it; opaque data is valid only there.
	Provider, Model string
	Stop            Stop
}

// Result answers one call. Results follow their Assistant item in the order
// of its calls.
type Result struct {
	CallID string
	// Name is the name of the tool that was called.
	Name   string
	Status Status
	// Output is the text that the model sees.
	Output string
	Images []Image
}

func (User) item()      {}
func (Note) item()      {}
func (Assistant) item() {}
func (Result) item()    {}

// Part is a piece of an assistant's response.
//
//sumtype:decl
type Part interface{ part() }

// Text is visible answer text.
type Text struct {
	Text   string
	Opaque Opaque
}

// Reasoning is hidden thinking: memory only, never written to disk.
type Reasoning struct {
	// Text is the readable thinking or its summary; it may be empty while
	// Opaque is not.
	Text   string
	Opaque Opaque
}

// Call is a model's request to run a tool.
type Call struct {
	// ID is unique within a conversation: the provider's, or one of ours where
	// the provider's is missing or repeats.
	ID string
	// Name is the tool's name as the model wrote it.
	Name string
	// Input is the argument text as it arrived; it is valid JSON only when
	// json.Valid says so.
	Input  json.RawMessage
	Opaque Opaque
}

func (Text) part()      {}
func (Reasoning) part() {}
func (Call) part()      {}

// Opaque is vendor data that must go back byte for byte with its part: a
// signature, encrypted reasoning, an item in the vendor's own form. It lives
// in memory only and is valid only for the provider and model that made it.
type Opaque struct {
	Provider, Model string
	Data            []byte
}

// Image is a picture for a model that sees.
type Image struct {
	// MIME is image/png, image/jpeg, image/gif or image/webp.
	MIME string
	Data []byte
	// Name says where it came from, for messages to the user.
	Name string
}

// Status says how a call ended.
type Status string

// The ways in which a call can end. Only StatusOK means that the tool ran and
// did what was asked.
const (
	StatusOK          Status = "ok"
	StatusError       Status = "error"
	StatusDenied      Status = "denied"
	StatusInterrupted Status = "interrupted"
	StatusCancelled   Status = "cancelled"
)

// Calls returns the calls of a response in order.
func (a Assistant) Calls() []Call {
	var calls []Call
	for _, p := range a.Parts {
		if c, ok := p.(Call); ok {
			calls = append(calls, c)
		}
	}
	return calls
}

// Text returns the visible text of a response, its text parts joined as they
// stand.
func (a Assistant) Text() string {
	var s string
	for _, p := range a.Parts {
		if t, ok := p.(Text); ok {
			s += t.Text
		}
	}
	return s
}

// ImageType returns the MIME type of a picture that models see, by its first
// bytes; empty for anything else.
func ImageType(data []byte) string {
	s := string(data[:min(len(data), 12)])
	switch {
	case strings.HasPrefix(s, "\x89PNG\r\n\x1a\n"):
		return "image/png"
	case strings.HasPrefix(s, "\xff\xd8\xff"):
		return "image/jpeg"
	case strings.HasPrefix(s, "GIF87a"), strings.HasPrefix(s, "GIF89a"):
		return "image/gif"
	case len(s) == 12 && strings.HasPrefix(s, "RIFF") && strings.HasSuffix(s, "WEBP"):
		return "image/webp"
	}
	return ""
}

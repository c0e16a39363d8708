package provider

import (
	"context"
	"net/http"
	"time"
)

// Wire names a protocol that a model server speaks.
type Wire string

// The wires. WireOpenAI is Chat Completions, WireResponses the Responses API.
const (
	WireAnthropic Wire = "anthropic"
	WireOpenAI    Wire = "openai"
	WireResponses Wire = "openai-responses"
	WireGemini    Wire = "gemini"
	WireScript    Wire = "script"
)

// Options says which server an adapter talks to and how. The zero value of a
// field is explained at the field.
type Options struct {
	// Name is the preset's name; it tags opaque data and names the server in
	// messages.
	Name string
	// BaseURL is the server, with or without a trailing slash or version.
	BaseURL string
	// Key returns the credential; with refresh it makes a new one after the
	// server refused the last. nil: no credential is sent.
	Key func(ctx context.Context, refresh bool) (string, error)
	// KeyHint says where a user sets the key ("set ANTHROPIC_API_KEY"), for
	// the text of an auth failure; may be empty.
	KeyHint string
	// HTTP carries the requests; nil: a client over [NewTransport]'s defaults.
	// Its Timeout and redirect policy are not used.
	HTTP *http.Client
	// Header is sent with every request, for vendors that want one more.
	Header map[string]string
	// Facts tells what is known of a model; nil: nothing is known.
	Facts func(model string) Facts
	// Limits bound the waiting; zero fields take the defaults.
	Limits Limits
}

// Limits bound how long and how much a stream may be.
type Limits struct {
	// Idle is the longest silence within an answer; any byte ends it. Zero:
	// 120 s.
	Idle time.Duration
	// FirstByte is the wait for the first byte of the answer's body. Zero: 2.5
	// times Idle (5 minutes), three times that for a server on this machine,
	// which may be loading a model.
	FirstByte time.Duration
	// Quiet is the longest time with keep-alives but without a real event.
	// Zero: 5 times Idle (10 minutes).
	Quiet time.Duration
	// Linger is how long a complete response waits for what may follow its end:
	// counts, the closing word. Zero: 2 s.
	Linger time.Duration
	// Event bounds the bytes of one event. Zero: 32 MiB.
	Event int
	// Total bounds the bytes of one stream. Zero: 256 MiB.
	Total int64
}

// or returns the limits with defaults for zero fields; local says that the
// server is on this machine.
func (l Limits) or(local bool) Limits {
	if l.Idle == 0 {
		l.Idle = 120 * time.Second
	}
	if l.FirstByte == 0 {
		l.FirstByte = l.Idle * 5 / 2
		if local {
			l.FirstByte *= 3
		}
	}
	if l.Quiet == 0 {
		l.Quiet = 5 * l.Idle
	}
	if l.Linger == 0 {
		l.Linger = 2 * time.Second
	}
	if l.Event == 0 {
		l.Event = 32 << 20
	}
	if l.Total == 0 {
		l.Total = 256 << 20
	}
	return l
}

// facts returns what is known of a model.
func (o Options) facts(model string) Facts {
	if o.Facts == nil {
		return Facts{}
	}
	return o.Facts(model)
}

package llm

import "time"

// Kind classifies what went wrong with a request; the words are those of the
// error event.
type Kind string

// Kinds of failure.
const (
	KindAuth        Kind = "auth"
	KindRateLimit   Kind = "rate_limit"
	KindOverflow    Kind = "overflow"
	KindNetwork     Kind = "network"
	KindProvider    Kind = "provider"
	KindPersistence Kind = "persistence"
	KindInternal    Kind = "internal"
)

// Failure is why a request brought no complete response. It is the only error
// type that a model's Stream returns, apart from a cancelled context's.
type Failure struct {
	Kind Kind
	// Message says what happened, to what, and what to do next; it never holds
	// a key.
	Message string
	// Status is the HTTP status, 0 when there was none.
	Status int
	// Retryable says that the same request may succeed later.
	Retryable bool
	// RetryAfter is what the server asked to wait; 0 when it said nothing.
	RetryAfter time.Duration
	// Partial holds what had arrived when a stream broke after output: text
	// and reasoning only, calls that were not complete are dropped.
	Partial []Part
	// Usage is what the broken stream had reported.
	Usage Usage
	Err   error
}

// Error returns the message.
func (f *Failure) Error() string { return f.Message }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

package llm

import "encoding/json"

// Level is how hard a model should think; it means the same whatever the
// provider.
type Level string

// The thinking levels, least first. A model that lacks one gets the nearest.
const (
	LevelOff    Level = "off"
	LevelLow    Level = "low"
	LevelMedium Level = "medium"
	LevelHigh   Level = "high"
	LevelMax    Level = "max"
)

// Levels lists the valid levels, least first.
func Levels() []Level { return []Level{LevelOff, LevelLow, LevelMedium, LevelHigh, LevelMax} }

// Spec describes a tool to a model.
type Spec struct {
	Name        string
	Description string
	// Schema is the JSON Schema of the arguments, an object schema.
	Schema json.RawMessage
}

// Request asks a model for one response. Within an epoch every request only
// extends the one before it: the same Model, System, Tools and Level, and
// Items that begin with the former Items.
type Request struct {
	Model  string
	System string
	Tools  []Spec
	Items  []Item
	Level  Level
	// MaxOutput is the most tokens that the response may have; 0 takes the
	// model's own limit.
	MaxOutput int
	// Session names the conversation for prompt caches.
	Session string
	// Epoch counts the rebuilds of the view; a request of a new epoch owes the
	// former ones nothing. Reason says why it began.
	Epoch  int
	Reason string
}

// Stop says why a response ended.
type Stop string

// Stop reasons. Only StopEnd and StopCalls are a normal end.
const (
	StopEnd     Stop = "stop"
	StopCalls   Stop = "calls"
	StopLength  Stop = "length"
	StopRefusal Stop = "refusal"
	StopFilter  Stop = "content_filter"
	StopContext Stop = "context"
	StopPause   Stop = "pause"
)

// Usage counts tokens. The four classes are kept apart: Input is what was
// neither read from nor written to a cache, CacheRead and CacheWrite come on
// top of it, and Reasoning is contained in Output.
type Usage struct {
	Input, Output, CacheRead, CacheWrite, Reasoning int
}

// Total is the size of the context after the response: everything that was
// sent and everything that was said.
func (u Usage) Total() int { return u.Input + u.CacheRead + u.CacheWrite + u.Output }

// Add returns the sum of two counts.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		u.Input + v.Input, u.Output + v.Output,
		u.CacheRead + v.CacheRead, u.CacheWrite + v.CacheWrite, u.Reasoning + v.Reasoning,
	}
}

// Reply is a complete response.
type Reply struct {
	Parts []Part
	Stop  Stop
	// Detail is the vendor's own word on a refusal or filter, for the user.
	Detail string
	Usage  Usage
	// Provider and Model are who answered.
	Provider, Model string
}

// Chunk is a piece of a response while it streams.
//
//sumtype:decl
type Chunk interface{ chunk() }

// TextDelta extends the visible answer.
type TextDelta struct{ Text string }

// ReasoningDelta extends the hidden thinking.
type ReasoningDelta struct{ Text string }

// CallStart tells that a call begins, before its arguments have arrived.
type CallStart struct{ ID, Name string }

// Warning is something the user should know about the exchange: a level that
// was mapped, an endpoint that was switched, a parameter that was dropped.
type Warning struct{ Text string }

// Waiting tells that the transport itself is about to wait and try again, for
// instance after a refreshed credential.
type Waiting struct{ Reason string }

// Rebuilt tells that what was sent of this epoch before goes out in other bytes,
// and so without the server's cache of it; Reason says why, as of a new epoch.
type Rebuilt struct{ Reason string }

func (TextDelta) chunk()      {}
func (ReasoningDelta) chunk() {}
func (CallStart) chunk()      {}
func (Warning) chunk()        {}
func (Waiting) chunk()        {}
func (Rebuilt) chunk()        {}

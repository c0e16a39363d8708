// Package gemini speaks Gemini's streamGenerateContent.
//
// It owns the bytes of that wire: contents and their parts, thought
// signatures, thinking levels and budgets, finish reasons. It must never know a
// tool, a file or the loop that calls it; retries that wait are the loop's.
//
// The flow: a [Client] is one server; a [Conversation] is one history with it
// and keeps the rendered bytes of what it sent.
//
//	Conversation.Stream ─ Exchange.Send(codec) ─ Stream.Gather(decoder) ─ Reply
//
// Laws: a signature goes back on the very part that it came with, and parts
// with and without one are never merged; a call without a signature gets the
// documented value that skips the check where the model family demands one; a
// response is complete only with its finish reason.
package gemini

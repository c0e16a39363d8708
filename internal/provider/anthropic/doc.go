// Package anthropic speaks the Messages wire.
//
// It owns the form of a request ([codec]), the reading of the stream
// ([decoder]) and what each model generation accepts for thinking. It never
// knows a tool, the loop or the log.
//
//	Stream → Exchange.Send (bytes of the epoch, marks, tail)
//	       → Stream.Gather, decoder per event → llm.Reply
//
// Laws: thinking goes back byte for byte within the epoch; what may change
// from request to request (token limit, thinking, cache marks) stands in the
// tail or is spliced in, never in what was sent before; a request is repeated
// only when the server refused its shape before any output, once a cause.
package anthropic

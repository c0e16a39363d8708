// Package provider carries requests to model servers and says what came back.
//
// It owns what every vendor's adapter needs: one streaming transport with its
// idle limits ([Endpoint], [Stream]), the reading of event streams ([Event]),
// the gathering of a response's parts ([Parts]), the classification of every
// failure into a [*llm.Failure], the presets, the catalogue of model facts and
// prices, and the mapping of thinking levels. It must never know a tool, a
// file of the user's, the config file or the loop that calls it.
//
// The flow of one response, in an adapter:
//
//	body := view.Body(req, codec)               // bytes, mostly those of the last request
//	stream := endpoint.Post(ctx, Call{...})     // one attempt, plus one refreshed credential
//	for ev, err := range stream.Events() {...}  // decode into Parts; leave at the terminal event
//	parts.Done() → llm.Reply, or stream.Cut(parts, usage) → *llm.Failure with Partial
//
// Laws: the transport makes one attempt and classifies, it never waits to try
// again (that is the loop's decision); a terminal event ends a stream at once,
// even when the socket stays open; the end of a stream without a terminal
// event is a failure; no key appears in an error, a warning or a URL; a
// redirect is never followed, since it would carry the key elsewhere.
package provider

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
//	stream, err := exchange.Send(ctx, req, Dialect{...}, emit)
//	                  // the view's bytes, mostly those of the last request, in one
//	                  // attempt, plus one refreshed credential and what is learned
//	                  // from a refusal before any output
//	err = stream.Gather(parts, &usage, take)
//	                  // take decodes one event into parts and says how far the
//	                  // response is; the error is a *llm.Failure with Partial
//	parts.Done() → llm.Reply
//
// Laws: the transport makes one attempt and classifies, it never waits to try
// again (that is the loop's decision); a terminal event ends a stream at once,
// even when the socket stays open; the end of a stream without a terminal
// event is a failure; no key appears in an error, a warning or a URL; a
// redirect is never followed, since it would carry the key elsewhere.
package provider

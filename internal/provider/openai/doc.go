// Package openai speaks the two wires of OpenAI: Chat Completions, which many
// servers imitate, and Responses.
//
// It owns the bytes of both: how a request is written, how a stream is read,
// and the quirks of the servers that claim to be compatible. It must never
// know a tool, a file or the loop that calls it; retries that wait are the
// loop's.
//
// The flow: a [Client] is one server; a [Conversation] is one history with it
// and keeps the rendered bytes of what it sent.
//
//	Conversation.Stream ─ Exchange.Send(chatCodec | responsesCodec) ─┐
//	       ▲                                                          │
//	       └── a refused parameter is dropped, a refused shape goes ──┤
//	           to the next wire; both are remembered and told once    │
//	Reply ◄── Stream.Gather(chatDecoder | responsesDecoder) ◄─────────┘
//
// Laws: a request is changed and sent again only before anything of a response
// arrived, and each time because of something newly learned, so never without
// end; a response is complete only with its terminal event or finish reason;
// opaque data goes back on the part that it came with.
package openai

// Package providertest is a scripted model server, and the suite that every
// adapter passes.
//
// It owns one script language, the four wires that a server can speak
// (Anthropic Messages, OpenAI Chat Completions and Responses, Gemini), the
// refusal of histories that a vendor would refuse, and [Suite]. It never knows
// an adapter.
//
// A script is text. Responses are divided by a line "---"; each line is a
// step. Text may stand bare or as a Go string literal.
//
//	text Hello          visible text, streamed in pieces
//	think Hm            hidden thinking, signed
//	redacted            thinking that only the server can read
//	call NAME ARGS      a call; ARGS go out as they are, valid or not
//	bigcall NAME N      a call with an argument of N bytes
//	flood N M           N bytes of text in pieces of M bytes
//	chunk N             size of the pieces that follow (8)
//	id X / index N      id ("-" for none) and index of the next call
//	unoffered           the next call may name a tool that was not offered
//	usage IN OUT READ WRITE REASONING
//	stop WORD           end calls length refusal filter context pause, or the vendor's own
//	expect TEXT         refuse the request unless its body contains TEXT
//	match TEXT          play this response only for a request that contains TEXT
//	repeat              play this response for any number of requests
//	wait NAME           hold until Server.Release(NAME)
//	pause DUR           hold for a while
//	ping N              keep-alives, comments and the vendor's own in turn; without N they never end
//	stall               no answer; "stall header": its header and nothing more
//	hang                nothing more, the socket stays open
//	cut                 end the body here, without a terminal event
//	cut N               end the connection after N bytes of body
//	reset               reset the connection
//	open                complete, but keep the socket open
//	error TYPE TEXT     an error object inside the stream
//	event NAME DATA     an event as it is
//	status N            refuse with a status; header K: V and body TEXT shape it
//	html, empty, garbage TEXT, json    answers that are no stream of events
//
// A test holds the server by [Start]; a benchmark of another process runs
// providertest/cmd.
package providertest

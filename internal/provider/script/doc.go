// Package script plays a file instead of asking a model.
//
// It owns the form of that file: one JSON object a line, each a response. It
// makes demonstrations, bug reports and tests repeatable, and never touches
// the network. It knows nothing of what the calls do.
//
// Fields of a line, all optional:
//
//	text       visible answer text, streamed in pieces
//	reasoning  hidden thinking, streamed before the text
//	calls      [{"name", "input", "id"}]; input is an object, or a string that
//	           goes out as the argument text as it is
//	stop       stop, calls, length, refusal, content_filter, context, pause;
//	           by default calls when there are any, else stop
//	detail     the word on a refusal
//	delayMs    waits before the response begins
//	chunkMs    waits before each piece
//	expect     text, or a list of texts, that the request must contain; a
//	           request without it fails, and the failure says what it ends with
//	match      plays the line only for a request that contains this text
//	usage      {"input", "output", "cacheRead", "cacheWrite", "reasoning"};
//	           by default a quarter of the characters
//	cut        the stream breaks after the text
//	error      {"kind", "message", "status", "retryable", "retryAfterMs"}
//	           instead of a response
//
// Laws: ids are the same at every run; lines are played in order by all
// conversations together; a resumed conversation goes on after the responses
// that it holds; an unknown field or a bad value is an error with its line.
package script

// Package prompt owns what the program itself tells a model: the system text,
// and the notes that tell of state while a conversation runs.
//
// It is pure. It knows no file, no clock and no provider; the caller says what
// is offered and what is true. The texts describe only tools that are offered.
//
// The system text is byte-stable: the same Parts give the same bytes, and
// nothing in it depends on the folder, the day or the state of the work. Its
// parts stand from what changes least (who the agent is) to what changes most
// (skills, servers, plugins), so that prompt caches share the most. Everything
// that can change within a session is a note: a text on one topic, appended
// where it became true, and appended again only when it differs from what was
// last told. A note is empty when there is nothing to tell.
package prompt

// Package engine runs one conversation: it carries out the orders of
// [assent/internal/turn] and feeds back what came of them.
//
// It owns the conversation in memory (an only growing list of items and the
// epoch in which it is sent), the running request and the running calls. It
// decides nothing: what comes next is turn's to say, who may act is the gate's,
// and what lasts is the log's. It must never know a vendor, a file of the
// user's, a front, or what a message says.
//
// The flow:
//
//	Run(Submit) → turn.Step → orders ─┬─ save ──→ Log.Append, then the event
//	     ↑                            ├─ ask ───→ Step input, Model.Stream, chunks told as they come
//	     │                            ├─ permit → Gate.Decide
//	     └──────── facts ←────────────┴─ run ───→ tool.Planned.Run with the grant
//
// One goroutine owns everything of a turn: it steps, saves and tells. Requests,
// decisions and calls run in goroutines of their own and only send back what
// came of them.
//
// Laws, each held by a test that looks at requests, records and events:
//
//   - A fact is told after its record is stored; when a record that must not be
//     lost cannot be stored, the turn ends before the model hears of it.
//   - Within an epoch a request only extends the one before it.
//   - Run returns when nothing that it started is running any more, or, for
//     what does not heed its context, after a grace of a few seconds and a
//     notice.
//   - After Run every call of the conversation has its result, save a call that
//     waits for an answer from outside.
package engine

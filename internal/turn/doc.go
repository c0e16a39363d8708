// Package turn decides what happens next in a turn: it is the agent's loop
// without hands. [Step] takes a [State] and a [Fact] and returns the next
// State and the [Order]s that follow from it.
//
// It owns every decision of the loop: what is saved before what, which calls
// may run together, what is retried, how often and after how long, when the
// history is folded, and how a turn ends. It must never know what a message
// says, what a tool does, where a record goes or what time it is: facts name
// calls and steering messages by id, and whoever carries out the orders holds
// their content.
//
// The flow of a turn:
//
//	Submitted → SaveUser Ask → Said → SaveAssistant
//	  → for each call: Permit → Granted → SaveCall Run → Finished → Settle
//	  → Enter (steering that came meanwhile) → Ask → … → End
//
// The orders of one Step are carried out in their order. When a save that must
// not fail fails, the rest is dropped and SaveFailed is the next fact. A fact
// that does not fit the state is ignored, so late and double answers are
// harmless.
//
// Laws, held by property tests over random strings of facts:
//
//   - The user's message is saved before the model is asked, a response before
//     any of its calls is permitted or run, a call with its decision before it
//     runs and before its result.
//   - Every call of a response gets exactly one result, in the order of the
//     calls, whatever order they finished in; only a call that waits for an
//     answer stays open, and then the turn ends as a question.
//   - No call runs that was not granted. Calls that were cut off, are not
//     valid, are not known or are beyond the most of a response never run.
//   - Calls that only read and stand next to each other are decided and run
//     together, at most Limits.Parallel; every other call is decided and runs
//     alone, and so is the first of calls that were left open decided.
//   - After a cancel, a timeout or a failed save nothing new is asked, permitted
//     or run, and the turn ends only when nothing is running any more.
//   - After End there is no order until the next Submitted.
//   - Steps, tries, continuations, nudges, pauses, cut responses, folds and
//     rebuilds are counted and bounded.
//   - The same state and fact give the same orders, and Step changes no value
//     that it was given.
package turn

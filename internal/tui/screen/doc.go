// Package screen decides what the terminal shows and what a key does. It is a
// value and transitions over it, so that everything a user can see or press is
// tested without a terminal, a model or a clock.
//
// It owns the input rules, the queue as the user sees it, approvals, pickers,
// the command table, history, pasted text, the first-run set-up, and the order
// in which finished things reach the scrollback. It must never know how a line
// is drawn or wrapped, what a colour is, or how a command reaches the host;
// text that came from outside is kept as it came, and whoever draws it makes
// it safe.
//
//	event.Event ── Apply ──┐
//	key ── Press, Edited ──┼──→ State ──→ paint (live region)
//	paste, size, time ─────┤      ├──→ Drain: blocks for the scrollback, once
//	answers ── Answered ───┘      └──→ Intents: what the glue must do
//
// The prompt is edited by the text area in the glue. Each key carries a
// [Snapshot] of it; Press claims the keys that mean something here and gives
// back [Pass] for one that belongs to the text area, after which the glue
// calls Edited with the new snapshot. One-line fields of panels are edited
// here. Intents are carried out in their order.
//
// Laws, held by property tests over random strings of keys and events:
//
//   - No transition changes a value that it was given.
//   - Text that was typed or pasted into the prompt is, at every moment, in the
//     prompt, in the queue, sent, in the history, or given back.
//   - An approval is answered at most once, and never by a key that was already
//     being typed when it appeared.
//   - Blocks come out once and in order, whatever the order of Apply, Settle
//     and Drain.
//   - esc closes what is open, else it cancels the turn. ctrl+c closes what is
//     open, else ends the running command, else the turn, else clears the
//     prompt, and a second one in a row quits.
//   - What a State holds is bounded, and the cost of a transition does not grow
//     with the length of the session.
package screen

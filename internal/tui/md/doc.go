// Package md owns Markdown on a terminal: how an answer that is still being
// written is cut into finished pieces, and how a piece, a file's code and a
// diff look as styled lines.
//
// It knows nothing of a conversation, of blocks of the screen or of keys, and
// it trusts no text: everything is cleaned before it is read (package ink).
// The flow of an answer is
//
//	tail + deltas → Cut → a finished piece → Render → scrollback, once
//	              ↘ the rest              → Tail   → live region, every flush
//
// Its laws:
//   - the pieces that Cut makes, joined again, say all that the answer says,
//     and drawn one after the other they look like the answer drawn whole;
//   - what Cut leaves is bounded, so a flush costs the same at the end of a
//     long answer as at its beginning, whether that is one line, one fence that
//     never closes or one table;
//   - nothing that a model writes makes a line wider than Style.Cols, an escape
//     sequence that is not ours, or a panic.
package md

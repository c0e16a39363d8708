// Package paint turns what the screen holds into lines: finished blocks into
// scrollback, everything else into the frame of the live region.
//
// It decides how things look and what is left out when there is no room. It
// must never know a key, an intent or the host, keeps nothing between two
// frames, and writes nothing itself.
//
//	screen.Block → Blocks → lines, printed once and never drawn again
//	screen.State → Live   → Frame: lines and the cursor, drawn anew each time
//
// Everything stands in the same columns: a mark in the first two cells, text
// behind it.
//
// Laws, held by property tests over events, keys and sizes:
//   - no line is wider than Style.Cols, no frame taller than Style.Rows, the
//     cursor stands inside the frame;
//   - no text from outside brings an escape sequence or a control character to
//     the terminal, and in what a person decides on nothing is hidden;
//   - the frame holds no full-width rules and no background bars, because they
//     leave ghosts when the terminal gets narrower;
//   - when the rows are few the answer's tail gives way first, then what is in
//     progress, then the dialog, then the prompt.
package paint

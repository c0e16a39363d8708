// Package inline owns what is written to a terminal so that finished lines
// become ordinary scrollback and a few rows below them are redrawn in place.
//
// It knows nothing of what the rows say, of keys, or of how bytes reach the
// terminal: it turns rows into the bytes that change what stands there.
//
//	printed rows + live rows ── Draw ──→ bytes: only the rows that differ
//
// A row that was live and is printed now is not written again, it is left
// behind; so an answer that settles costs nothing.
//
// Laws, held against a terminal emulator:
//
//   - A printed row is written once, in order, and never touched again.
//   - Nothing above the live rows is written, erased or moved.
//   - A frame goes out as one string, with the cursor hidden or the output
//     synchronised while it is incomplete.
//   - A frame that meets another size than it was drawn for loses and doubles
//     printed row; where rows are wrapped anew and it cannot rewind, copies of
//     live ones may stay behind.
//   - After a change of size it climbs from where the terminal says the cursor
//     stands, over rows as they are wrapped then, and never over the top.
//   - What is drawn costs what differs, whatever was printed before.
package inline

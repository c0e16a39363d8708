// Package area owns the text that is being written: what a key does to it, and
// on which row and column each character stands. A front shows the rows and
// puts the terminal's cursor where Place says.
//
// It knows nothing of a conversation, of a terminal or of what a prompt means;
// a key that edits nothing leaves the text as it is.
//
// Laws, held by property tests:
//
//   - The cursor stands between two characters as a reader sees them, never
//     inside one that is made of several code points.
//   - The rows hold every byte of the text, once and in order, and no row is
//     wider than the area, blanks at its end aside.
//   - Undo gives back every text that was there before, newest first.
package area

// Package compress shortens tool output for a model, by rule.
//
// It must never know where the whole output is kept, ask a model, or depend on
// anything but its arguments: the same text, budget and hint give the same
// bytes.
//
//	text ─► lines ─► repeats become a count ─► each line gets a rank
//	     ─► lines are chosen until the budget is full: what failed and the
//	        summary, head, tail, errors with their places, of each failure what
//	        stands next to it before what is farther away, then the rest
//	     ─► gaps become a count
//
// What passed tests printed, warnings and the frames of a toolchain explain no
// failure. The words that tell a rank were learned from what tools print:
// testdata/record.sh records it.
//
// Laws:
//
//   - What fits is returned as it is.
//   - The result is never longer than the budget and a note of NoteMax
//     characters.
//   - The names of failed tests come before all else; when not even they fit,
//     the gaps say how many lines are missing.
//   - Lines keep their order and are not changed, except that one over the
//     limit for a line loses its middle.
package compress

// Package headless is the front without a terminal: one prompt, one turn, the
// answer on stdout and everything else on stderr, as text, as one JSON object
// or as a line of JSON an event.
//
// It owns the output formats and the exit codes. It sees the host and the
// events only. Nobody is asked: decisions that would ask are denied by the
// gate before an approval could reach this package.
package headless

// Package tui is the terminal front: it brings keys, events and time to the
// pure screen, carries out what that asks for, and puts what paint draws on the
// terminal.
//
// It owns the terminal (raw mode, its modes, suspend, the way out), the loop,
// and the goroutines around it. It must never decide what a key means or what
// is shown: that is screen's, and how it looks is paint's.
//
//	bytes ── input ──┐                           ┌─ paint ── inline ──→ bytes
//	events ─ follow ─┼─→ loop: screen.State ─────┤
//	answers, time ───┘        └─ intents ──→ host, shell, editor, clipboard
//
// One goroutine, the loop, owns the state. Others hand it functions to run.
// Commands reach the host in the order of the keys that meant them.
//
// Laws, held by tests that play the real program in a terminal emulator:
//
//   - Finished things are printed once; nothing above the live rows is written.
//   - Whatever switched a mode of the terminal on, it is off when Run returns,
//     also by a signal or a panic, and while something else has the terminal.
//   - Without a change nothing runs: no timer, no frame.
//   - What a frame costs does not depend on how much was said before.
//
// Package bubbletea is not used, and decision 0011 says why.
package tui

package shell

import "errors"

// ErrTooLong is the error of a text that is longer than Options.MaxLength.
var ErrTooLong = errors.New("the command is too long to be read")

// Parse reads command text. It never fails: what cannot be read has Err.
func Parse(src string, o Options) *Script {
	return &Script{Source: src, Err: errors.New("not read yet")}
}

// Subcommand returns the words of a command without the global options that
// stand before its subcommand (git -C dir -c k=v push is git push).
func Subcommand(words []string) []string { return words }

// Launcher says whether a program runs what its arguments or its input say:
// shells, interpreters and wrappers.
func Launcher(base string) bool { return false }

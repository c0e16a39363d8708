// Package shell turns command text into what would run: simple commands,
// redirections and the parts that cannot be known before it runs. It parses
// with mvdan.cc/sh/v3/syntax, executes nothing and asks nothing of the disk.
//
// The flow: Parse reads the text into a tree; a first pass collects what the
// script gives to variables, functions and aliases (vars.go, reads.go); a
// second walks it in source order (walk.go), evaluates words as far as they are
// static (word.go), takes variables for the values that the script gives them
// (expand.go) and operators for what they make of these (compute.go), and looks
// at each command by name: a launcher runs its arguments or its input, which
// are walked in turn (launch*.go); other programs read or write files by their
// arguments, or run commands by an option (programs*.go).
//
// Laws:
//
//   - Every simple command that the shell could start is among Commands, or
//     the script has Err, or a command of it is Unknown and says why.
//   - A word is Static only when its value is certain.
//   - What the script gives to a variable is taken as possible at every use of
//     it: the commands that come of it are listed too, as Expansion. That can
//     only add commands, never hide one.
//   - Nothing here allows or refuses; that is for policy and guard.
package shell

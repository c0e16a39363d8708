// Package shell turns command text into what would run: simple commands,
// redirections and the parts that cannot be known before it runs. It parses
// with mvdan.cc/sh/v3/syntax, executes nothing and asks nothing of the disk.
//
// The flow: Parse reads the text into a tree; a first pass collects what the
// script gives to variables, functions and aliases; a second walks the tree in
// source order, evaluates words as far as they are static, takes variables for
// the values that the script gives them and operators for what they make of
// these, and looks at each command by name: a launcher runs its arguments or
// its input, which are walked in turn; other programs read or write files by
// their arguments, or run commands by an option.
//
// Where to look, by question:
//
//	what is a script, a command, a word, a file?      shell.go
//	how does a text become a tree, and how much work
//	may that be?                                      parse.go; sh is not bash: dialect.go; what cannot be read: salvage.go
//	what runs, in which folder, with which input?     walk.go, scope.go, redirect.go, descriptors.go (beside the standard ones)
//	what is a word?                                   word.go, escape.go ($'…'), braces.go, param.go (${…}), compute.go (its operators), arithmetic.go
//	what may a variable be?                           vars.go (first pass), values.go; arrays: lists.go; what loops add up: loops.go; arguments of the script and of functions: args.go; read and mapfile: reads.go
//	what does a command become by its variables?      call.go, expand.go, names.go (assignments that do not matter)
//	what does a command print, and who could choose
//	it?                                               said.go, print.go (echo, printf), tame.go; programs of texts: filter.go, filtertr.go, filterdecode.go, filtergrep.go, filtersed.go, filterawk.go, posix.go (their patterns); is what it prints decided by the script alone: veiled.go
//	what did the script write before?                 written.go, patched.go (patches and editors)
//	which lines do programs make for a shell?         generated.go
//	what does the shell expand by itself?             within.go (substitutions in texts), complete.go (completions, keys), aliases.go (aliases, patterns as command words)
//	which program is it, and what are its options?    find.go (all tables meet there), options.go, subcommand.go
//	what does it run?                                 look.go (the ways below), builtins.go, launch.go (shells), wrappers.go, xargs.go, container.go, findcmd.go, findnames.go
//	what does code in another language run?           interp.go, spoken.go (its literals), hosts.go (lines for a shell in other texts), pwsh.go (shells of Windows), text.go and awk.go (sed, awk)
//	what does git do?                                 git.go, gitconfig.go (what runs by it), githistory.go (what it shows), gitchanges.go (where a word that shows changes)
//	which files does it read or write?                program.go (by table), tools.go, special.go, gofmt.go, archive.go, narrow.go (searches)
//
// Ways in which a text becomes commands, from the surest on. They differ in
// what they say of the commands that they list, and of the one that looks:
//
//	call.script   the text is run as it stands: its commands are certain, and if it cannot be read or is not static, the command is Unknown
//	call.also     the same for a text that some option or line names; whoever calls it says besides why the command is Unknown, for more may run
//	reader.within the shell expands it somewhere: what its substitutions run is an Expansion
//	call.guess    the static rest of a text that is not static: Expansions, beside an Unknown
//	call.suspect  it would do so if a program gave it to a shell, which nobody knows: Expansions, nothing is said of the command
//	reader.unknown lists a piece of the script that runs and cannot be read, as a command of its own that is Unknown
//
// An Expansion counts for what refuses or denies, and an allow must cover it as
// well; none is taken for what the script surely does.
//
// A value is certain or not by marks, which only ever grow on the way from a
// part to a word to a variable: made, the script makes it while it runs, so
// that it may be anything; outer, it comes from outside of the script, and may
// be used but not computed with; open, some part has no value at all; loose and
// single, of an array lists or elements are not known; lists and files, it is
// the output of a listing. Static means that none of them holds.
//
// Laws:
//
//   - Every simple command that the shell could start is among Commands, or
//     the script has Err, or a command of it is Unknown and says why.
//   - A word is Static only when its value is certain.
//   - What the script gives to a variable is taken as possible at every use of
//     it: the commands that come of it are listed too, as Expansion. That can
//     only add commands, never hide one.
//   - The work of a Parse is bounded, that of its copies included, and what
//     stands in a word is evaluated once where it stands: who evaluates it again
//     for each use doubles the work with each level.
//   - The tree is not changed by who walks it.
//   - A row of a table of languages (hosts.go, spoken.go, interp.go) names a
//     real program and a line that runs as it is written, and comes with two
//     lines of the corpus: one that must be refused and one that must pass.
//   - Nothing here allows or refuses; that is for policy and guard.
package shell

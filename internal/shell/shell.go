package shell

// Script is a parsed command line. An empty Commands with no Err means that
// nothing would run.
type Script struct {
	Source string
	// Commands are every simple command at any depth, in source order:
	// in lists, pipelines, substitutions, functions, here-documents with
	// expansion and inside wrappers, the wrappers included.
	Commands []Command
	// Files are what redirections and file-reading or file-writing commands
	// touch.
	Files []File
	// Functions are the names that the script gives to functions and aliases.
	Functions []string
	// Err says why the text could not be parsed; then it is wholly unknown.
	Err error
}

// Command is one simple command after quote removal.
type Command struct {
	// Words are the words; a word that is not static holds its literal part.
	Words []Word
	// Assigns are the assignments before the command, as NAME=VALUE.
	Assigns []Assign
	// Text is the words after quote removal joined by one blank, expansions as
	// they were written, with the assignments that are not harmless in front.
	Text string
	// Unknown says why the command cannot be known, or why more runs than its
	// text tells; empty when neither.
	Unknown string
	// Wrapper is the word of the wrapper that runs this command ("sudo",
	// "bash -c"), empty at top level.
	Wrapper string
	// Dir is the folder in effect after `cd`, empty for the start folder, and
	// DirUnknown says that it cannot be known. Dirs lists every folder that is
	// possible when there are several (a cd that may fail); Dir is the first.
	Dir        string
	Dirs       []string
	DirUnknown bool
	// PipedFrom holds the indexes in Script.Commands of the commands whose
	// output is this command's input.
	PipedFrom []int
	// Stdin is the literal standard input (here-document, here-string, a piped
	// echo) when HasStdin.
	Stdin    string
	HasStdin bool
	// Expansion says that this is what a command before it becomes when its
	// variables take the values that the script gives them.
	Expansion bool
	// Opaque says that nothing is known of the program: its arguments may be a
	// command that it runs, or files that it reads.
	Opaque bool
	// Veiled says that what it runs is decided by the text of the script alone,
	// but put together by programs whose output is not computed.
	Veiled bool
	// Remote says that it runs on another machine or in a container, where
	// paths mean other files.
	Remote bool
	// Changes says what the command changes though what it is called lists or
	// shows, empty when nothing: one word of git names two commands.
	Changes string
	// Function is the name of the function whose body holds the command, empty
	// outside functions.
	Function string
	// Background says that the command was started with &.
	Background bool
}

// Word is one word of a command.
type Word struct {
	// Text is the value after quote removal; what is not static is left out.
	Text string
	// Shown is Text with the expansions as they were written.
	Shown string
	// Static says that Text is the word's exact value; Glob that it holds
	// unquoted pattern characters (such a word is still static).
	Static, Glob bool
	// Made says that the script itself makes the value while it runs (a
	// substitution, read), so that it may be anything. A word that is neither
	// static nor made holds values of the environment.
	Made bool
	// Head and Tail are the static text before the first and after the last
	// part that is not static.
	Head, Tail string
	// Subst holds the indexes in Script.Commands of the commands whose output
	// the word holds.
	Subst []int
	// Lists are the files that the word stands for when it is the output of a
	// command that lists files ($(git ls-files), $(find …)).
	Lists []File
	// quoted says that a tilde in front is a plain character, open that some
	// part has no value that the script gives.
	quoted, open bool
	// listing says that the word is made by nothing but the commands of Lists.
	listing bool
	// shut says that the text of the script alone decides the value.
	shut bool
	// proc says that the word is a process substitution, a pipe by a name.
	proc bool
	// fill is what stands in the place of a mark while it runs, nil without one.
	fill *filling
}

// filling is a script with "$@" in the place of a mark, and what that becomes.
type filling struct {
	script string
	word   Word
}

// Assign is an assignment before a command.
type Assign struct {
	Name, Value string
	Static      bool
	Subst       []int
}

// File is a path that the script reads or writes.
type File struct {
	Path string
	// Write says that it is written, Tree that everything below it is touched.
	Write, Tree bool
	// Tracked says that of a tree only what git tracks is touched, Repository
	// that it is all of the repository around the path, and Changed that only
	// what differs from the index of git is. Past says that what git tracked
	// before counts too, Added that only what git does not ignore is touched.
	Tracked, Repository, Changed, Past, Added bool
	// Redirect says that it is the target of a redirection or of tee, which is
	// a write like any write tool's.
	Redirect bool
	// Mention says that the command only may touch it: nothing is known of what
	// the command does with its arguments, or a file that it reads decides.
	Mention bool
	// Glob says that Path holds unquoted pattern characters, as the shell
	// expands them.
	Glob bool
	// Unknown says why the path cannot be known. Path is then a pattern of
	// what is known: "*" stands for the rest.
	Unknown string
	// Only, Except and ExceptDirs narrow a tree: patterns of the names of the
	// files that are touched, of those that are not, and of folders that are
	// left out.
	Only, Except, ExceptDirs []string
	// Dir is the folder in effect, as in Command.
	Dir        string
	DirUnknown bool
	// Command is the index of the command that touches it, -1 for a
	// redirection of a compound command.
	Command int
}

// Options tell what a reader of commands must know. The zero value works.
type Options struct {
	// Harmless are further names of variables whose assignment before a
	// command changes nothing that matters; a name may end in "*".
	Harmless []string
	// MaxLength is the longest text in bytes that is parsed; 0 is 10,000.
	MaxLength int
	// Plain says that a sh runs the text which may not be a bash. What that
	// reads in another way cannot be read.
	Plain bool
	// Zsh says that zsh runs the text, to which more variables have a meaning.
	Zsh bool
}

// Package shell turns command text into what would run: simple commands,
// redirections and the parts that cannot be known before it runs. It parses
// with mvdan.cc/sh/v3/syntax and executes nothing.
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
	// Err says why the text could not be parsed; then it is wholly unknown.
	Err error
}

// Command is one simple command after quote removal.
type Command struct {
	// Words are the words; a word that is not static holds its literal part.
	Words []Word
	// Assigns are the assignments before the command, as NAME=VALUE.
	Assigns []Assign
	// Text is Words joined by one blank, with the assignments that are not
	// harmless in front.
	Text string
	// Unknown says why the command cannot be known; empty when it can.
	Unknown string
	// Wrapper is the word of the wrapper that runs this command ("sudo",
	// "bash -c"), empty at top level.
	Wrapper string
	// Dir is the folder in effect after `cd`, empty for the start folder, and
	// DirUnknown says that it cannot be known.
	Dir        string
	DirUnknown bool
	// PipedFrom holds the indexes in Script.Commands of the commands whose
	// output is this command's input.
	PipedFrom []int
}

// Word is one word of a command.
type Word struct {
	Text string
	// Static says that Text is the word's exact value; Glob that it holds
	// unquoted pattern characters.
	Static, Glob bool
}

// Assign is an assignment before a command.
type Assign struct {
	Name, Value string
	Static      bool
}

// File is a path that the script reads or writes.
type File struct {
	Path string
	// Write says that it is written, Tree that everything below it is read.
	Write, Tree bool
	// Unknown says why the path cannot be known.
	Unknown string
	// Dir is the folder in effect, as in Command.
	Dir        string
	DirUnknown bool
	// Command is the index of the command that touches it, -1 for a
	// redirection of a compound command.
	Command int
}

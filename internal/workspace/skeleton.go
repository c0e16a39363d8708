// Package workspace owns the user's files.
package workspace

import (
	"errors"
	"io/fs"
)

// Options opens a workspace.
type Options struct {
	// Root is the main root; relative paths are read from it.
	Root string
	// Extra are further roots that file tools may touch.
	Extra []string
	// Home is what "~" stands for; empty means the user's home folder.
	Home string
}

// Workspace is the user's folders, held open by traversal-safe handles.
type Workspace struct{ root string }

// Path is a name as somebody wrote it, and where it leads.
type Path struct {
	Written string
	Root    int // index of the root that holds Real; -1 outside all
	Abs     string
	Real    string
	Rel     string
	RealRel string
	Exists  bool
	Dir     bool
	// Link says that Abs itself is a symbolic link.
	Link bool
}

// File is a regular file that was read.
type File struct {
	Path      Path
	Data      []byte
	Mode      fs.FileMode
	Size      int64
	Link      bool
	HardLinks int
}

// Errors of paths and kinds.
var (
	ErrOutside = errors.New("outside the workspace")
	ErrChanged = errors.New("the path changed while it was being opened")
	errTodo    = errors.New("workspace: not yet")
)

// KindError says that a path leads to something that is not a readable file.
type KindError struct {
	Path string
	Kind string // directory, fifo, device, socket, too large, ...
	Size int64
}

func (e *KindError) Error() string { return e.Path + " is a " + e.Kind }

// BinaryError says that data is no text.
type BinaryError struct{ Kind string }

func (e *BinaryError) Error() string { return "binary data" }

// Text is decoded file content.
type Text struct {
	Content  string
	Encoding string
	BOM      bool
	EOL      string
}

func Open(Options) (*Workspace, error)                                 { return nil, errTodo }
func (w *Workspace) Close() error                                      { return nil }
func (w *Workspace) Root() string                                      { return w.root }
func (w *Workspace) Roots() []string                                   { return nil }
func (w *Workspace) Resolve(name, dir string) (Path, error)            { return Path{}, errTodo }
func (w *Workspace) Read(p Path, max int64) (File, error)              { return File{}, errTodo }
func (w *Workspace) Stat(p Path) (fs.FileInfo, error)                  { return nil, errTodo }
func (w *Workspace) List(p Path) ([]fs.DirEntry, error)                { return nil, errTodo }
func (w *Workspace) Write(p Path, data []byte, mode fs.FileMode) error { return errTodo }
func (w *Workspace) Move(from, to Path) error                          { return errTodo }
func (w *Workspace) Remove(p Path) error                               { return errTodo }

// Child is the path of a directory's entry, without another walk from the root unless the entry is a link.
func (w *Workspace) Child(dir Path, e fs.DirEntry) (Path, error) { return Path{}, errTodo }

// Record makes every later change to a file known to u first; nil stops that.
func (w *Workspace) Record(u *Undo) {}

func Decode(data []byte) (Text, error)               { return Text{}, errTodo }
func (t Text) Encode(content string) ([]byte, error) { return nil, errTodo }

// Undo keeps the former content of files that a turn changes.
type Undo struct{}

// UndoOptions says where the former contents are kept, and how much of them.
type UndoOptions struct {
	Dir               string
	MaxFile, MaxTotal int64
}

// Turn is one turn that changed files.
type Turn struct {
	ID     string
	Files  []string
	Undone bool
}

// Report says what Undo or Redo did.
type Report struct {
	Turn     string
	Restored []string // content put back
	Removed  []string // files that the turn had created
	Created  []string // files that the turn had deleted
	Changed  []string // left alone: changed since by other hands
	Lost     []string // left alone: the former content was not kept
}

func OpenUndo(w *Workspace, o UndoOptions) (*Undo, error) { return nil, errTodo }
func (u *Undo) Begin(turn string)                         {}
func (u *Undo) Turns() []Turn                             { return nil }
func (u *Undo) Undo(turn string) (Report, error)          { return Report{}, errTodo }
func (u *Undo) Redo(turn string) (Report, error)          { return Report{}, errTodo }

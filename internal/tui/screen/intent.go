package screen

import (
	"time"

	"assent/internal/host"
)

// Key is one key press.
type Key struct {
	// Name is the key as the terminal library spells it: "a", "enter",
	// "shift+enter", "ctrl+c", "esc", "up", "alt+b".
	Name string
	// Text is what it types, empty for a key that types nothing.
	Text string
	// Burst says that the terminal sent more text with it, as nobody types it: a
	// paste that is not marked, or a machine.
	Burst bool
	// At is when it was pressed, by the clock that Tick is given.
	At time.Time
	// Editor is the prompt before the key.
	Editor Snapshot
}

// Snapshot is the prompt as the text area holds it.
type Snapshot struct {
	Text string
	// Cursor is a byte offset into Text.
	Cursor int
	// Top and Bottom say that the cursor stands on the first and on the last
	// row as drawn, where up and down leave the text.
	Top, Bottom bool
}

// Intent is something the glue must do. Intents of one transition are carried
// out in their order; commands and take-backs of several transitions too.
//
//sumtype:decl
type Intent interface{ intent() }

// Pass gives the key to the text area; Edited follows.
type Pass struct{}

// SetText replaces the prompt and puts the cursor at the byte offset Cursor.
// The state holds it already: no Edited is needed.
type SetText struct {
	Text   string
	Cursor int
}

// Insert puts a text at the cursor of the text area; Edited follows.
type Insert struct{ Text string }

// Do gives a command to the host. An error comes back through Refused.
type Do struct{ Command host.Command }

// Ask gives a query to the host, without waiting. The answer comes back
// through Answered.
type Ask struct{ Query host.Query }

// TakeBack takes waiting prompts out of the host's queue, the newest or all.
// They come back through TookBack.
type TakeBack struct{ All bool }

// Shell runs a command of the user's own. Its output comes through ShellOutput
// and its end through ShellDone.
type Shell struct{ Command string }

// KillShell ends that command with all its children.
type KillShell struct{}

// Edit opens the text in the external editor. What was written comes back
// through Wrote.
type Edit struct{ Text string }

// Copy puts a text on the clipboard.
type Copy struct{ Text string }

// Switch leaves this conversation for another.
type Switch struct {
	// Session is the one to resume, empty for a new one.
	Session string
	// Fork continues on a copy of it.
	Fork bool
	// Demo plays the demo.
	Demo bool
}

// Theme chooses the colours: one of Options.Themes.
type Theme struct{ Name string }

// Redraw paints everything anew.
type Redraw struct{}

// Suspend stops the program until the shell continues it.
type Suspend struct{}

// Quit ends the program.
type Quit struct{}

func (Pass) intent()      {}
func (SetText) intent()   {}
func (Insert) intent()    {}
func (Do) intent()        {}
func (Ask) intent()       {}
func (TakeBack) intent()  {}
func (Shell) intent()     {}
func (KillShell) intent() {}
func (Edit) intent()      {}
func (Copy) intent()      {}
func (Switch) intent()    {}
func (Theme) intent()     {}
func (Redraw) intent()    {}
func (Suspend) intent()   {}
func (Quit) intent()      {}

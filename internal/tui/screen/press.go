package screen

import (
	"slices"
	"strings"
	"unicode/utf8"

	"assent/internal/host"
)

// Press takes a key. It is offered to the first approval, then to the open
// panel, then to the menu, then to the prompt; what nobody here wants is
// passed to the text area.
func Press(s State, k Key) (State, []Intent) {
	if k.At.After(s.Now) {
		s.Now = k.At // what a key begins begins now, not at the last repaint
	}
	k.Editor = k.Editor.sound()
	if k.Editor.Text != s.Editor.Text || k.Editor.Cursor != s.Editor.Cursor {
		s, asked := Edited(s, k.Editor)
		k.Editor = s.Editor
		s, intents := s.press(k)
		return s, append(asked, intents...)
	}
	s.Editor = k.Editor
	return s.press(k)
}

func (s State) press(k Key) (State, []Intent) {
	if s.meant.came != 0 {
		s, before, done := s.follows(k)
		if done {
			return s, before
		}
		k.Editor = s.Editor
		s, intents := s.press(k)
		return s, append(before, intents...)
	}
	if k.Name != "ctrl+c" && k.Name != "ctrl+d" {
		s.Armed = false
	}
	switch k.Name {
	case "ctrl+z":
		return s, []Intent{Suspend{}}
	case "ctrl+l":
		return s, []Intent{Redraw{}}
	case "ctrl+r":
		s.Thinking.Open = !s.Thinking.Open
		return s, nil
	}
	if len(s.Approvals) > 0 {
		if !s.guarded(k) {
			return s.pressApproval(k)
		}
		s = s.beside(k)
		if s.Small() && k.Text != "" {
			return s, nil // nobody sees the prompt either
		}
	} else {
		s = s.writes(k)
	}
	switch p := s.Panel.(type) {
	case Picker:
		return s.pressPicker(p, k)
	case Search:
		return s.pressSearch(p, k)
	case Setup:
		return s.pressSetup(p, k)
	}
	if s.Menu.Open() {
		if s, intents, taken := s.pressMenu(k); taken {
			return s, intents
		}
	}
	if s.Menu.Loading && !s.Menu.Open() && (k.Name == "tab" || k.Name == "enter" && s.Menu.Early != "enter") {
		s.Menu.Early = k.Name // enter a second time goes without
		return s, nil
	}
	if s.Menu.Early != "" && (k.Name == "esc" || k.Name == "ctrl+c") {
		s.Menu = Menu{token: s.Menu.token, shut: wordAt(s.Editor)}
		return s, nil
	}
	s.Menu.Early = ""
	return s.pressEditor(k)
}

// sound puts the cursor on a character of the text.
func (e Snapshot) sound() Snapshot {
	e.Cursor = min(max(e.Cursor, 0), len(e.Text))
	for e.Cursor > 0 && e.Cursor < len(e.Text) && !utf8.RuneStart(e.Text[e.Cursor]) {
		e.Cursor--
	}
	return e
}

// pressEditor takes the keys that mean something in the prompt.
func (s State) pressEditor(k Key) (State, []Intent) {
	switch k.Name {
	case "enter":
		if s.Editor.continues() {
			return s.newline()
		}
		return s.enter(false)
	case "ctrl+enter":
		return s.enter(true)
	case "up":
		if s.Editor.Top {
			return s.up()
		}
	case "down":
		if s.Editor.Bottom && s.recall.walking {
			return s.newer()
		}
	case "ctrl+s":
		return s.search()
	case "ctrl+g":
		return s, []Intent{Edit{s.whole(s.Editor.Text)}}
	case "esc":
		return s.escape()
	case "ctrl+c":
		return s.interrupt()
	case "ctrl+d":
		if s.Editor.Text == "" {
			return s.quitTwice(k.Name) // as it ends a shell
		}
		s.Armed = false
	case "backspace":
		if n := s.pastes.before(s.Editor); n > 0 {
			at := s.Editor.Cursor - n
			return s.setText(s.Editor.Text[:at]+s.Editor.Text[s.Editor.Cursor:], at)
		}
	case "tab", "shift+tab":
		return s, nil // a tab in a prompt comes by paste only
	}
	return s, []Intent{Pass{}}
}

// up takes the newest waiting prompt back, or recalls an earlier one.
func (s State) up() (State, []Intent) {
	if s.Editor.Text != "" || s.recall.walking {
		return s.older()
	}
	if n := len(s.sent); n > 0 && !s.sent[n-1].released {
		last := s.sent[n-1]
		s.sent = slices.Clip(s.sent[:n-1])
		return s.regain([]sent{last})
	}
	if len(s.Queue) > 0 {
		return s, []Intent{TakeBack{}}
	}
	return s.older()
}

// escape cancels what works. It never touches what is being written.
func (s State) escape() (State, []Intent) {
	if !s.working() {
		return s, nil
	}
	return s.cancel()
}

// interrupt is ctrl+c with nothing open: it ends the running command, else the
// turn, else it clears the prompt, and a second one in a row quits.
func (s State) interrupt() (State, []Intent) {
	armed := s.Armed
	s.Armed = false
	switch {
	case s.Shell.Command != "":
		return s, []Intent{KillShell{}}
	case s.running() && !s.Turn.Cancelling:
		return s, []Intent{Do{host.Interrupt{}}}
	case s.working() && !s.Turn.Cancelling:
		return s.cancel()
	case armed:
		return s, []Intent{Quit{}}
	}
	s = s.arm("ctrl+c")
	if s.Editor.Text == "" {
		return s, nil
	}
	// The text is one step up in the history.
	return s.stash().remember(s.whole(s.Editor.Text)).setText("", 0)
}

// quitTwice quits at the second press in a row.
func (s State) quitTwice(key string) (State, []Intent) {
	if s.Armed {
		return s, []Intent{Quit{}}
	}
	return s.arm(key), nil
}

// arm has the next press of a key that leaves do so.
func (s State) arm(key string) State {
	s.Armed, s.arming = true, key
	return s
}

// running reports whether a call is at work.
func (s State) running() bool {
	return slices.ContainsFunc(s.Tools, func(t Tool) bool { return t.Phase == Running })
}

// Edited tells what the text area holds after a key that was passed to it or a
// text that was inserted.
func Edited(s State, e Snapshot) (State, []Intent) {
	e = e.sound()
	if text, cursor, broken := s.pastes.heal(s.Editor.Text, e); broken {
		return s.setText(text, cursor)
	}
	s.Editor = e
	return s.complete()
}

// Wrote takes in what was written in the external editor. ok is false when it
// failed; then the prompt stays as it is.
func Wrote(s State, text string, ok bool) (State, []Intent) {
	if !ok {
		return s.interject(Notice{"The editor did not end well; the prompt is as it was."}), nil
	}
	text = strings.TrimRight(clean(text), "\n")
	if strings.TrimSpace(text) == "" {
		s = s.remember(s.whole(s.Editor.Text))
	}
	s, text = s.fold(text)
	return s.setQuietly(text)
}

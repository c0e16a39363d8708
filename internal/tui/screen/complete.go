package screen

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"assent/internal/host"
)

// menuLimit is how many lines a menu has.
const menuLimit = 50

// pathLimit is how many paths are kept.
const pathLimit = 200_000

// paths are the files and folders of the workspace, newest first.
type paths struct {
	list, lower []string
	loading     bool
	// asked is the word for which they were asked last.
	asked token
}

// complete lets the menu follow the word at the cursor. The paths are asked
// for anew at each word, and the old ones serve until the new ones are there.
func (s State) complete() (State, []Intent) {
	t := wordAt(s.Editor)
	old := s.Menu
	s.Menu = Menu{token: t, from: t.start}
	if t.sign == 0 {
		s.paths.asked, s.texts.asked = token{}, token{} // the next word gets a new list
		return s, nil
	}
	if old.shut.same(t) && (!old.quiet || old.shut == t) {
		s.Menu.shut, s.Menu.quiet = old.shut, old.quiet
		return s, nil
	}
	var intents []Intent
	switch query, isFile := strings.CutPrefix(t.query, "file:"); {
	case t.sign == '/':
		s.Menu = s.commandMenu(t)
	case t.sign == '@':
		s, intents = s.pathMenu(t, t.query)
	case isFile:
		s, intents = s.pathMenu(t, query)
	default:
		s, intents = s.contextMenu(t)
	}
	if old.token.same(t) && old.token.query == t.query {
		s.Menu.Cursor = min(old.Cursor, max(len(s.Menu.Items)-1, 0))
		s.Menu.Early = old.Early
	}
	return s, intents
}

func (s State) pathMenu(t token, query string) (State, []Intent) {
	s.Menu.Kind = PathMenu
	var intents []Intent
	if !s.paths.loading && !s.paths.asked.same(t) {
		s.paths.loading = true
		intents = []Intent{Ask{host.Paths{}}}
	}
	s.paths.asked = t
	s.Menu.Loading = s.paths.loading
	for _, p := range rank(s.paths.list, s.paths.lower, query, menuLimit) {
		s.Menu.Items = append(s.Menu.Items, Item{Label: p, Value: p})
	}
	return s, intents
}

// pathsCame takes the paths in.
func (s State) pathsCame(list []string, err error) (State, []Intent) {
	s.paths.loading = false
	if err != nil {
		s.Menu.Loading = false
		return s.interject(Notice{"Could not list the files: " + clipHead(err.Error(), noticeLimit)}).early()
	}
	list = list[:min(len(list), pathLimit)]
	s.paths.list = make([]string, 0, len(list))
	s.paths.lower = make([]string, 0, len(list))
	for _, p := range list {
		// A name that cannot be typed cannot be picked.
		if utf8.ValidString(p) && strings.IndexFunc(p, unicode.IsControl) < 0 {
			s.paths.list = append(s.paths.list, p)
			s.paths.lower = append(s.paths.lower, strings.ToLower(p))
		}
	}
	s, intents := s.complete()
	s, more := s.early()
	return s, append(intents, more...)
}

// early presses the key that waited for the items of the menu, now that they
// are there or will not be.
func (s State) early() (State, []Intent) {
	key := s.Menu.Early
	s.Menu.Early = ""
	if key == "" || s.Menu.Loading {
		return s, nil
	}
	if s.Menu.Open() {
		if s, intents, taken := s.pressMenu(Key{Name: key}); taken {
			return s, intents
		}
	}
	return s.pressEditor(Key{Name: key})
}

// fragments are the texts that the user and the project keep for "#".
type fragments struct {
	items   []Item
	loading bool
	// asked is the word for which they were asked last.
	asked token
}

// contextMenu offers the words that "#" takes. The texts that are kept are
// asked for anew at each word, and the old ones serve until the new ones are
// there.
func (s State) contextMenu(t token) (State, []Intent) {
	var intents []Intent
	if !s.texts.loading && !s.texts.asked.same(t) {
		s.texts.loading = true
		intents = []Intent{Ask{host.Fragments{}}}
	}
	s.texts.asked = t
	s.Menu.Kind, s.Menu.Items = ContextMenu, contexts(s.texts.items, t.query)
	return s, intents
}

// fragmentLimit is how many texts are kept.
const fragmentLimit = 200

// textsCame takes the texts in. That there are none, or that nobody knows, is
// no harm worth a line.
func (s State) textsCame(list []host.Fragment) (State, []Intent) {
	s.texts.loading, s.texts.items = false, nil
	for _, f := range list[:min(len(list), fragmentLimit)] {
		about := firstLine(f.About, titleLimit)
		if about == "" {
			about = "a text"
		}
		s.texts.items = append(s.texts.items, Item{"#" + f.Name, about + " (" + f.From + ")", "#" + f.Name})
	}
	return s.complete()
}

// contexts are the words that "#" offers: those that begin with a query, then
// those that hold it; in both the built-in ones first.
func contexts(texts []Item, query string) []Item {
	all := append([]Item{
		{"#diff", "what changed and is not committed", "#diff"},
		{"#staged", "what is staged", "#staged"},
		{"#tree", "the folders and files", "#tree"},
		{"#last", "the output of the last command", "#last"},
		{"#file:", "a file, or lines of it: #file:path:10-40", "#file:"},
	}, texts...)
	query = strings.ToLower(query)
	var first, rest []Item
	for _, x := range all {
		switch word := strings.ToLower(x.Value[1:]); {
		case strings.HasPrefix(word, query):
			first = append(first, x)
		case strings.Contains(word, query):
			rest = append(rest, x)
		}
	}
	first = append(first, rest...)
	return first[:min(len(first), menuLimit)]
}

// commandMenu offers the commands, or the words that may follow one.
func (s State) commandMenu(t token) Menu {
	m := Menu{Kind: CommandMenu, token: t, from: t.start}
	name, arg, hasArg := strings.Cut(t.query, " ")
	if hasArg {
		m.Kind = ArgumentMenu
		c, ok := find(name)
		if !ok || c.words == nil {
			return m
		}
		m.from = len("/") + len(t.query) - len(arg)
		for _, w := range c.words(s) {
			if strings.HasPrefix(w, strings.ToLower(strings.TrimSpace(arg))) {
				m.Items = append(m.Items, Item{Label: w, Value: w})
			}
		}
		return m
	}
	name = strings.ToLower(name)
	var exact, first, rest []Item
	for _, c := range Commands() {
		x := Item{Label: strings.TrimSpace("/" + c.Name + " " + c.Args), Detail: c.Help, Value: c.Name}
		switch {
		case c.Name == name:
			exact = append(exact, x)
		case strings.HasPrefix(c.Name, name):
			first = append(first, x)
		case strings.Contains(c.Name, name):
			rest = append(rest, x)
		}
	}
	m.Items = slices.Concat(exact, first, rest)
	return m
}

// pressMenu moves in the menu or takes what is chosen; taken is false for a key
// that means nothing there.
func (s State) pressMenu(k Key) (_ State, _ []Intent, taken bool) {
	switch k.Name {
	case "tab":
		s, intents := s.accept()
		return s, intents, true
	case "enter":
		return s.acceptAndGo()
	case "esc", "ctrl+c":
		s.Menu = Menu{token: s.Menu.token, shut: wordAt(s.Editor)}
		return s, nil, true
	case "shift+tab":
		k.Name = "up"
	}
	at, ok := moved(s.Menu.Cursor, len(s.Menu.Items), k.Name)
	s.Menu.Cursor = at
	return s, nil, ok
}

// acceptAndGo is enter in the menu: a command runs when it is complete, and a
// word that was typed whole is no reason to wait.
func (s State) acceptAndGo() (State, []Intent, bool) {
	m := s.Menu
	x := m.Items[m.Cursor]
	typed := s.Editor.Text[m.from:m.token.end]
	switch m.Kind {
	case CommandMenu:
		c, _ := find(x.Value)
		if c.needsArgs() && typed != "/"+x.Value {
			break
		}
		s, set := s.setText("/"+x.Value+s.Editor.Text[m.token.end:], len(x.Value)+1)
		s, intents := s.enter(false)
		return s, append(set, intents...), true
	case ArgumentMenu:
		s, set := s.accept()
		s, intents := s.enter(false)
		return s, append(set, intents...), true
	default:
		if typed == x.Value || typed == "@"+x.Value {
			return s, nil, false
		}
	}
	s, intents := s.accept()
	return s, intents, true
}

// accept puts the chosen line of the menu in the place of the word.
func (s State) accept() (State, []Intent) {
	m := s.Menu
	x := m.Items[m.Cursor]
	text, tail := "", s.Editor.Text[m.token.end:]
	switch m.Kind {
	case CommandMenu:
		text = "/" + x.Value + " "
	case PathMenu:
		s, text = s.acceptPath(m.token, x.Value)
	case ContextMenu:
		text = x.Value
		if !strings.HasSuffix(text, ":") {
			text += " "
		}
	default:
		text = x.Value
	}
	if strings.HasSuffix(text, " ") && strings.HasPrefix(tail, " ") {
		text = text[:len(text)-1]
	}
	text = s.Editor.Text[:m.from] + text
	return s.setText(text+tail, len(text))
}

// acceptPath is what a chosen path becomes: a folder leaves the menu open
// below it, a file becomes a plain path that is sent as a reference.
func (s State) acceptPath(t token, p string) (State, string) {
	if t.sign == '#' {
		return s, "#file:" + p
	}
	form := quote(p)
	if strings.HasSuffix(p, "/") {
		return s, "@" + strings.TrimSuffix(form, `"`)
	}
	s.refs = append(slices.Clip(s.refs[max(len(s.refs)-mentionLimit, 0):]), ref{p, form})
	return s, form + " "
}

package paint

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"assent/internal/tui/ink"
	"assent/internal/tui/screen"
)

const (
	// menuRows and listRows are the most that a menu and a panel show of their
	// list.
	menuRows, listRows = 8, 10
	// keyDots is the most dots that stand for a key.
	keyDots = 32
)

// list is lines to choose from.
type list struct {
	items  []screen.Item
	cursor int
	// note stands for the list when it has no lines.
	note string
}

// draw shows the lines around the cursor on so many rows.
func (l list) draw(rows int, st Style) []ink.Line {
	rows = min(rows, len(l.items))
	if rows <= 0 {
		return nil
	}
	at := min(max(l.cursor, 0), len(l.items)-1)
	from := min(max(at-rows/2, 0), len(l.items)-rows)
	shown := l.items[from : from+rows]
	width := 0
	for _, it := range shown {
		width = max(width, ink.Width(ink.OneLine(head(it.Label, 500))))
	}
	width = min(width, max(room(st)*3/5, 8))
	var out []ink.Line
	for i, it := range shown {
		mrk, look := indent(), ink.Look{}
		if from+i == at {
			mrk, look = mark(st, "❯", ">", ink.Accent), ink.Look{Role: ink.Accent, Attr: ink.Bold}
		}
		label := ink.Line{{Text: ink.OneLine(head(it.Label, 500)), Look: look}}
		line := append(mrk, ink.Trunc(label, width)...)
		if detail := ink.OneLine(head(it.Detail, 500)); detail != "" {
			line = append(ink.Pad(line, margin+width+2), ink.S(detail, ink.Dim))
		}
		out = append(out, ink.Trunc(line, st.Cols()))
	}
	last := len(out) - 1
	if below := len(l.items) - from - rows; below > 0 && rows > 2 && from+last != at {
		out[last] = append(indent(), more(below+1, "", st.Narrow(margin))[0]...)
	}
	return out
}

// menu is what completes the word at the cursor.
func menu(s screen.State, _ Style) list {
	if !s.Menu.Open() || len(s.Approvals) > 0 || s.Panel != nil {
		return list{}
	}
	return list{items: s.Menu.Items, cursor: s.Menu.Cursor}
}

// panel is what is open above the prompt.
func panel(p screen.Panel, st Style) *dialog {
	switch p := p.(type) {
	case screen.Picker:
		return picker(p, st)
	case screen.Search:
		return search(p, st)
	case screen.Setup:
		return setup(p, st)
	}
	return nil
}

// titled begins a dialog with its title.
func titled(title string, st Style) *dialog {
	if r, n := utf8.DecodeRuneInString(title); n > 0 {
		title = string(unicode.ToUpper(r)) + title[n:]
	}
	return &dialog{head: para(mark(st, "▸", "*", ink.Accent), []ink.Span{ink.B(ink.OneLine(title), ink.Accent)}, st)}
}

// choose gives the dialog a list, or the note that stands for it.
func (d *dialog) choose(l list, st Style) *dialog {
	if len(l.items) == 0 {
		d.keep = para(indent(), []ink.Span{ink.S(ink.OneLine(l.note), ink.Dim)}, st)
		return d
	}
	d.want = min(len(l.items), listRows)
	d.body = func(rows int) []ink.Line { return l.draw(rows, st) }
	return d
}

// ask ends the dialog with a field.
func (d *dialog) ask(label string, l screen.Line, st Style) *dialog {
	d.foot, d.x, d.y = fieldLine(label, l.Covered(), st)
	d.shown = true
	return d
}

func picker(p screen.Picker, st Style) *dialog {
	note := "nothing fits"
	switch {
	case p.Loading:
		note = loading(p.Early)
	case p.Note != "":
		note = p.Note
	}
	d := titled(p.Title, st).choose(list{p.Items, p.Cursor, note}, st)
	return d.ask("filter: ", p.Filter, st)
}

// loading stands for a list that is not there yet.
func loading(e screen.Early) string {
	if e.Enter {
		return "loading; enter takes what comes first, esc closes"
	}
	return "loading"
}

// search shows the newest at the bottom, next to the query.
func search(p screen.Search, st Style) *dialog {
	n := len(p.Found)
	items := make([]screen.Item, 0, min(n, 4*listRows))
	from := max(min(p.Cursor-2*listRows, n-4*listRows), 0)
	for i := min(from+4*listRows, n) - 1; i >= from; i-- {
		items = append(items, screen.Item{Label: head(p.Found[i], 500)})
	}
	note := "no earlier prompt holds this"
	if p.Loading {
		note = loading(p.Early)
	}
	d := titled("Earlier prompts", st).choose(list{items, len(items) - 1 - (p.Cursor - from), note}, st)
	return d.ask("search: ", p.Query, st)
}

// setup is the first run and /provider. The key itself is never here: only how
// long it is.
func setup(p screen.Setup, st Style) *dialog {
	titles := map[screen.SetupStep]string{
		screen.SetupProvider: "Choose a provider", screen.SetupURL: "Address of " + p.Provider,
		screen.SetupKey: "Key of " + p.Provider, screen.SetupModel: "Choose a model of " + p.Provider,
	}
	title := titles[p.Step]
	if p.First && p.Step == screen.SetupProvider {
		title = "Welcome. " + title + " to begin"
	}
	d := titled(title, st)
	switch p.Step {
	case screen.SetupProvider:
		note := "nothing fits"
		if p.Loading != "" {
			note = p.Loading
		}
		d = d.choose(list{p.Items, p.Cursor, note}, st)
		d.want = len(p.Items) // the first choice there is: all of it, if it fits
		if p.Filter.Text != "" {
			d = d.ask("filter: ", p.Covered(p.Filter), st)
		}
	case screen.SetupURL:
		d = d.ask("address: ", p.Covered(p.URL), st)
	case screen.SetupKey:
		d = d.secret(p, st)
	case screen.SetupModel:
		note := "no list: type the name of a model"
		if p.Loading != "" {
			note = p.Loading
		}
		d = d.choose(list{p.Items, p.Cursor, note}, st).ask("model: ", p.Covered(p.Filter), st)
	}
	if p.Note != "" {
		d.keep = append(para(mark(st, "✗", "!", ink.Bad), []ink.Span{{Text: ink.OneLine(p.Note)}}, st), d.keep...)
	}
	return d
}

// secret is the field of a key: dots, and where the key is kept or found.
func (d *dialog) secret(p screen.Setup, st Style) *dialog {
	if p.KeyEnv != "" {
		text := ink.OneLine(p.KeyEnv) + " in the environment does as well."
		d.keep = para(indent(), []ink.Span{ink.S(text, ink.Dim)}, st)
	}
	most := max(min(keyDots, room(st)-6), 1)
	hidden := strings.Repeat(st.Pick("•", "*"), min(p.KeyLength, most))
	return d.ask("key: ", screen.Line{Text: hidden, Cursor: len(hidden)}, st)
}

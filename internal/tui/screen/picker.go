package screen

import (
	"slices"
	"strings"

	"assent/internal/host"
	"assent/internal/llm"
)

// listLimit is how many lines a list shows at most; typing narrows it.
const listLimit = 100

// itemLimit is how many lines a picker holds at all.
const itemLimit = 20_000

// load gives the picker its lines.
func (p Picker) load(items []Item) Picker {
	p.all = items[:min(len(items), itemLimit)]
	p.lower = make([]string, len(p.all))
	for i, x := range p.all {
		p.lower[i] = strings.ToLower(clipHead(x.Label+" "+x.Detail, searchBytes))
	}
	p.Loading = false
	return p.narrow()
}

// narrow keeps the lines that hold every word of the filter.
func (p Picker) narrow() Picker {
	p.Items = narrowed(p.all, p.lower, p.Filter.Text)
	p.Cursor = min(p.Cursor, max(len(p.Items)-1, 0))
	return p
}

// narrowed are the items whose text holds every word of a query, those that
// begin with it first.
func narrowed(all []Item, lower []string, query string) []Item {
	query = strings.ToLower(query)
	words := strings.Fields(query)
	var first, rest []Item
	for i, text := range lower {
		switch {
		case slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }):
		case query != "" && strings.ToLower(all[i].Label) == query: // what was named whole
			first = append([]Item{all[i]}, first...)
		case strings.HasPrefix(text, query):
			first = append(first, all[i])
		default:
			rest = append(rest, all[i])
		}
		if len(first) == listLimit {
			break
		}
	}
	first = append(first, rest...)
	return first[:min(len(first), listLimit)]
}

// moved is a cursor in a list of n lines after a key; ok is false for a key
// that moves nothing.
func moved(cursor, n int, key string) (int, bool) {
	const page = 8
	switch key {
	case "up", "ctrl+p", "shift+tab":
		cursor--
	case "down", "ctrl+n", "tab":
		cursor++
	case "pgup":
		return max(cursor-page, 0), true
	case "pgdown":
		return max(min(cursor+page, n-1), 0), true
	default:
		return cursor, false
	}
	if n == 0 {
		return 0, true
	}
	return (cursor + n) % n, true
}

// pressPicker moves in the picker, narrows it, or takes what is chosen.
func (s State) pressPicker(p Picker, k Key) (State, []Intent) {
	if p.Loading {
		if early, ok := p.Early.add(k.Name); ok {
			p.Early = early
			s.Panel = p
			return s, nil
		}
	}
	if at, ok := moved(p.Cursor, len(p.Items), k.Name); ok {
		p.Cursor = at
		s.Panel = p
		return s, nil
	}
	switch k.Name {
	case "esc", "ctrl+c":
		s.Panel = nil
		return s, nil
	case "enter":
		if len(p.Items) == 0 {
			return s, nil
		}
		s.Panel = nil
		return s.picked(p.Kind, p.Items[p.Cursor].Value)
	}
	filter := p.Filter.Press(k)
	if filter.Text != p.Filter.Text {
		p.Cursor, p.Early = 0, p.Early.narrowed()
	}
	p.Filter = filter
	s.Panel = p.narrow()
	return s, nil
}

// picked does what the chosen line stands for.
func (s State) picked(kind PickerKind, value string) (State, []Intent) {
	switch kind {
	case PickAgent:
		return s, []Intent{Do{host.Use{Agent: value}}}
	case PickLevel:
		return s, []Intent{Do{host.Use{Level: llm.Level(value)}}}
	case PickModel:
		provider, model, _ := strings.Cut(value, "\x00")
		return s, []Intent{Do{host.Use{Provider: provider, Model: model}}}
	case PickSession:
		return s.leave(Switch{Session: value})
	default:
		return s, []Intent{Theme{value}}
	}
}

// pick opens a picker of words.
func (s State) pick(kind PickerKind, title string, words []string, current string) (State, []Intent) {
	p := Picker{Kind: kind, Title: title}
	items := make([]Item, len(words))
	for i, w := range words {
		items[i] = Item{Label: w, Value: w}
		if w == current {
			items[i].Detail, p.Cursor = "now", i
		}
	}
	s.Panel = p.load(items)
	return s, nil
}

// pickAsked opens a picker whose lines the host knows.
func (s State) pickAsked(kind PickerKind, title string, q host.Query) (State, []Intent) {
	s.Panel = Picker{Kind: kind, Title: title, Loading: true}
	return s, []Intent{Ask{q}}
}

// loaded gives an open picker the lines it was waiting for.
func (s State) loaded(kind PickerKind, items []Item, err error) (State, []Intent) {
	p, ok := s.Panel.(Picker)
	if !ok || p.Kind != kind {
		return s, nil
	}
	early := p.Early
	p.Early = Early{}
	if err != nil {
		p.Loading, p.Note = false, clipHead(err.Error(), noticeLimit)
	} else if p = p.load(items); len(items) == 0 {
		p.Note = "nothing to choose from"
	}
	s.Panel = p
	return s.late(early)
}

// models are the lines of a list of models.
func models(list []host.Model) []Item {
	items := make([]Item, 0, min(len(list), itemLimit))
	for _, m := range list[:min(len(list), itemLimit)] {
		detail := m.Provider
		if m.Window > 0 {
			detail = strings.TrimSpace(detail + " " + tokens(m.Window))
		}
		items = append(items, Item{Label: m.ID, Detail: detail, Value: m.Provider + "\x00" + m.ID})
	}
	return items
}

// sessions are the lines of a list of sessions.
func sessions(list []host.SessionInfo) []Item {
	items := make([]Item, 0, min(len(list), itemLimit))
	for _, x := range list[:min(len(list), itemLimit)] {
		title := firstLine(x.Title, titleLimit)
		if title == "" {
			title = "(no title)"
		}
		items = append(items, Item{Label: title, Detail: x.Updated.Format("2006-01-02 15:04") + " " + x.ID, Value: x.ID})
	}
	return items
}

package screen

import (
	"slices"
	"strings"

	"assent/internal/host"
)

// How many prompts can be recalled, and how long they may be in all.
const (
	historyLimit = 1000
	historyBytes = 32 << 20
)

// recall is the history of prompts and the walk through it.
type recall struct {
	// list is the prompts, oldest first; own how many of its end were added
	// here.
	list []string
	own  int
	// asked says that the host was asked, loaded that it has answered.
	asked, loaded bool
	// walking says that the prompt shows list[at]; shown is how it was put
	// there, draft what was there before, edits what was changed on the way.
	walking bool
	at      int
	shown   string
	draft   string
	edits   []edit
	// wanted says that up was pressed before the history had come.
	wanted bool
}

type edit struct {
	at   int
	text string
}

// loadHistory asks for the history once.
func (s State) loadHistory() (State, []Intent) {
	if s.recall.asked {
		return s, nil
	}
	s.recall.asked = true
	return s, []Intent{Ask{host.History{}}}
}

// history takes the history in, before what was added meanwhile.
func (s State) history(list []string) (State, []Intent) {
	if s.recall.loaded {
		return s, nil
	}
	own := s.recall.list[len(s.recall.list)-s.recall.own:]
	list = newest(list)
	// The host may have heard of our own before it answered.
	list = list[:len(list)-overlap(list, own)]
	s.recall.list, s.recall.loaded = slices.Concat(list, own), true
	s.recall.at += len(list)
	s.recall.edits = slices.Clone(s.recall.edits)
	for i := range s.recall.edits {
		s.recall.edits[i].at += len(list)
	}
	if search, ok := s.Panel.(Search); ok {
		early := search.Early
		search.Early = Early{}
		s.Panel = search.load(s.recall.list)
		s.recall.wanted = false
		return s.late(early)
	}
	if s.recall.wanted {
		s.recall.wanted = false
		return s.older()
	}
	return s, nil
}

// overlap is how many of the first own prompts end the list already.
func overlap(list, own []string) int {
	for n := min(len(list), len(own)); n > 0; n-- {
		if slices.Equal(list[len(list)-n:], own[:n]) {
			return n
		}
	}
	return 0
}

// remember adds a prompt to the history; the newest is not repeated. What was
// being written before or during a walk is kept before it.
func (s State) remember(text string) State {
	r := s.recall
	var add []string
	if r.walking {
		add = append(add, s.whole(r.draft))
		for _, e := range r.edits {
			add = append(add, s.whole(e.text))
		}
	}
	list := slices.Clip(r.list)
	for _, t := range append(add, text) {
		if strings.TrimSpace(t) != "" && (len(list) == 0 || list[len(list)-1] != t) {
			list = append(list, t)
			r.own++
		}
	}
	list = newest(list)
	r.list, r.own = list, min(r.own, len(list))
	r.walking, r.draft, r.edits, r.wanted = false, "", nil, false
	s.recall = r
	return s
}

// newest is the end of a list within the limits, one prompt at least.
func newest(list []string) []string {
	list = list[max(len(list)-historyLimit, 0):]
	bytes := 0
	for i, text := range slices.Backward(list) {
		if bytes += len(text); bytes > historyBytes && i < len(list)-1 {
			return list[i+1:]
		}
	}
	return list
}

// whole is a text with its pastes in place.
func (s State) whole(text string) string {
	text, _ = s.pastes.expand(text)
	return s.unpictured(text)
}

// older shows the prompt before.
func (s State) older() (State, []Intent) {
	s, ask := s.loadHistory()
	if !s.recall.loaded && len(s.recall.list) == 0 {
		s.recall.wanted = true
		return s, ask
	}
	at := len(s.recall.list)
	if s.recall.walking {
		at = s.recall.at
	}
	if at == 0 {
		return s, ask
	}
	s, intents := s.show(at - 1)
	return s, append(ask, intents...)
}

// newer shows the prompt after, and after the newest what was being written.
func (s State) newer() (State, []Intent) { return s.show(s.recall.at + 1) }

func (s State) show(at int) (State, []Intent) {
	s = s.stash()
	r := s.recall
	if !r.walking {
		r.walking, r.draft, r.edits = true, s.Editor.Text, nil
	}
	text := r.draft
	switch i := slices.IndexFunc(r.edits, func(e edit) bool { return e.at == at }); {
	case at >= len(r.list):
		s.recall = recall{list: r.list, own: r.own, asked: r.asked, loaded: r.loaded}
		for _, e := range r.edits {
			s = s.remember(s.whole(e.text))
		}
		return s.setQuietly(text)
	case i >= 0:
		text = r.edits[i].text
	default:
		s, text = s.recalled(r.list[at])
	}
	r.at, r.shown = at, text
	s.recall = r
	return s.setQuietly(text)
}

// stash keeps what was changed in a recalled prompt while the walk goes on.
func (s State) stash() State {
	r := s.recall
	if !r.walking || s.Editor.Text == r.shown {
		return s
	}
	r.edits = slices.DeleteFunc(slices.Clone(r.edits), func(e edit) bool { return e.at == r.at })
	r.edits = append(r.edits, edit{r.at, s.Editor.Text})
	s.recall = r
	return s
}

// search opens the search through the history.
func (s State) search() (State, []Intent) {
	s, ask := s.loadHistory()
	search := Search{}.load(s.recall.list)
	search.Loading = !s.recall.loaded
	s.Panel = search
	return s, ask
}

// load gives the search its prompts, newest first, each once.
func (p Search) load(list []string) Search {
	p.all, p.lower = nil, nil
	seen := make(map[string]bool, len(list))
	for _, text := range slices.Backward(list) {
		if !seen[text] {
			seen[text] = true
			p.all = append(p.all, text)
			p.lower = append(p.lower, strings.ToLower(clipHead(text, searchBytes)))
		}
	}
	p.Loading = false
	return p.find()
}

// searchBytes is how far into a prompt the search looks.
const searchBytes = 4 << 10

// find narrows the search to what holds every word of the query.
func (p Search) find() Search {
	words := strings.Fields(strings.ToLower(p.Query.Text))
	p.Found = nil
	for i, text := range p.lower {
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			p.Found = append(p.Found, p.all[i])
		}
	}
	p.Cursor = min(p.Cursor, max(len(p.Found)-1, 0))
	return p
}

// searchKey is the name under which a key of the search is kept for later.
func searchKey(name string) string {
	switch name {
	case "tab":
		return "enter"
	case "ctrl+s":
		return "up"
	}
	return name
}

// pressSearch moves in the search or takes what it found.
func (s State) pressSearch(p Search, k Key) (State, []Intent) {
	if p.Loading && len(p.Found) == 0 {
		if early, ok := p.Early.add(searchKey(k.Name)); ok {
			p.Early = early
			s.Panel = p
			return s, nil
		}
	}
	switch k.Name {
	case "esc", "ctrl+c":
		s.Panel = nil
		return s, nil
	case "up", "ctrl+s", "ctrl+p":
		p.Cursor = min(p.Cursor+1, max(len(p.Found)-1, 0))
	case "down", "ctrl+n":
		p.Cursor = max(p.Cursor-1, 0)
	case "enter", "tab":
		s.Panel = nil
		if len(p.Found) == 0 {
			return s, nil
		}
		// What was being written stays one step away.
		s = s.stash().remember(s.whole(s.Editor.Text))
		s, text := s.recalled(p.Found[p.Cursor])
		return s.setQuietly(text)
	default:
		query := p.Query.Press(k)
		if query.Text != p.Query.Text {
			p.Query, p.Cursor, p.Early = query, 0, p.Early.narrowed()
			p = p.find()
		}
		p.Query = query
	}
	s.Panel = p
	return s, nil
}

package screen

import (
	"slices"
	"strings"
	"unicode/utf8"

	"assent/internal/host"
)

// demoValue is the line of the set-up that plays the demo.
const demoValue = "\x00demo"

// keyLimit is the longest key in bytes.
const keyLimit = 8 << 10

// setup is what the set-up knows and does not show.
type setup struct {
	list []host.Provider
	// key gives the key that was typed. It is a function so that a printed
	// state does not hold it.
	key func() string
	// todo are the queries that follow, one after the other.
	todo  []host.Query
	lines Picker // of the step's list
	model string
	// unlisted is a model that the list lacks and that was asked about.
	unlisted string
}

// StartSetup opens the set-up. First says that there is no provider yet: then
// it cannot be closed, and it ends with a new conversation.
func StartSetup(s State, first bool) (State, []Intent) {
	s.Panel = Setup{First: first, Loading: "looking for keys and local servers"}
	return s, []Intent{Ask{host.Providers{}}}
}

// Missing has the set-up say what it is open for.
func Missing(s State, text string) State {
	if p, ok := s.Panel.(Setup); ok && text != "" {
		p.Note = clipHead(text, noticeLimit)
		s.Panel = p
	}
	return s
}

// providers gives the set-up its first list: what works at once comes first.
func (s State) providers(list []host.Provider, err error) (State, []Intent) {
	p, ok := s.Panel.(Setup)
	if !ok || p.Step != SetupProvider {
		return s, nil
	}
	early, filter := p.Early, p.lines.Filter
	p.Loading, p.Early = "", Early{}
	if err != nil {
		p.Note = clipHead(err.Error(), noticeLimit)
	}
	p.list = slices.Clone(list)
	slices.SortStableFunc(p.list, func(a, b host.Provider) int { return readiness(a) - readiness(b) })
	items := make([]Item, 0, len(p.list)+1)
	for _, x := range p.list {
		items = append(items, Item{Label: x.Name, Detail: found(x), Value: x.Name})
	}
	// The demo stands where everybody sees it.
	items = slices.Insert(items, min(1, len(items)), Item{Label: "demo", Detail: "no key needed: a sample project and a scripted model", Value: demoValue})
	s.Panel = p.show(Picker{Filter: filter}.load(items))
	return s.late(early)
}

func readiness(p host.Provider) int {
	switch {
	case p.Running, p.KeyFrom != "":
		return 0
	case p.Keyless, p.NeedsURL:
		return 2
	default:
		return 1
	}
}

// found says what is known of a provider.
func found(p host.Provider) string {
	switch {
	case p.Running:
		return "running at " + p.BaseURL
	case p.KeyFrom != "":
		return "key found in " + p.KeyFrom
	case p.NeedsURL:
		return "your own endpoint, needs an address"
	case p.Keyless:
		return "local, not running"
	default:
		return "needs a key"
	}
}

// pressSetup takes a key in the set-up.
func (s State) pressSetup(p Setup, k Key) (State, []Intent) {
	switch k.Name {
	case "ctrl+c":
		if p.First {
			return s.quitTwice(k.Name)
		}
		s.Panel = nil
		return s, nil
	case "esc":
		return s.setupBack(p)
	case "enter":
		if p.Loading != "" {
			// Nobody has seen the list: it is taken for what was typed only.
			p.Early.Enter = p.awaits() && p.lines.Filter.Text != ""
			s.Panel = p
			return s, nil
		}
		return s.setupNext(p)
	}
	switch p.Step {
	case SetupURL:
		p.Note, p.URL = "", p.URL.Press(k)
	case SetupKey:
		p = p.typeKey(k)
	case SetupProvider, SetupModel:
		if at, ok := moved(p.Cursor, len(p.Items), k.Name); ok {
			p.Cursor = at
			break
		}
		if filter := p.lines.Filter.Press(k); filter.Text != p.lines.Filter.Text {
			p.lines.Cursor, p.lines.Filter, p.Note, p.unlisted = 0, filter, "", ""
			p = p.show(p.lines.narrow())
		} else {
			p.lines.Filter, p.Filter = filter, filter
		}
	}
	s.Panel = p
	return s, nil
}

// awaits reports whether the list of the step is on its way.
func (p Setup) awaits() bool {
	if p.Step == SetupProvider {
		return true
	}
	for _, q := range p.todo {
		if _, ok := q.(host.Models); ok {
			return true
		}
	}
	return false
}

// show puts a list before the user.
func (p Setup) show(lines Picker) Setup {
	p.lines, p.Filter, p.Items, p.Cursor = lines, lines.Filter, lines.Items, lines.Cursor
	return p
}

// typeKey edits the key: at its end only, because nobody sees it.
func (p Setup) typeKey(k Key) Setup {
	key := p.secret()
	switch k.Name {
	case "backspace", "ctrl+h":
		_, n := utf8.DecodeLastRuneInString(key)
		return p.withKey(key[:len(key)-n])
	case "ctrl+u":
		return p.withKey("")
	default:
		return p.withKey(key + clean(k.Text))
	}
}

func (p Setup) secret() string {
	if p.key == nil {
		return ""
	}
	return p.key()
}

func (p Setup) withKey(key string) Setup {
	key = clipHead(strings.Join(strings.Fields(key), ""), keyLimit)
	p.key, p.KeyLength = func() string { return key }, utf8.RuneCountInString(key)
	return p
}

// pastePanel gives a pasted text to the field of the open panel.
func (s State) pastePanel(text string) (State, []Intent, bool) {
	switch p := s.Panel.(type) {
	case Picker:
		p.Filter, p.Cursor = p.Filter.Type(text), 0
		s.Panel = p.narrow()
	case Search:
		p.Query, p.Cursor = p.Query.Type(text), 0
		s.Panel = p.find()
	case Setup:
		switch p.Step {
		case SetupURL:
			p.URL = p.URL.Type(text)
		case SetupKey:
			p = p.withKey(p.secret() + clipHead(text, keyLimit))
		case SetupProvider:
			if !p.Stray(text) {
				return s, nil, false
			}
			p.Note = keyNote
		case SetupModel:
			p.lines.Filter = p.lines.Filter.Type(text)
			p = p.show(p.lines.narrow())
		}
		s.Panel = p
	default:
		return s, nil, false
	}
	return s, nil, true
}

// setupBack goes one step back; from the first step it closes.
func (s State) setupBack(p Setup) (State, []Intent) {
	if p.Step == SetupProvider {
		if !p.First {
			s.Panel = nil
		}
		return s, nil
	}
	if p.Step == SetupKey && p.ownURL() {
		p.Step, p.Note = SetupURL, ""
		s.Panel = p.withKey("")
		return s, nil
	}
	first := Setup{First: p.First}
	first.list = p.list
	s.Panel = first
	return s.providers(p.list, nil)
}

// setupNext takes what was chosen or typed in a step.
func (s State) setupNext(p Setup) (State, []Intent) {
	p.Note = ""
	switch p.Step {
	case SetupProvider:
		if len(p.Items) == 0 {
			return s, nil
		}
		if p.Items[p.Cursor].Value == demoValue {
			s.Panel = nil
			return s.leave(Switch{Demo: true})
		}
		at := slices.IndexFunc(p.list, func(x host.Provider) bool { return x.Name == p.Items[p.Cursor].Value })
		if at < 0 {
			return s, nil
		}
		chosen := p.list[at]
		p.Provider, p.KeyEnv = chosen.Name, chosen.KeyEnv
		if chosen.NeedsURL {
			p.URL = NewLine(chosen.BaseURL)
		}
		p = p.show(Picker{})
		return s.setupStep(p, chosen.NeedsURL, chosen.KeyFrom == "" && !chosen.Keyless)
	case SetupURL:
		return s.setupURL(p)
	case SetupKey:
		if p.KeyLength == 0 && !p.ownURL() {
			return s, nil
		}
		return s.setupStep(p, false, false)
	default:
		return s.setupModel(p)
	}
}

// ownURL reports whether the endpoint is the user's own, which may need no key.
func (p Setup) ownURL() bool { return p.URL.Text != "" }

// setupStep goes on with the first thing that is missing. When nothing is, it
// asks for the models with what was said: nothing is stored before a model is
// chosen, so that who leaves before it, or types a wrong key, leaves nothing.
func (s State) setupStep(p Setup, url, key bool) (State, []Intent) {
	switch {
	case url:
		p.Step = SetupURL
	case key:
		p.Step = SetupKey
	default:
		p.Step, p.Loading = SetupModel, "asking "+p.Provider+" for its models"
		p.todo = []host.Query{host.Models{Provider: p.Provider, BaseURL: p.URL.Text, Key: p.secret(), Setup: true}}
		s.Panel = p
		return s, []Intent{Ask{p.todo[0]}}
	}
	s.Panel = p
	return s, nil
}

// setupAnswered goes on after a query of the set-up. It reports whether the
// answer was the set-up's.
func (s State) setupAnswered(q host.Query, a host.Answer, err error) (State, []Intent, bool) {
	p, ok := s.Panel.(Setup)
	if !ok || len(p.todo) == 0 || p.todo[0] != q {
		return s, nil, false
	}
	if err != nil {
		return s.setupFailed(p, q, err), nil, true
	}
	p.todo = p.todo[1:]
	if list, ok := a.(host.ModelList); ok {
		early := p.Early
		p.Loading, p.Early = "", Early{}
		p = p.show(Picker{Kind: PickModel, Filter: p.lines.Filter}.load(models(list.Models)))
		if len(list.Models) == 0 {
			p.Note = "the endpoint reports no models; type the id of one"
		}
		s.Panel = p
		s, intents := s.late(early)
		return s, intents, true
	}
	if len(p.todo) == 0 {
		s, intents := s.setupEnd(p)
		return s, intents, true
	}
	s.Panel = p
	return s, []Intent{Ask{p.todo[0]}}, true
}

// setupFailed says what went wrong. A key that did not work is typed again; a
// list of models that nobody gives is replaced by an id that the user types.
func (s State) setupFailed(p Setup, q host.Query, err error) State {
	p.Note, p.Loading, p.todo = clipHead(err.Error(), noticeLimit), "", nil
	p.Early = Early{}
	if _, ok := q.(host.Models); ok {
		if p.KeyLength > 0 {
			p.Step = SetupKey
			p = p.withKey("")
		}
		p = p.again(err)
	}
	s.Panel = p
	return s
}

// setupModel takes the chosen model, or the id that was typed.
func (s State) setupModel(p Setup) (State, []Intent) {
	id := strings.TrimSpace(p.Filter.Text)
	if len(p.Items) > 0 {
		_, id, _ = strings.Cut(p.Items[p.Cursor].Value, "\x00")
	}
	switch listed := len(p.Items) > 0; {
	case id == "":
		return s, nil
	case !listed && strings.HasPrefix(id, "/"):
		p.Note = id + " is a command and no model; esc goes back"
	case !listed && len(p.lines.all) > 0 && p.unlisted != id:
		p.unlisted, p.Note = id, p.Provider+" does not list "+id+"; enter again takes it all the same"
	default:
		return s.store(p, id)
	}
	s.Panel = p
	return s, nil
}

// store keeps what was said, one query after the other: each needs the one
// before.
func (s State) store(p Setup, model string) (State, []Intent) {
	p.Loading, p.model = "storing the choice", model
	p.todo = []host.Query{host.Configure{Field: "provider", Value: p.Provider}}
	if p.ownURL() {
		p.todo = append(p.todo, host.Configure{Field: "baseUrl", Value: p.URL.Text})
	}
	if p.KeyLength > 0 {
		p.todo = append(p.todo, host.Configure{Field: "apiKey", Value: p.secret()})
	}
	p.todo = append(p.todo, host.Configure{Field: "model", Value: model})
	s.Panel = p
	return s, []Intent{Ask{p.todo[0]}}
}

// setupEnd leaves the set-up with what was chosen.
func (s State) setupEnd(p Setup) (State, []Intent) {
	s.Panel = nil
	if p.First {
		return s, []Intent{Switch{}}
	}
	return s, []Intent{Do{host.Use{Provider: p.Provider, Model: p.model}}}
}

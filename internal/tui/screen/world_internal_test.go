package screen

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"assent/internal/event"
	"assent/internal/host"
)

// world is a state with a text area and a host around it. The host answers
// late and in any order, refuses at times, and forgets its queue on Cancel as
// the real one does.
type world struct {
	t    *rapid.T
	s    State
	text string
	at   int
	now  time.Time

	typed []rune // every character that reached the text area, each its own
	made  int

	commands []Intent // not carried out yet
	queries  []host.Query
	events   []event.Event
	busy     bool
	queue    []string
	entered  strings.Builder // what began in the conversation

	decided  map[string]int
	appeared map[string]time.Time
	asked    int
	lastKey  time.Time
	printed  []Block
	quit     bool
}

func (w *world) snapshot() Snapshot {
	return Snapshot{
		Text: w.text, Cursor: w.at,
		Top: !strings.Contains(w.text[:w.at], "\n"), Bottom: !strings.Contains(w.text[w.at:], "\n"),
	}
}

// fresh is a character that was never used.
func (w *world) fresh() string {
	w.made++
	return string(rune(0x4e00 + w.made))
}

// step runs a transition twice from the same state and checks that neither
// run changed it.
func (w *world) step(f func(State) (State, []Intent)) []Intent {
	before := fmt.Sprintf("%+v", w.s)
	next, intents := f(w.s)
	after := fmt.Sprintf("%+v", next)
	again, _ := f(w.s)
	if fmt.Sprintf("%+v", w.s) != before || fmt.Sprintf("%+v", next) != after {
		w.t.Fatal("a transition changed what it was given")
	}
	if again.out.n != next.out.n || again.Editor != next.Editor {
		w.t.Fatal("a transition is not the same twice")
	}
	w.s = next
	return intents
}

func (w *world) press(name, text string) {
	k := Key{Name: name, Text: text, At: w.now, Editor: w.snapshot()}
	waiting := w.s.Approvals
	if m := w.s.Menu; m.Open() && (name == "tab" || name == "enter") {
		// What the chosen line replaces is given up.
		word := w.text[m.from:m.token.end]
		w.typed = slices.DeleteFunc(w.typed, func(r rune) bool { return strings.ContainsRune(word, r) })
	}
	intents := w.step(func(s State) (State, []Intent) { return Press(s, k) })
	for _, i := range intents {
		if d, ok := i.(Do); ok {
			if d, ok := d.Command.(host.Decide); ok {
				w.checkDecision(d, waiting)
			}
		}
	}
	w.lastKey = w.now
	w.carry(k, intents)
}

// checkDecision holds that an approval is answered once, that it was on the
// screen, and that it was there for a while without a key.
func (w *world) checkDecision(d host.Decide, waiting []Approval) {
	if w.decided[d.ID]++; w.decided[d.ID] > 1 {
		w.t.Fatalf("%s was answered twice", d.ID)
	}
	if len(waiting) == 0 || waiting[0].ID != d.ID {
		w.t.Fatalf("%s was answered and is not the first of %v", d.ID, waiting)
	}
	if since := w.now.Sub(w.appeared[d.ID]); since < guard {
		w.t.Fatalf("%s was answered after %v", d.ID, since)
	}
}

func (w *world) carry(k Key, intents []Intent) {
	for _, i := range intents {
		switch i := i.(type) {
		case SetText:
			w.text, w.at = i.Text, i.Cursor
		case Insert:
			w.insert(i.Text)
		case Pass:
			w.edit(k)
		case Ask:
			w.queries = append(w.queries, i.Query)
		case Quit:
			w.quit = true
		case Edit:
			w.carry(Key{}, w.step(func(s State) (State, []Intent) { return Wrote(s, i.Text, true) }))
		default:
			w.commands = append(w.commands, i)
		}
	}
}

func (w *world) edit(k Key) {
	switch k.Name {
	case "left":
		_, n := utf8.DecodeLastRuneInString(w.text[:w.at])
		w.at -= n
	case "right":
		_, n := utf8.DecodeRuneInString(w.text[w.at:])
		w.at += n
	case "shift+enter":
		w.insert("\n")
		return
	default:
		if k.Text != "" {
			w.insert(k.Text)
			return
		}
	}
	w.edited()
}

func (w *world) insert(text string) {
	for _, r := range w.s.whole(text) {
		if r >= 0x4e00 {
			w.typed = append(w.typed, r)
		}
	}
	w.text, w.at = w.text[:w.at]+text+w.text[w.at:], w.at+len(text)
	w.edited()
}

func (w *world) edited() {
	w.carry(Key{}, w.step(func(s State) (State, []Intent) { return Edited(s, w.snapshot()) }))
}

func (w *world) tell(e event.Event) { w.events = append(w.events, e) }

// tellQueue tells a copy, as the host does.
func (w *world) tellQueue() { w.tell(event.Queue{Prompts: slices.Clone(w.queue)}) }

func (w *world) begin(text string, steer bool) {
	w.entered.WriteString(text)
	w.tell(event.Prompt{Text: text, Steer: steer})
	w.busy = true
}

// work carries out the oldest command.
func (w *world) work() {
	if len(w.commands) == 0 {
		return
	}
	i := w.commands[0]
	w.commands = w.commands[1:]
	switch i := i.(type) {
	case Do:
		w.do(i.Command)
	case TakeBack:
		var back []string
		for len(w.queue) > 0 && (i.All || len(back) == 0) {
			back = slices.Insert(back, 0, w.queue[len(w.queue)-1])
			w.queue = w.queue[:len(w.queue)-1]
		}
		w.tellQueue()
		w.carry(Key{}, w.step(func(s State) (State, []Intent) { return TookBack(s, back) }))
	case Shell:
		w.entered.WriteString(i.Command) // it ran and is in the scrollback
		w.step(func(s State) (State, []Intent) { return ShellOutput(s, "x\n"), nil })
	case KillShell:
		w.step(func(s State) (State, []Intent) { return ShellDone(s, 1, "x", errors.New("stopped")) })
	default:
	}
}

func (w *world) do(c host.Command) {
	switch c := c.(type) {
	case host.Submit:
		switch {
		case rapid.IntRange(0, 9).Draw(w.t, "refuse") == 0:
			w.carry(Key{}, w.step(func(s State) (State, []Intent) { return Refused(s, c, errors.New("no")) }))
		case w.busy:
			w.queue = append(w.queue, c.Text)
			w.tellQueue()
		case rapid.IntRange(0, 9).Draw(w.t, "unprepared") == 0:
			w.tell(event.Error{Message: "no key"})
			w.tell(event.Done{Reason: "error"})
		default:
			w.begin(c.Text, false)
		}
	case host.Steer:
		w.begin(c.Text, w.busy)
	case host.Promote:
		if len(w.queue) == 0 {
			w.step(func(s State) (State, []Intent) { return Refused(s, c, host.ErrNothing) })
			return
		}
		text := w.queue[0]
		w.queue = w.queue[1:]
		w.tellQueue()
		w.begin(text, true)
	case host.Cancel:
		w.queue = nil // the host forgets them
		w.tellQueue()
		w.finish()
	default:
	}
}

func (w *world) finish() {
	if !w.busy {
		return
	}
	w.busy = false
	w.tell(event.Done{Reason: "stop"})
	if len(w.queue) > 0 {
		text := w.queue[0]
		w.queue = w.queue[1:]
		w.tellQueue()
		w.begin(text, false)
	}
}

// hear applies the oldest event.
func (w *world) hear() {
	if len(w.events) == 0 {
		return
	}
	e := w.events[0]
	w.events = w.events[1:]
	was := ""
	if len(w.s.Approvals) > 0 {
		was = w.s.Approvals[0].ID
	}
	w.step(func(s State) (State, []Intent) { return Apply(Tick(s, w.now), e), nil })
	w.noteFront(was)
}

// noteFront keeps when an approval came to the front.
func (w *world) noteFront(was string) {
	if len(w.s.Approvals) > 0 && w.s.Approvals[0].ID != was {
		w.appeared[w.s.Approvals[0].ID] = w.now
	}
}

// answer answers one of the open queries.
func (w *world) answer() {
	if len(w.queries) == 0 {
		return
	}
	i := rapid.IntRange(0, len(w.queries)-1).Draw(w.t, "query")
	q := w.queries[i]
	w.queries = slices.Delete(w.queries, i, i+1)
	var a host.Answer
	var err error
	if rapid.IntRange(0, 4).Draw(w.t, "fails") == 0 {
		err = errors.New("no")
	} else {
		switch q.(type) {
		case host.Paths:
			a = host.PathList{Paths: []string{"a.go", "my dir/", "my dir/b.go"}}
		case host.Expand:
			a = host.Expansion{OK: true, Label: "x", Text: "y"}
		case host.History:
			a = host.PromptList{Prompts: []string{"old", "older\nlines"}}
		case host.Providers:
			a = host.ProviderList{Providers: []host.Provider{{Name: "p"}, {Name: "q", Keyless: true}, {Name: "r", NeedsURL: true}}}
		case host.Models:
			a = host.ModelList{Models: []host.Model{{ID: "m"}}}
		case host.Sessions:
			a = host.SessionList{Sessions: []host.SessionInfo{{ID: "s"}}}
		default:
			a = host.Page{Title: "t"}
		}
	}
	w.carry(Key{}, w.step(func(s State) (State, []Intent) { return Answered(s, q, a, err) }))
}

// lost is what was typed and is nowhere any more.
func (w *world) lost() string {
	var all strings.Builder
	all.WriteString(w.s.whole(w.text))
	all.WriteString(w.entered.String())
	all.WriteString(strings.Join(w.queue, ""))
	for _, p := range w.s.sent {
		all.WriteString(p.text)
	}
	for _, i := range w.commands {
		switch i := i.(type) {
		case Shell:
			all.WriteString(i.Command)
		case Do:
			if c, ok := i.Command.(host.Submit); ok {
				all.WriteString(c.Text)
			}
		default:
		}
	}
	r := w.s.recall
	all.WriteString(w.s.whole(strings.Join(r.list, "") + r.draft))
	for _, e := range r.edits {
		all.WriteString(w.s.whole(e.text))
	}
	for _, r := range w.typed {
		if !strings.ContainsRune(all.String(), r) {
			return string(r)
		}
	}
	return ""
}

func (w *world) drain() {
	s, blocks := Drain(w.s)
	w.s, w.printed = s, append(w.printed, blocks...)
}

var lawKeys = []string{
	"enter", "enter", "enter", "esc", "ctrl+c", "up", "up", "down", "left", "right", "tab", "ctrl+s", "ctrl+enter", "shift+enter",
	"shift+tab", "pgdown", "ctrl+g", "ctrl+r", "home", "y", "a", "p", "n", "d", "e", "!", "/", "@", "#", " ", `\`, "m", "q", "x",
}

// act does one random thing.
func (w *world) act() {
	w.now = w.now.Add(time.Duration(rapid.SampledFrom([]int{0, 50, 150, 299, 300, 2000}).Draw(w.t, "ms")) * time.Millisecond)
	switch rapid.IntRange(0, 13).Draw(w.t, "act") {
	case 0, 1, 2:
		c := w.fresh()
		w.press(c, c)
	case 3, 4, 5:
		name := rapid.SampledFrom(lawKeys).Draw(w.t, "key")
		text := ""
		if len(name) == 1 {
			text = name
		}
		was := ""
		if len(w.s.Approvals) > 0 {
			was = w.s.Approvals[0].ID
		}
		w.press(name, text)
		w.noteFront(was)
	case 6:
		text := w.fresh() + strings.Repeat("line\n", rapid.IntRange(0, 12).Draw(w.t, "lines"))
		w.carry(Key{}, w.step(func(s State) (State, []Intent) { return Paste(s, text) }))
	case 7:
		w.work()
	case 8, 9:
		w.hear()
	case 10:
		w.answer()
	case 11:
		w.finish()
	case 12:
		w.drain()
	default:
		w.surprise()
	}
}

// surprise is something that the engine tells.
func (w *world) surprise() {
	if !w.busy {
		return
	}
	w.asked++
	id := fmt.Sprint(w.asked)
	switch rapid.IntRange(0, 3).Draw(w.t, "surprise") {
	case 0:
		w.tell(event.ToolCall{ID: id, Name: "bash"})
		w.tell(event.Approval{ID: id, Name: "bash", Pattern: "x *"})
	case 1:
		w.tell(event.ToolCall{ID: id, Name: "bash"})
	case 2:
		w.tell(event.ToolResult{ID: fmt.Sprint(w.asked - 1)})
	default:
		w.tell(event.Text{Text: "text"})
	}
}

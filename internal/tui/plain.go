package tui

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"assent/internal/event"
	"assent/internal/tui/ink"
	"assent/internal/tui/paint"
	"assent/internal/tui/screen"
)

// plain is the front as lines: nothing is drawn twice, nothing moves, and a
// choice is a number (TUI-26). The terminal stays as it is, so the line that
// is typed is the terminal's to edit.
type plain struct {
	*ui
	lines chan string
	more  chan bool // asks for the next line; true for one that is not shown

	listed  string // the list that was printed last
	waiting bool   // the prompt stands there
	reading bool   // a line is asked for
	sent    bool   // a prompt was sent of which nothing was heard yet
	echoed  string // the prompt that the terminal has shown while it was typed
}

// runPlain is Run for a terminal that shows lines only.
func runPlain(ctx context.Context, h Host, o Options) (int, error) {
	ctx, stop := uninterrupted(ctx, o.Interrupted, func() bool { return true })
	p := &plain{ui: newUI(ctx, h, o), lines: make(chan string), more: make(chan bool)}
	defer func() {
		stop()
		p.await()
	}()
	p.skip = p.standsThere
	interrupts, end := interrupts()
	defer end()
	defer p.term.keep()()
	p.apart(func() { p.read(ctx) }, func() { close(p.lines) })
	p.open()
	p.sent = p.sent || !o.Setup // the banner comes first
	for !p.quit {
		p.say()
		select {
		case line, more := <-p.lines:
			p.waiting, p.reading = false, false
			if !more {
				p.check()
				p.quit = true
				break
			}
			p.line(line)
		case list := <-p.events:
			p.sent = false
			p.hear(list)
		case f := <-p.posts:
			f()
		case text := <-p.broke:
			panic(text)
		case <-interrupts:
			p.press("ctrl+c", "")
		case <-ctx.Done():
			p.quit, p.code = true, exitInterrupted
		}
	}
	p.leave()
	p.render()
	p.put(p.printed...)
	return p.code, nil
}

// read reads a line whenever one is asked for. It ends with the input.
func (p *plain) read(ctx context.Context) {
	in := bufio.NewReader(p.o.In)
	for {
		var secret bool
		select {
		case secret = <-p.more:
		case <-ctx.Done():
			return
		}
		line, err := "", error(nil)
		if f, ok := p.o.In.(*os.File); ok && secret && term.IsTerminal(int(f.Fd())) {
			var b []byte
			b, err = term.ReadPassword(int(f.Fd()))
			line = string(b) + "\n"
		} else {
			line, err = in.ReadString('\n')
		}
		if err != nil && line == "" {
			return
		}
		select {
		case p.lines <- strings.TrimRight(line, "\r\n"):
		case <-ctx.Done():
			return
		}
	}
}

// say prints what is new, then what is asked.
func (p *plain) say() {
	p.settle()
	p.render()
	p.put(p.printed...)
	p.printed = nil
	switch panel, _ := p.state.Panel.(screen.Setup); {
	case len(p.state.Approvals) > 0:
		if p.unseen() {
			p.put(paint.Question(p.state.Approvals[0], p.look.Style)...)
			p.seen = p.state.Front()
			p.state = screen.Shown(p.state, p.o.Now())
		}
	case p.state.Panel != nil:
		p.list()
		if panel.Loading != "" {
			return // nothing can be said to it
		}
	}
	p.want()
}

// want shows the prompt, unless a turn runs, and asks for a line.
func (p *plain) want() {
	busy := p.sent || p.state.Turn.Busy && len(p.state.Approvals) == 0 && p.state.Panel == nil
	if !p.waiting && !busy {
		p.waiting = true
		p.term.write("> ")
	}
	if p.reading {
		return
	}
	setup, _ := p.state.Panel.(screen.Setup)
	select {
	case p.more <- setup.Step == screen.SetupKey:
		p.reading = true
	case <-p.ctx.Done():
	}
}

// put prints lines. A prompt that stands there is left above them.
func (p *plain) put(lines ...string) {
	if len(lines) == 0 {
		return
	}
	if p.waiting {
		p.waiting = false
		p.term.write("\n")
	}
	p.term.write(strings.Join(lines, "\n") + "\n")
}

// list prints what there is to choose from, when it is new.
func (p *plain) list() {
	title, items, note := choices(p.state.Panel)
	lines := []string{"", title}
	for i, x := range items {
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%d. %s  %s", i+1, ink.OneLine(x.Label), ink.OneLine(x.Detail)), " "))
	}
	if note != "" {
		lines = append(lines, ink.OneLine(note))
	}
	if all := strings.Join(lines, "\n"); all != p.listed {
		p.listed = all
		p.put(lines...)
	}
}

// choices are the lines of a panel.
func choices(panel screen.Panel) (title string, items []screen.Item, note string) {
	switch x := panel.(type) {
	case screen.Picker:
		title, items, note = "Choose: "+x.Title+". Type a number, or a word to narrow the list; an empty line closes it.", x.Items, x.Note
	case screen.Setup:
		title, note = [...]string{
			screen.SetupProvider: "Choose a provider: type its number or its name.",
			screen.SetupURL:      "Type the address of " + x.Provider + keeps(x.URL.Text) + "; /back goes back.",
			screen.SetupKey:      "Type or paste the key of " + x.Provider + leaves(x.Optional()) + "; it is not shown. /back goes back.",
			screen.SetupModel:    "Choose a model: type its number or its name, or a word to narrow the list; /back goes back.",
		}[x.Step], x.Note
		if x.Loading != "" {
			return x.Loading + " …", nil, note
		}
		items = x.Items
	case screen.Search: // no key opens it here
	}
	return title, items, note
}

func keeps(address string) string {
	if address == "" {
		return ""
	}
	return "; an empty line keeps " + ink.OneLine(address)
}

func leaves(optional bool) string {
	if !optional {
		return ""
	}
	return ", or an empty line for none"
}

// line takes in a line that the user typed.
func (p *plain) line(text string) {
	switch {
	case len(p.state.Approvals) > 0 && p.answer(p.state.Approvals[0], strings.TrimSpace(text)):
	case p.state.Panel != nil && len(p.state.Approvals) == 0:
		p.choose(strings.TrimSpace(text))
	default:
		waits := p.state.Turn.Busy && strings.TrimSpace(text) != "" && !strings.ContainsAny(text[:1], "/!")
		p.area = p.area.Set(text, len(text))
		at := p.o.Now()
		if len(p.state.Approvals) > 0 {
			at = p.state.Approvals[0].Since // it is no answer: enter sends the line
		}
		if next := p.state.Next(); next != "" && strings.TrimSpace(text) == "" {
			p.put("Goes in at the next step: " + ink.OneLine(next))
		}
		p.pressAt(at, screen.Key{Name: "enter"})
		p.echoed = text
		p.sent = p.area.Text() == "" && text != "" && !strings.ContainsAny(text[:1], "/!")
		switch {
		case waits && len(p.state.Approvals) > 0:
			p.put("This is no answer (" + answers(p.state.Approvals[0]) + "); queued: " + ink.OneLine(text))
		case waits:
			p.put("Queued: " + ink.OneLine(text))
		}
	}
}

// answers are the lines that answer an approval.
func answers(a screen.Approval) string {
	var keys []string
	for _, c := range a.Choices() {
		keys = append(keys, c.Key)
	}
	return fmt.Sprintf("answers are yes, no, %s and 1 to %d", strings.Join(keys, ", "), len(keys))
}

// tooSoon is how long a question must stand there before a line answers it.
const tooSoon = 300 * time.Millisecond

// standsThere reports whether a block is the prompt that was just typed.
func (p *plain) standsThere(b screen.Block) bool {
	user, ok := b.(screen.User)
	ok = ok && user.Text == p.echoed && !user.Steer
	if ok {
		p.echoed = ""
	}
	return ok
}

// answer decides an approval; it reports whether the line was an answer. A
// line of more words is a prompt that was being typed.
func (p *plain) answer(a screen.Approval, text string) bool {
	p.area = p.area.Set("", 0) // over a text no letter answers
	if a.Field == screen.MessageField {
		p.carry(screen.Paste(p.state, text))
		p.press("enter", "")
		return true
	}
	word, rest, _ := strings.Cut(text, " ")
	if w := strings.ToLower(text); w == "yes" || w == "no" {
		word, rest = w[:1], ""
	}
	for i, c := range a.Choices() {
		if word != c.Key && word != strconv.Itoa(i+1) {
			continue
		}
		if rest != "" && c.Key != "d" {
			return false
		}
		if p.o.Now().Sub(a.Since) < tooSoon {
			p.put("That came before the question could be read. Answer it again:")
			p.seen = 0
			return true
		}
		p.press(c.Key, c.Key)
		switch {
		case c.Key == "d" && strings.TrimSpace(rest) == "":
			p.put("What is to be done instead? An empty line only denies.")
		case c.Key == "d":
			p.carry(screen.Paste(p.state, rest))
			p.press("enter", "")
		}
		return true
	}
	if text != "" {
		return false
	}
	p.seen = 0 // an empty line has the question read again
	return true
}

// choose takes a line in an open panel.
func (p *plain) choose(text string) {
	_, items, _ := choices(p.state.Panel)
	n, err := strconv.Atoi(text)
	setup, isSetup := p.state.Panel.(screen.Setup)
	switch {
	case text == "" && isSetup && (setup.Optional() || setup.Step == screen.SetupURL && setup.URL.Text != ""):
		p.press("enter", "") // none, or the one that is known
	case text == "":
		p.press("esc", "")
	case err == nil && n >= 1 && n <= len(items):
		p.moveTo(n - 1)
		p.press("enter", "")
	case isSetup && strings.HasPrefix(text, "/") && (setup.Step != screen.SetupKey || text == "/back" || text == "/exit"):
		p.command(text)
	case isSetup && setup.Step == screen.SetupProvider:
		p.provider(text, items)
	case isSetup && (setup.Step == screen.SetupKey || setup.Step == screen.SetupURL):
		p.press("ctrl+u", "")
		p.carry(screen.Paste(p.state, text))
		p.press("enter", "")
	default:
		if setup.Filter.Text != text { // the same again confirms it
			p.press("ctrl+u", "")
			p.carry(screen.Paste(p.state, text))
		}
		// A name is taken: that of a line, of the only one that fits, or, in the
		// set-up, one that is no part of the list.
		_, items, _ := choices(p.state.Panel)
		named := len(items) > 0 && strings.EqualFold(items[0].Label, text)
		if named || isSetup && len(items) < 2 {
			p.press("enter", "")
		}
	}
}

// moveTo puts the cursor of a panel on a line.
func (p *plain) moveTo(line int) {
	for range 1000 {
		at := 0
		switch x := p.state.Panel.(type) {
		case screen.Picker:
			at = x.Cursor
		case screen.Setup:
			at = x.Cursor
		case screen.Search:
			at = x.Cursor
		}
		if at == line {
			return
		}
		key := "down"
		if at > line {
			key = "up"
		}
		p.press(key, "")
	}
}

// hear takes events in, and says which calls begin to run: a long one would be
// silent else. One that has its result already needs no word.
func (p *plain) hear(list []event.Event) {
	for i, e := range list {
		title := ""
		run, begins := e.(event.ToolRun)
		if begins {
			begins = !slices.ContainsFunc(list[i:], func(e event.Event) bool { return ends(e) == run.ID })
			for _, t := range p.state.Tools {
				if t.ID == run.ID {
					title = t.Title
				}
			}
		}
		p.apply(list[i : i+1])
		if begins {
			p.settle()
			p.render()
			p.printed = append(p.printed, ink.Clean(fmt.Sprintf("* %s %s ...", ink.OneLine(run.Name), ink.OneLine(title))))
		}
	}
}

// ends is the call that an event ends, empty for none.
func ends(e event.Event) string {
	switch e := e.(type) {
	case event.ToolResult:
		return e.ID
	case event.ToolError:
		return e.ID
	default:
		return ""
	}
}

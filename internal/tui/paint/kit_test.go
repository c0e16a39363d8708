package paint_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/tui/md"
	"assent/internal/tui/paint"
	"assent/internal/tui/screen"
)

// began is when every script begins.
var began = time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)

// ui drives a state as the glue does: it holds the text area, and
// carries the clock.
type ui struct {
	t   testing.TB
	s   screen.State
	now time.Time
	// asked are the questions to the host, oldest first.
	asked []host.Query
}

func start(tb testing.TB) *ui {
	tb.Helper()
	return &ui{t: tb, now: began, s: screen.New(screen.Options{
		Version: "1.2.3", Facts: []string{"guards: guard, secrets, protect", "asks for: write, exec, net"},
		Agents: []string{"default", "plan", "review"}, Themes: []string{"dark", "light"}, Now: began,
	})}
}

// kinds are the events by their type word.
var kinds = func() map[string]reflect.Type {
	m := map[string]reflect.Type{}
	for _, e := range []event.Event{
		event.Session{},
		event.Prompt{},
		event.Queue{},
		event.Step{},
		event.Text{},
		event.Reasoning{},
		event.ToolStart{},
		event.ToolCall{},
		event.Approval{},
		event.ApprovalDone{},
		event.ToolRun{},
		event.ToolOutput{},
		event.ToolResult{},
		event.ToolError{},
		event.ToolDenied{},
		event.Subagent{},
		event.Compacted{},
		event.Usage{},
		event.Todos{},
		event.Retry{},
		event.Notice{},
		event.Error{},
		event.State{},
		event.Done{},
	} {
		m[e.Type()] = reflect.TypeOf(e)
	}
	return m
}()

// decode reads an event from its JSON line.
func decode(line string) (event.Event, error) {
	var head struct {
		Type  string          `json:"type"`
		Event json.RawMessage `json:"event"`
	}
	if err := json.Unmarshal([]byte(line), &head); err != nil {
		return nil, err
	}
	kind, ok := kinds[head.Type]
	if !ok {
		return nil, fmt.Errorf("no event %q", head.Type)
	}
	v := reflect.New(kind)
	if err := json.Unmarshal([]byte(line), v.Interface()); err != nil {
		return nil, err
	}
	e := v.Elem().Interface().(event.Event)
	if sub, ok := e.(event.Subagent); ok {
		inner, err := decode(string(head.Event))
		sub.Event = inner
		return sub, err
	}
	return e, nil
}

// run carries a script out. Its lines are events as JSON, or
//
//	wait 3s          let time pass
//	press KEY ...    keys by name
//	type TEXT        what the prompt holds, the cursor at the end or at "|"
//	answer X {...}   the host's answer to the last question, fail TEXT its error
//	shell CHUNK, shelldone EXIT OUTPUT, setup, flush
func (u *ui) run(script string) {
	u.t.Helper()
	for line := range strings.SplitSeq(strings.TrimSpace(script), "\n") {
		word, rest, _ := strings.Cut(line, " ")
		rest = strings.ReplaceAll(rest, `\n`, "\n")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "{"):
			e, err := decode(line)
			if err != nil {
				u.t.Fatalf("%s: %v", line, err)
			}
			u.s = screen.Apply(screen.Tick(u.s, u.now), e)
		case word == "wait":
			d, err := time.ParseDuration(rest)
			if err != nil {
				u.t.Fatal(err)
			}
			u.now = u.now.Add(d)
			u.s = screen.Tick(u.s, u.now)
		case word == "press":
			u.press(strings.Fields(rest)...)
		case word == "type":
			u.edit(rest)
		case word == "answer":
			u.answer(rest)
		case word == "shell":
			u.s = screen.ShellOutput(u.s, rest)
		case word == "shelldone":
			var exit int
			code, output, _ := strings.Cut(rest, " ")
			_, _ = fmt.Sscan(code, &exit)
			u.s, _ = screen.ShellDone(u.s, exit, output, nil)
		case word == "setup":
			u.took(screen.StartSetup(u.s, rest == "first"))
		case word == "flush":
			u.flush()
		case word == "fail":
			if len(u.asked) > 0 {
				u.took(screen.Answered(u.s, u.asked[len(u.asked)-1], nil, errors.New(rest)))
			}
		default:
			u.t.Fatalf("what is %q?", line)
		}
	}
}

// edit puts a text into the prompt.
func (u *ui) edit(text string) {
	at := strings.IndexByte(text, '|')
	if at < 0 {
		at = len(text)
	} else {
		text = text[:at] + text[at+1:]
	}
	u.took(screen.Edited(u.s, screen.Snapshot{Text: text, Cursor: at, Top: true, Bottom: true}))
}

func (u *ui) press(keys ...string) {
	for _, k := range keys {
		key := screen.Key{Name: k, At: u.now, Editor: u.s.Editor}
		if len([]rune(k)) == 1 {
			key.Text = k
		}
		u.took(screen.Press(u.s, key))
	}
}

func (u *ui) answer(text string) {
	u.t.Helper()
	name, body, _ := strings.Cut(text, " ")
	var a host.Answer
	switch name {
	case "models":
		a = into[host.ModelList](body)
	case "sessions":
		a = into[host.SessionList](body)
	case "providers":
		a = into[host.ProviderList](body)
	case "history":
		a = into[host.PromptList](body)
	case "paths":
		a = into[host.PathList](body)
	case "page":
		a = into[host.Page](body)
	default:
		u.t.Fatalf("answer %q?", name)
	}
	if len(u.asked) == 0 {
		return
	}
	u.took(screen.Answered(u.s, u.asked[len(u.asked)-1], a, nil))
}

// took takes a transition in and remembers what it asks.
func (u *ui) took(s screen.State, intents []screen.Intent) {
	u.s = s
	for _, in := range intents {
		if ask, ok := in.(screen.Ask); ok {
			u.asked = append(u.asked, ask.Query)
		}
	}
}

func into[T any](body string) T {
	var v T
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		panic(err)
	}
	return v
}

// flush settles what of the answer is finished, as on a tick.
func (u *ui) flush() {
	for {
		n, reopen, more := md.Cut(u.s.Tail)
		if n == 0 {
			break
		}
		u.s = screen.Cut(u.s, n, reopen, more)
	}
}

// show draws what was printed and the live region.
func (u *ui) show(st paint.Style) ([]string, paint.Frame) {
	s, blocks := screen.Drain(u.s)
	s = screen.Resize(s, st.Width, st.Height)
	return paint.Blocks(nil, blocks, st), paint.Live(s, st)
}

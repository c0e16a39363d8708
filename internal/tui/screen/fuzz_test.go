package screen_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/tui/screen"
)

// fuzzKeys are the keys of the fuzzer, one a byte.
var fuzzKeys = strings.Fields("enter ctrl+enter up down left right tab shift+tab esc ctrl+c ctrl+s ctrl+g ctrl+r ctrl+z ctrl+l " +
	"backspace delete home end pgup pgdown ctrl+u ctrl+w ctrl+k alt+b alt+f shift+enter y a p n d e 1 5 / @ # ! \\ \" [ ] m q")

// FuzzPress feeds keys, pastes, texts and answers in any order. Nothing may
// panic, every text that is set is sound, and what is kept stays bounded.
func FuzzPress(f *testing.F) {
	f.Add([]byte("\x00\x01\x02"), "text")
	f.Add([]byte("@\x07\x07#//\x00\x00"), "@\"my dir/")
	f.Add([]byte("\xf0\xf0\xf1\xf2\xf3\xf4\xf5\x00\x00\x09\x09"), "a\nb\tc\r\n\x1b[31m[pasted 9 lines]\xff\x00")
	f.Add([]byte("\xf6\xf7\xf8\xf9\xfa\xfb\xfc"), "/model x")
	f.Fuzz(func(t *testing.T, ops []byte, text string) {
		s := screen.New(screen.Options{Agents: []string{"default"}, Now: began})
		e := screen.Snapshot{}
		now := began
		var queries []host.Query
		var take func(screen.State, []screen.Intent)
		take = func(next screen.State, intents []screen.Intent) {
			s = next
			for _, i := range intents {
				switch i := i.(type) {
				case screen.SetText:
					if i.Cursor < 0 || i.Cursor > len(i.Text) || i.Cursor < len(i.Text) && !utf8.RuneStart(i.Text[i.Cursor]) {
						t.Fatalf("cursor %d of %q", i.Cursor, i.Text)
					}
					e = screen.Snapshot{Text: i.Text, Cursor: i.Cursor}
				case screen.Insert:
					if !utf8.ValidString(i.Text) || strings.ContainsAny(i.Text, "\x1b\x00\r") {
						t.Fatalf("inserts %q", i.Text)
					}
					e.Text, e.Cursor = e.Text[:e.Cursor]+i.Text+e.Text[e.Cursor:], e.Cursor+len(i.Text)
					take(screen.Edited(s, e))
				case screen.Ask:
					queries = append(queries, i.Query)
				default:
				}
			}
		}
		for n, op := range ops[:min(len(ops), 300)] {
			now = now.Add(time.Duration(n%5) * 100 * time.Millisecond)
			s = screen.Tick(s, now)
			fuzzStep(op, text, s, &e, now, queries, take)
			if s, blocks := screen.Drain(s); s.Editor.Cursor > len(s.Editor.Text) || len(blocks) > 10*len(ops)+10 {
				t.Fatalf("%d blocks, editor %+v", len(blocks), s.Editor)
			}
			_, _, _ = s.Hint(), s.Status(), s.Leave()
		}
	})
}

// fuzzStep does what one byte stands for.
func fuzzStep(op byte, text string, s screen.State, e *screen.Snapshot, now time.Time, queries []host.Query, take func(screen.State, []screen.Intent)) {
	var q host.Query
	if len(queries) > 0 {
		q = queries[int(op)%len(queries)]
	}
	switch {
	case op < 0x80:
		name := fuzzKeys[int(op)%len(fuzzKeys)]
		k := screen.Key{Name: name, At: now, Editor: *e}
		if len(name) == 1 {
			k.Text = name
			*e = screen.Snapshot{Text: e.Text + name, Cursor: len(e.Text) + 1}
		}
		take(screen.Press(s, k))
	case op < 0xa0:
		take(screen.Press(s, screen.Key{Name: text, Text: text, At: now, Editor: screen.Snapshot{Text: text, Cursor: int(op) - 0x90, Top: true, Bottom: true}}))
	case op < 0xc0:
		take(screen.Paste(s, text))
	case op < 0xd0:
		*e = screen.Snapshot{Text: text, Cursor: len(text)}
		take(screen.Edited(s, *e))
	case op < 0xe0:
		take(screen.TookBack(s, []string{text, ""}))
	case op < 0xf0:
		take(screen.Wrote(s, text, true))
	case op < 0xf4 && q != nil:
		take(screen.Answered(s, q, fuzzAnswer(q, text), nil))
	case op < 0xf5:
		take(screen.StartSetup(s, op == 0xf4))
	default:
		take(fuzzEvent(s, op, text), nil)
	}
}

func fuzzAnswer(q host.Query, text string) host.Answer {
	switch q.(type) {
	case host.Paths:
		return host.PathList{Paths: []string{text, "a/" + text + "/", "b"}}
	case host.History:
		return host.PromptList{Prompts: []string{text, text + "x"}}
	case host.Expand:
		return host.Expansion{OK: true, Label: text, Text: text}
	case host.Providers:
		return host.ProviderList{Providers: []host.Provider{{Name: text}, {NeedsURL: true}}}
	case host.Models:
		return host.ModelList{Models: []host.Model{{ID: text}}}
	case host.Sessions:
		return host.SessionList{Sessions: []host.SessionInfo{{ID: text, Title: text}}}
	default:
		return host.Page{Markdown: text}
	}
}

func fuzzEvent(s screen.State, op byte, text string) screen.State {
	list := []event.Event{
		event.Prompt{Text: text},
		event.Queue{Prompts: []string{text}},
		event.Text{Text: text},
		event.ToolCall{ID: text, Title: text},
		event.ToolOutput{ID: text, Chunk: text},
		event.ToolResult{ID: text, Output: text, Diff: text},
		event.Approval{ID: text, Pattern: text},
		event.ApprovalDone{ID: text},
		event.Reasoning{Text: text},
		event.Done{Reason: text},
		event.Subagent{ID: text, Event: event.Notice{Text: text}},
	}
	s = screen.Apply(s, list[int(op)%len(list)])
	return screen.Settle(s, int(op)%7)
}

package paint

import (
	"fmt"
	"slices"
	"strings"

	"assent/internal/amount"
	"assent/internal/tui/ink"
	"assent/internal/tui/md"
	"assent/internal/tui/screen"
)

// Blocks draws finished blocks as lines for the scrollback. After is the block
// that was printed last, nil at the beginning: it decides whether a blank line
// parts it from the first one.
func Blocks(after screen.Block, blocks []screen.Block, st Style) []string {
	var out []ink.Line
	for _, b := range blocks {
		lines := block(b, st)
		if len(lines) == 0 {
			continue
		}
		if after != nil && apart(after, b) {
			out = append(out, nil)
		}
		out = append(out, lines...)
		after = b
	}
	return encode(out, st)
}

// encode turns lines for the scrollback into bytes. A terminal narrower than
// the margins has its lines cut.
func encode(lines []ink.Line, st Style) []string {
	if st.Cols() < screen.MinWidth {
		lines = ink.Bound(lines, st.Cols())
	}
	return ink.EncodeAll(lines, st)
}

// apart reports whether a blank line stands between two blocks: pieces of one
// block of the answer, calls that take a line, and remarks stand together, and
// what was added to a prompt stands with it.
func apart(a, b screen.Block) bool {
	switch a := a.(type) {
	case screen.Answer:
		_, ok := b.(screen.Answer)
		return !ok || !a.More
	case screen.ToolLine:
		b, ok := b.(screen.ToolLine)
		return !ok || !single(a) || !single(b)
	case screen.Attached:
		_, ok := b.(screen.User)
		return !ok && !remark(b)
	case screen.Notice, screen.Compaction:
		return !remark(b)
	default:
		return true
	}
}

func remark(b screen.Block) bool {
	switch b.(type) {
	case screen.Notice, screen.Compaction, screen.Attached:
		return true
	default:
		return false
	}
}

func block(b screen.Block, st Style) []ink.Line {
	switch b := b.(type) {
	case screen.Banner:
		return banner(b, st)
	case screen.User:
		return user(b, st)
	case screen.Answer:
		return inset(md.Lines(b.Markdown, st.Narrow(margin)))
	case screen.ToolLine:
		return toolLine(b, st)
	case screen.Notice:
		return note(st, b.Text, ink.Text)
	case screen.Failure:
		return failure(b, st)
	case screen.Attached:
		return attached(b, st)
	case screen.Ran:
		return ran(b, st)
	case screen.Compaction:
		return note(st, fmt.Sprintf("history folded: %s to %d, about %s tokens to %s",
			amount.Of(b.Before, "item"), b.After, count(b.TokensBefore), count(b.TokensAfter)), ink.Dim)
	case screen.Ended:
		return ended(b, st)
	case screen.Page:
		return page(b, st)
	case screen.Farewell:
		return farewell(b, st)
	}
	return nil
}

// banner heads a session.
func banner(b screen.Banner, st Style) []ink.Line {
	title := []ink.Span{ink.B("assent", ink.Accent), ink.S(" "+ink.OneLine(b.Version), ink.Dim)}
	if b.Session.Resumed {
		title = append(title, ink.S(" resumed", ink.Dim))
	}
	mode := b.Mode
	if mode.Model == "" {
		mode.Model, mode.Provider, mode.Agent = b.Session.Model, b.Session.Provider, b.Session.Agent
	}
	if mode.Provider == "script" {
		mode.Model = modelName(mode.Model) // it is a file
	}
	level := ""
	if mode.Level != "" {
		level = "thinking " + string(mode.Level)
	}
	out := slices.Concat(
		para(mark(st, "◆", "*", ink.Accent), title, st),
		facts(st, ink.S(ink.OneLine(mode.Model), ink.Text), ink.S(ink.OneLine(mode.Provider), ink.Dim),
			ink.S(ink.OneLine(mode.Agent)+" agent", ink.Dim), ink.S(ink.OneLine(level), ink.Dim)),
		facts(st, ink.S(ink.OneLine(b.Session.CWD), ink.Code), ink.S(ink.OneLine(b.Session.ID), ink.Dim)),
	)
	if mode.Yolo {
		out = append(out, words(st, ink.B("yolo: ", ink.Warn), ink.S("nothing asks; guards and deny rules still refuse", ink.Warn))...)
	}
	for _, f := range b.Facts {
		out = append(out, words(st, ink.S(ink.OneLine(f), ink.Dim))...)
	}
	return out
}

// user is a prompt as it was sent.
func user(b screen.User, st Style) []ink.Line {
	text := b.Shown
	if text == "" {
		text = b.Text
	}
	head := mark(st, ">", ">", ink.Accent)
	if b.Steer {
		head = mark(st, "↳", ">", ink.Accent)
	}
	return ink.Hang(prose(ink.Clean(text), ink.Look{Attr: ink.Bold}, room(st)), head, indent())
}

// note is a remark.
func note(st Style, text string, role ink.Role) []ink.Line {
	return ink.Hang(prose(ink.Clean(text), ink.Look{Role: role}, room(st)), mark(st, "•", "*", ink.Dim), indent())
}

func failure(b screen.Failure, st Style) []ink.Line {
	kind := string(b.Kind)
	if kind == "" {
		kind = "error"
	}
	head := strings.ReplaceAll(ink.OneLine(kind), "_", " ") + ": "
	text := []ink.Span{ink.B(head, ink.Bad), {Text: strings.TrimSpace(ink.Clean(b.Message))}}
	return para(mark(st, "✗", "!", ink.Bad), text, st)
}

func attached(b screen.Attached, st Style) []ink.Line {
	var out []ink.Line
	for _, label := range b.Labels {
		out = append(out, row(mark(st, "+", "+", ink.Good), []ink.Span{ink.S(ink.OneLine(label), ink.Dim)}, st))
	}
	return out
}

// ended closes a turn.
func ended(b screen.Ended, st Style) []ink.Line {
	text, role := reason(b.Reason)
	cost := ""
	if b.CostUSD != nil {
		cost = dollars(*b.CostUSD)
	}
	steps := ""
	if b.Steps > 0 {
		steps = amount.Of(b.Steps, "step")
	}
	return facts(st, ink.S(text, role), ink.S(elapsed(b.Elapsed), ink.Dim), ink.S(steps, ink.Dim), ink.S(cost, ink.Dim))
}

// reason says in words why a turn ended, and how much that matters.
func reason(word string) (string, ink.Role) {
	switch word {
	case "stop":
		return "done", ink.Dim
	case "error":
		return "ended by an error", ink.Bad
	}
	said := map[string]string{
		"max_steps":      "stopped at the limit of steps",
		"max_cost":       "stopped at the limit of cost",
		"timeout":        "stopped at the limit of time",
		"question":       "waits for an answer",
		"length":         "the answer was cut at the model's limit",
		"context":        "the model's window is full",
		"refusal":        "the model refused",
		"content_filter": "stopped by the provider's filter",
	}
	if text := said[word]; text != "" {
		return text, ink.Warn
	}
	return ink.OneLine(word), ink.Warn
}

// page is a text that a command shows.
func page(b screen.Page, st Style) []ink.Line {
	var out []ink.Line
	if title := ink.OneLine(b.Title); title != "" {
		out = append(para(mark(st, "▸", "*", ink.Accent), []ink.Span{ink.B(title, ink.Accent)}, st), nil)
	}
	return append(out, inset(md.Lines(b.Markdown, st.Narrow(margin)))...)
}

// farewell says how to come back.
func farewell(b screen.Farewell, st Style) []ink.Line {
	if b.ID == "" {
		return nil
	}
	var out []ink.Line
	if b.Prompts > 0 {
		title := ink.Trunc(ink.Line{{Text: ink.OneLine(b.Title)}}, max(st.Cols()-30, 10)).String()
		out = append(out, facts(st, ink.S(amount.Of(b.Prompts, "prompt"), ink.Dim), ink.S(title, ink.Text))...)
	}
	ways := [][2]string{{"assent -c", "goes on"}, {"assent -r " + ink.OneLine(b.ID), "goes on with this one"}}
	if b.Passing {
		ways = [][2]string{{"assent", "begins in a project of yours"}}
	}
	for _, c := range ways {
		out = append(out, words(st, ink.S(c[0], ink.Code), ink.S("  "+c[1], ink.Dim))...)
	}
	return out
}

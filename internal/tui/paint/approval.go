package paint

import (
	"fmt"
	"strings"

	"assent/internal/amount"
	"assent/internal/event"
	"assent/internal/tui/ink"
	"assent/internal/tui/md"
	"assent/internal/tui/screen"
)

const (
	// alignBelow is the widest subject behind which the rules are aligned.
	alignBelow = 36
	// minWords is the width from which on all short choices have their word.
	minWords = 34
)

// approval is the call that waits for a decision: written out whole, with what
// it touches, the rule that decided each part, and the choices, which are dim
// while they are deaf to keys.
func approval(a screen.Approval, deaf bool, st Style) *dialog {
	detail := inset(callText(a, st.Narrow(margin)))
	d := &dialog{head: asks(a, st), want: len(detail), decides: true}
	where := "whole above"
	if a.Hidden != "" {
		where = "above"
	}
	d.body = func(rows int) []ink.Line { return cutBelow(detail, rows, where, st) }
	d.keep = append(hidden(a, st), inset(subjects(a.Approval, st.Narrow(margin)))...)
	d.keep = append(d.keep, why(a, st)...)
	d.keep = append(d.keep, nil)
	if a.Field != screen.NoField {
		return d.field(a, st)
	}
	d.foot = choices(a, deaf, st)
	list := rules(a, st)
	if !a.Inline() {
		d.foot = append(list[:len(list):len(list)], d.foot...)
	}
	if a.Untold() > 0 {
		list = []ink.Line{row(indent(), []ink.Span{ink.S("no always: too small", ink.Warn)}, st)}
	}
	d.short = append(list, inset(shortChoices(a, deaf, st.Narrow(margin)))...)
	return d
}

// Preview is the call of an approval as lines for the scrollback, for one that
// does not fit into the frame. It begins with a blank line.
func Preview(a screen.Approval, st Style) []string {
	return encode(append(told(a, st), ruleNote(a, st)...), st)
}

// told is the call whole with all that it touches.
func told(a screen.Approval, st Style) []ink.Line {
	lines := append([]ink.Line{nil}, asks(a, st)...)
	lines = append(lines, inset(callText(a, st.Narrow(margin)))...)
	lines = append(lines, hidden(a, st)...)
	return append(lines, inset(subjects(a.Approval, st.Narrow(margin)))...)
}

// hidden says what of the call is not shown, and where it is, behind a blank line.
func hidden(a screen.Approval, st Style) []ink.Line {
	if a.Hidden == "" {
		return nil
	}
	return append([]ink.Line{nil}, words(st, ink.B(ink.OneLine(a.Hidden), ink.Warn))...)
}

// ruleNote is the rules of always behind a blank line.
func ruleNote(a screen.Approval, st Style) []ink.Line {
	list := ruleList(a.Rules(), st)
	if len(list) == 0 {
		return nil
	}
	return append([]ink.Line{nil}, list...)
}

// rules is what always would allow, for the frame: whole, or why it is not
// offered.
func rules(a screen.Approval, st Style) []ink.Line {
	if n := a.Untold(); n > 0 {
		text := "always is not offered: its " + amount.Of(n, "rule") + " cannot be shown here at once"
		return words(st, ink.S(text, ink.Warn))
	}
	list := a.Rules()
	if len(list) == 1 && ink.OneLine(list[0]) == list[0] {
		if line := append(indent(), ink.S("always: ", ink.Dim), ink.Span{Text: list[0]}); line.Width() <= st.Cols() {
			return []ink.Line{line}
		}
	}
	return ruleList(list, st)
}

// ruleList writes rules out, each from a line of its own on.
func ruleList(list []string, st Style) []ink.Line {
	if len(list) == 0 {
		return nil
	}
	out := []ink.Line{row(indent(), []ink.Span{ink.S("always would allow:", ink.Dim)}, st)}
	for _, r := range list {
		rows := ink.Chop(ink.Reveal(r, ink.Look{}), room(st.Narrow(margin)))
		out = append(out, inset(inset(rows))...)
	}
	return out
}

// Question is an approval as lines for a terminal on which nothing is drawn
// twice: the call whole, then its choices, numbered.
func Question(a screen.Approval, st Style) []string {
	lines := append(told(a, st), why(a, st)...)
	if !a.Inline() {
		lines = append(lines, ruleNote(a, st)...)
	}
	lines = append(lines, nil)
	for i, c := range a.Choices() {
		lines = append(lines, choice(indent(), fmt.Sprintf("%d  %s", i+1, c.Key), c.Label, false, ink.Text, st)...)
	}
	return encode(lines, st)
}

// asks says who wants what.
func asks(a screen.Approval, st Style) []ink.Line {
	text := []ink.Span{ink.B("allow ", ink.Text), ink.B(ink.OneLine(a.Name), ink.Accent), ink.B("?", ink.Text)}
	if a.Subagent != "" {
		text = append(text, ink.S("  asked by the subagent "+ink.OneLine(a.Subagent), ink.Dim))
	}
	return para(mark(st, "?", "?", ink.Warn), text, st)
}

// callText is the call itself, whole: a diff in colours, a command
// highlighted, anything else as it is. What could hide is written out.
func callText(a screen.Approval, st Style) []ink.Line {
	text := written(a.Approval)
	if isDiff(text) {
		draw := md.Change
		if a.Exact {
			draw = md.Diff
		}
		return append(ink.Chop(ink.Reveal(firstTitle(a), ink.Look{Role: ink.Code}), st.Cols()), draw(reveal(text), st)...)
	}
	spans := ink.Reveal(strings.TrimRight(text, "\n"), ink.Look{})
	if len(spans) == 1 && hasCommand(a.Approval) {
		var out []ink.Line
		for _, l := range md.Code("bash", text) {
			out = append(out, ink.Chop(l, st.Cols())...)
		}
		return out
	}
	return ink.Chop(spans, st.Cols())
}

// written is the call as it is told: written out, or in a line.
func written(a event.Approval) string {
	if a.Detail != "" {
		return a.Detail
	}
	return a.Title
}

func firstTitle(a screen.Approval) string { return strings.TrimSpace(a.Title) }

// reveal is a text in which what Clean would take out is written out.
func reveal(s string) string { return ink.Line(ink.Reveal(s, ink.Look{})).String() }

func isDiff(s string) bool {
	return strings.HasPrefix(s, "--- ") || strings.HasPrefix(s, "@@ ") || strings.HasPrefix(s, "diff --git ")
}

func hasCommand(a event.Approval) bool {
	for _, s := range a.Subjects {
		if s.Kind == "command" {
			return true
		}
	}
	return false
}

// subjects are what the call touches, each with its decision and the rule that
// made it.
func subjects(a event.Approval, st Style) []ink.Line {
	if len(a.Subjects) == 0 {
		return nil
	}
	wide := 0
	for _, s := range a.Subjects {
		if w := ink.Width(s.Text); w <= alignBelow {
			wide = max(wide, w)
		}
	}
	out, beside := []ink.Line{nil}, true
	list := fold(a)
	for _, s := range list {
		_, word := verdict(s.Decision, st)
		w := max(wide, ink.Width(s.Text)) + 2*margin + ink.Line(ruleOf(s.Subject, word, st)).Width()
		beside = beside && w <= st.Cols()
	}
	for _, s := range list {
		head, word := verdict(s.Decision, st)
		text := ink.Reveal(s.Text, ink.Look{})
		rule := ruleOf(s.Subject, word, st)
		if len(a.Subjects) == 1 && s.Text == strings.TrimSpace(written(a)) {
			out = append(out, ink.Hang(ink.Wrap(rule, room(st)), head, indent())...)
			continue
		}
		line := ink.Pad(append(head[:len(head):len(head)], text...), margin+wide)
		line = append(append(line, ink.Span{Text: "  "}), rule...)
		if beside && !strings.Contains(s.Text, "\n") && line.Width() <= st.Cols() {
			out = append(append(out, line), s.valueRows(st)...)
			continue
		}
		out = append(out, ink.Hang(ink.Chop(text, room(st)), head, indent())...)
		out = append(out, words(st, rule...)...)
		out = append(out, s.valueRows(st)...)
	}
	return out
}

// verdict is the mark and the word of a decision.
func verdict(decision string, st Style) (ink.Line, string) {
	switch decision {
	case "allow":
		return mark(st, "✓", "+", ink.Good), "allowed"
	case "deny":
		return mark(st, "✗", "!", ink.Bad), "denied"
	}
	return mark(st, "?", "?", ink.Warn), "asks"
}

// ruleOf says which rule decided a subject, and where it is written.
func ruleOf(s event.Subject, word string, st Style) []ink.Span {
	by := word
	if s.Pattern != "" {
		by += " by " + quoted(s.Pattern)
	}
	source := ink.OneLine(s.Source)
	if source == "default" && s.Reason != "" {
		source = "" // the reason says so
	}
	reason := ink.OneLine(s.Reason)
	if s.Pattern != "" && s.Decision == "allow" {
		reason = "" // the rule and its source say so
	}
	return dots(st, ink.S(by, ink.Dim), ink.S(source, ink.Dim), ink.S(reason, ink.Dim))
}

func quoted(s string) string { return "‹" + ink.OneLine(s) + "›" }

// why is the reason of the question.
func why(a screen.Approval, st Style) []ink.Line {
	if a.Reason == "" || saidAlready(a.Approval) {
		return nil
	}
	return append([]ink.Line{nil}, words(st, ink.S("why: ", ink.Dim), ink.Span{Text: ink.OneLine(a.Reason)})...)
}

// saidAlready reports whether a subject says the reason of the question.
func saidAlready(a event.Approval) bool {
	for _, s := range a.Subjects {
		if s.Reason != "" && s.Reason == a.Reason {
			return true
		}
	}
	return false
}

// choices are the answers, one a line, the one under the cursor marked.
func choices(a screen.Approval, deaf bool, st Style) []ink.Line {
	var out []ink.Line
	for i, c := range a.Choices() {
		head, role := indent(), ink.Text
		if i == a.Cursor {
			role = ink.Accent
			head = mark(st, "❯", ">", awake(role, deaf))
		}
		out = append(out, choice(head, c.Key, c.Label, deaf, role, st)...)
	}
	return out
}

// awake is a role, or that of what is deaf to keys.
func awake(role ink.Role, deaf bool) ink.Role {
	if deaf {
		return ink.Dim
	}
	return role
}

// keySpan is a key that can be pressed: bold from when on it is.
func keySpan(text string, deaf bool, role ink.Role) ink.Span {
	if deaf {
		return ink.S(text, ink.Dim)
	}
	return ink.B(text, role)
}

// choice is an answer behind its key, whole.
func choice(head ink.Line, key, label string, deaf bool, role ink.Role, st Style) []ink.Line {
	head = append(head[:len(head):len(head)], keySpan(key, deaf, ink.Accent), ink.Span{Text: "  "})
	rest := ink.Line{{Text: strings.Repeat(" ", head.Width())}}
	return ink.Hang(ink.Wrap([]ink.Span{ink.S(ink.OneLine(label), awake(role, deaf))}, max(st.Cols()-head.Width(), 1)), head, rest)
}

// shortChoices are the answers on as few rows as they need: on a narrow
// terminal only the one under the cursor has a word beside its key.
func shortChoices(a screen.Approval, deaf bool, st Style) []ink.Line {
	words := map[string]string{"y": "once", "a": "session", "p": "project", "n": "deny", "d": "instead"}
	var spans []ink.Span
	for i, c := range a.Choices() {
		text, role := c.Key, ink.Text
		if i == a.Cursor {
			text, role = st.Pick("❯", ">")+" "+c.Key, ink.Accent
		}
		if i == a.Cursor || st.Cols() >= minWords {
			text += " " + words[c.Key]
		}
		// Hard blanks keep a choice on one row and the next one apart.
		spans = append(spans, keySpan(strings.ReplaceAll(text, " ", "\u00a0"), deaf, role), ink.Span{Text: "\u00a0 "})
	}
	return ink.Wrap(spans, st.Cols())
}

// field is what is being written into the approval: the pattern of always, or
// what to do instead.
func (d *dialog) field(a screen.Approval, st Style) *dialog {
	label := "instead: "
	if a.Field == screen.PatternField {
		label = fieldLabel(a, st)
	}
	d.foot, d.x, d.y = fieldLine(label, a.Line, st)
	if a.Note != "" {
		d.foot = append(d.foot, words(st, ink.S(ink.OneLine(a.Note), ink.Warn))...)
	}
	d.shown = true
	return d
}

// fieldLabel names what is written at e: the pattern of one tool, or rules.
func fieldLabel(a screen.Approval, st Style) string {
	if rules := a.Approval.Rules; len(rules) > 1 || len(rules) == 1 && !strings.HasPrefix(rules[0], a.Name+"(") {
		return "rules: "
	}
	label := ink.OneLine(a.Name) + " pattern: "
	if ink.Width(label) > room(st)/2 {
		return "pattern: "
	}
	return label
}

// fieldLine is a one-line field behind its label: of a long text the part
// around the cursor. It returns the place of the cursor.
func fieldLine(label string, l screen.Line, st Style) (lines []ink.Line, x, y int) {
	at := min(max(l.Cursor, 0), len(l.Text))
	before, after := lastBytes(l.Text[:at], around), head(l.Text[at:], around)
	before, after = ink.OneRow(before), ink.OneRow(after)
	free := max(room(st)-ink.Width(label), 1)
	lead := ""
	for before != "" && ink.Width(lead+before) > free-1 {
		before, lead = before[ink.First(before):], "…"
	}
	before = lead + before
	line := row(indent(), []ink.Span{ink.S(label, ink.Accent), {Text: before + after}}, st)
	return []ink.Line{line}, margin + ink.Width(label) + ink.Width(before), 0
}

// cutBelow is the first rows of what does not fit, and how much is left and where.
func cutBelow(lines []ink.Line, rows int, where string, st Style) []ink.Line {
	if len(lines) <= rows {
		return lines
	}
	keep := max(rows-1, 0)
	left := fmt.Sprintf("… %d more lines, %s", len(lines)-keep, where)
	return append(lines[:keep:keep], row(indent(), []ink.Span{ink.S(left, ink.Warn)}, st))
}

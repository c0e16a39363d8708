package paint

import (
	"strings"

	"assent/internal/event"
	"assent/internal/late"
	"assent/internal/tui/ink"
)

// folded is a subject with those that are the same command for other values of
// its variables, decided alike: a loop is one line and its values another, all
// of them, for what a loop hides may be what matters.
type folded struct {
	event.Subject
	values []string
}

// variable is a variable of a shell in the text of a command.
var variable = late.Regexp(`\$\{[^}]*\}|\$\w+`)

// fold joins the subjects of a call that a loop makes of one command.
func fold(a event.Approval) []folded {
	var out []folded
	text := written(a)
	for _, s := range a.Subjects {
		at := -1
		for i, f := range out {
			if !strings.Contains(text, s.Text) && f.stands(s) {
				at = i
			}
		}
		if at >= 0 {
			out[at].values = append(out[at].values, s.Text)
			continue
		}
		out = append(out, folded{Subject: s})
	}
	return out
}

// stands reports whether a subject is the command for one value of its
// variables, and decided as it is.
func (f folded) stands(s event.Subject) bool {
	same := f.Kind == s.Kind && f.Decision == s.Decision && f.Pattern == s.Pattern && f.Source == s.Source &&
		strings.ReplaceAll(f.Reason, f.Text, "\x00") == strings.ReplaceAll(s.Reason, s.Text, "\x00")
	if !same || !variable().MatchString(f.Text) {
		return false
	}
	pieces := variable().Split(f.Text, -1)
	rest, ok := strings.CutPrefix(s.Text, pieces[0])
	if !ok || !strings.HasSuffix(rest, pieces[len(pieces)-1]) {
		return false
	}
	for _, piece := range pieces[1:] {
		at := strings.Index(rest, piece)
		if at < 0 {
			return false
		}
		rest = rest[at+len(piece):]
	}
	return true
}

// valueRows are the commands that a folded subject stands for.
func (f folded) valueRows(st Style) []ink.Line {
	if len(f.values) == 0 {
		return nil
	}
	text := []ink.Span{ink.S("that is ", ink.Dim)}
	for i, v := range f.values {
		if i > 0 {
			text = append(text, dot(st))
		}
		text = append(text, ink.Reveal(v, ink.Look{})...)
	}
	return inset(inset(ink.Chop(text, room(st.Narrow(margin)))))
}

package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"assent/internal/tui/ink"
)

// mostAlert is the longest notification in cells.
const mostAlert = 200

// alert tells a user who looks elsewhere.
func (u *ui) alert(event, text string) {
	n := u.o.Notify
	if n.Off {
		return
	}
	text = ansi.Truncate(ink.OneLine(text), mostAlert, "…")
	u.term.write(u.notification(text))
	if n.Command != nil {
		u.goes(func() { n.Command(u.ctx, event, text) })
	}
}

// notification is the sequences by which the terminal tells a text: those of
// the named channels, else the one that this terminal is known to have, else
// the bell.
func (u *ui) notification(text string) string {
	channels := u.o.Notify.Channels
	if len(channels) == 0 {
		channels = []string{ownChannel(u.o)}
	}
	out := ""
	for _, c := range channels {
		switch c {
		case "osc9":
			out += u.outer("\x1b]9;" + text + "\a")
		case "osc777":
			title, body, _ := strings.Cut(text, ": ")
			out += u.outer("\x1b]777;notify;" + strings.ReplaceAll(title, ";", ",") + ";" + body + "\a")
		default:
			out += "\a"
		}
	}
	return out
}

// ownChannel is the way by which this terminal tells something.
func ownChannel(o Options) string {
	term, program := o.get("TERM"), o.get("TERM_PROGRAM")
	switch {
	case program == "iTerm.app", program == "WezTerm", program == "ghostty", o.get("WT_SESSION") != "", strings.Contains(term, "kitty"):
		return "osc9"
	case strings.HasPrefix(term, "rxvt"), strings.HasPrefix(term, "foot"), program == "WarpTerminal", o.get("VTE_VERSION") != "":
		return "osc777"
	}
	return "bell"
}

// outer is a sequence for the terminal around tmux, when there is one.
func (u *ui) outer(sequence string) string {
	if u.o.get("TMUX") == "" {
		return sequence
	}
	return "\x1bPtmux;" + strings.ReplaceAll(sequence, "\x1b", "\x1b\x1b") + "\x1b\\" + sequence
}

package tui

import (
	"slices"
	"strings"

	"assent/internal/tui/ink"
	"assent/internal/tui/screen"
)

// provider takes the name of a provider, or of the only one that begins so.
func (p *plain) provider(text string, items []screen.Item) {
	at := slices.IndexFunc(items, func(x screen.Item) bool { return strings.EqualFold(x.Label, text) })
	if at < 0 {
		begins := func(x screen.Item) bool {
			return len(x.Label) >= len(text) && strings.EqualFold(x.Label[:len(text)], text)
		}
		if at = slices.IndexFunc(items, begins); at >= 0 && slices.ContainsFunc(items[at+1:], begins) {
			at = -1
		}
	}
	switch setup, _ := p.state.Panel.(screen.Setup); {
	case at >= 0:
		p.moveTo(at)
		p.press("enter", "")
	case setup.Stray(text):
		p.put("That looks like a key, and it was shown as you typed it. Choose its provider first, then paste it where it is not shown.")
	default:
		p.put("No provider is called " + ink.OneLine(text) + ": type the number or the name of one in the list.")
	}
}

// command answers a command in the set-up, where only the way out is one.
func (p *plain) command(text string) {
	switch text {
	case "/back":
		p.press("esc", "")
	case "/exit", "/quit":
		p.quit = true
	default:
		p.put(ink.OneLine(text) + " is a command, and the set-up is open: /back goes back, /exit leaves.")
	}
}

package screen

import (
	"fmt"
	"strings"
)

// KeyHelp is a line of the table of keys.
type KeyHelp struct{ Keys, Does string }

// Keys is the table of keys for /help and the guide.
func Keys() []KeyHelp {
	return []KeyHelp{
		{"enter", "send; while a turn runs, put the prompt into the queue"},
		{"shift+enter, alt+enter, ctrl+j, \\ then enter", "break the line"},
		{"enter on the empty prompt, ctrl+enter", "give the first queued prompt to the running turn"},
		{"up, down", "earlier prompts; up on the empty prompt takes the last queued one back"},
		{"ctrl+s", "search earlier prompts"},
		{"tab", "take what the menu offers"},
		{"esc", "close what is open; else cancel the turn, queued prompts come back"},
		{"ctrl+c", "close what is open; else end the running command, else the turn; else clear the prompt; twice: leave"},
		{"ctrl+d", "on the empty prompt, twice: leave"},
		{"ctrl+r", "show or hide the model's reasoning"},
		{"ctrl+g", "write the prompt in your editor"},
		{"ctrl+z", "suspend"},
		{"ctrl+l", "paint again"},
		{"y a p n d", "approval: once, always in this session, always in this project, deny, deny and say what to do instead"},
		{"e", "approval: change the pattern of always"},
		{"left, right", "approval: the one before or after, when several wait"},
		{"@", "a file or folder"},
		{"#", "#diff #staged #tree #last #file:path:10-40, or a text of .assent/context"},
		{"/", "a command"},
		{"!cmd, !!cmd", "run a command yourself; with !! its output goes with the next prompt"},
	}
}

// help shows both tables.
func help(s State, _ string) (State, []Intent) {
	var b strings.Builder
	b.WriteString("| command | |\n|---|---|\n")
	for _, c := range Commands() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.TrimSpace("/"+c.Name+" "+c.Args), c.Help)
	}
	b.WriteString("\n| key | |\n|---|---|\n")
	for _, k := range Keys() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", k.Keys, k.Does)
	}
	return s.interject(Page{Title: "Help", Markdown: b.String()}), nil
}

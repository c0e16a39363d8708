package screen

import "strings"

// later are commands that are to come, or that other programs have, and what
// there is until then: a command, and empty for none.
var later = map[string]string{
	"answer": "", "answer:again": "", "ask:replay": "", "ask-settings": "config",
	"skills": "tools", "mcp": "tools", "todos": "", "memory": "context", "compact": "context",
	"plugins": "config", "registry": "config", "hooks": "permissions", "init": "",
	"tree": "sessions", "undo": "diff", "redo": "diff",
	"quit": "exit", "q": "exit", "new": "clear", "reset": "clear", "status": "context", "usage": "cost",
	"thinking": "think", "effort": "think", "approvals": "permissions", "login": "provider", "settings": "config", "history": "sessions",
}

// unknown says that there is no such command, and which there is instead.
func unknown(name string) string {
	note := "There is no command /" + clipHead(name, titleLimit)
	known, listed := later[name]
	if !listed {
		known = nearest(name)
	}
	if c, ok := find(known); ok {
		return note + "; did you mean /" + c.Name + " (" + c.Help + ")?"
	}
	if listed {
		return note + " in this version; /help lists them."
	}
	return note + "; /help lists them."
}

// nearest is the command that a name begins, else the one that differs least
// from it; empty when none is near.
func nearest(name string) string {
	best, least := "", 6
	for _, c := range Commands() {
		if len(name) > 1 && strings.HasPrefix(c.Name, name) {
			return c.Name
		}
		// Of two that are as near, the one of the same length is meant.
		d := 2 * distance(clipHead(name, 32), c.Name)
		if len(c.Name) != len(name) {
			d++
		}
		if d < least {
			best, least = c.Name, d
		}
	}
	return best
}

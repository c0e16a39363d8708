package screen

import (
	"strings"

	"assent/internal/near"
)

// instead is what there is for commands that are to come, or that other programs
// have: a command, and empty for none.
var instead = map[string]string{
	"answer": "", "answer:again": "", "ask:replay": "", "ask-settings": "config",
	"skills": "tools", "mcp": "tools", "todos": "", "memory": "context", "compact": "context",
	"plugins": "config", "registry": "config", "hooks": "permissions", "init": "",
	"tree": "sessions", "undo": "diff", "redo": "diff",
	"quit": "exit", "q": "exit", "new": "clear", "reset": "clear", "status": "context", "usage": "cost",
	"thinking": "think", "effort": "think", "approvals": "permissions", "login": "provider", "settings": "config", "history": "sessions",
}

// unknown says that there is no such command, and which there is instead: the
// one that does what comes nearest, or for a typing error the one that was
// meant.
func unknown(name string) string {
	note := "There is no command /" + clipHead(name, titleLimit)
	other, listed := instead[name]
	if c, ok := find(other); listed && ok {
		return note + ". Nearest: /" + c.Name + " (" + c.Help + ")."
	}
	if c, ok := find(nearest(name)); !listed && ok {
		return note + "; did you mean /" + c.Name + " (" + c.Help + ")?"
	}
	if listed {
		note += " in this version"
	}
	return note + "; /help lists the commands."
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
		d := 2 * near.Distance(clipHead(name, 32), c.Name)
		if len(c.Name) != len(name) {
			d++
		}
		if d < least {
			best, least = c.Name, d
		}
	}
	return best
}

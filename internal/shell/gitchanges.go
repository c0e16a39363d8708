package shell

import "slices"

// twofold is a subcommand of git that shows or changes, by what stands behind
// it.
type twofold struct {
	// shows are the first operands with which it shows, empty when it is told
	// by options.
	shows []string
	// changing are options that change something, showing those with which its
	// operands are no new names.
	changing, showing []string
	// bare says that it shows when no operand stands behind it, few how many
	// operands may.
	bare bool
	few  int
}

var twofolds = map[string]twofold{
	"branch": {
		changing: []string{"d", "D", "delete", "m", "M", "move", "c", "C", "copy", "f", "force", "edit-description", "u", "set-upstream-to", "unset-upstream", "t", "track", "no-track", "create-reflog"},
		showing:  []string{"l", "list", "contains", "no-contains", "merged", "no-merged", "points-at"}, bare: true,
	},
	"tag": {
		changing: []string{"d", "delete", "f", "force", "a", "annotate", "s", "sign", "u", "local-user", "m", "message", "F", "file", "e", "edit", "v", "verify", "create-reflog"},
		showing:  []string{"l", "list", "n", "contains", "no-contains", "merged", "no-merged", "points-at"}, bare: true,
	},
	"config": {
		changing: []string{"add", "unset", "unset-all", "replace-all", "rename-section", "remove-section", "e", "edit"},
		showing:  []string{"get", "get-all", "get-regexp", "get-urlmatch", "get-color", "get-colorbool", "l", "list"}, shows: []string{"get", "list"}, bare: true, few: 1,
	},
	"symbolic-ref":    {changing: []string{"d", "delete", "m"}, bare: true, few: 1},
	"hash-object":     {changing: []string{"w"}, bare: true, few: 1 << 20},
	"remote":          {shows: []string{"show", "get-url"}, bare: true},
	"stash":           {shows: []string{"list", "show"}},
	"worktree":        {shows: []string{"list"}},
	"notes":           {shows: []string{"list", "show"}, bare: true},
	"reflog":          {shows: []string{"show", "list", "exists"}, bare: true},
	"submodule":       {shows: []string{"status", "summary"}, bare: true},
	"bisect":          {shows: []string{"log"}},
	"bundle":          {shows: []string{"verify", "list-heads"}},
	"sparse-checkout": {shows: []string{"list"}},
	"rerere":          {shows: []string{"status", "diff", "remaining"}},
}

// gitChanges notes a subcommand that shows by one form and changes by another,
// where it stands in the latter. Whoever declared the word meant the former.
func (c *call) gitChanges(sub string, p parsed) {
	if sub == "describe" && p.has("dirty", "broken") {
		c.command().Changes = "git describe writes the index anew to find what is dirty"
	}
	t, ok := twofolds[sub]
	if !ok {
		return
	}
	changes := p.has(t.changing...)
	switch first := append(slices.Clone(p.rest), Word{})[0]; {
	case slices.Contains(t.shows, first.Text) && first.Static, p.has(t.showing...):
	case sub == "reflog" && len(p.rest) > 0:
		changes = changes || !first.Static || slices.Contains([]string{"expire", "delete", "drop", "write"}, first.Text)
	case len(p.rest) > t.few || len(p.rest) == 0 && !t.bare:
		changes = true
	}
	if changes {
		c.command().Changes = "this form of git " + sub + " changes the repository"
	}
}

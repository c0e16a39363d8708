package gate

import (
	"path/filepath"

	"assent/internal/ignore"
	"assent/internal/walk"
	"assent/internal/workspace"
)

// setting is where the ignore rules of a path are looked for.
func (h *house) setting(p workspace.Path) walk.Setting {
	return walk.Setting{Home: h.options.Home, ConfigHome: h.options.ConfigHome, Top: h.options.Workspace.Roots()[p.Root]}
}

// rulesIn are the ignore rules that hold in a folder, without those of its own
// files, which a walk reads on the way. Ok is false when the folder is itself
// ignored: who asks for such a folder by name wants to see it, and only its own
// rules hold.
func (h *house) rulesIn(p workspace.Path) (rules *ignore.Folder, ok bool) {
	rules, ignored := walk.Rules(p.Real, h.setting(p))
	return rules, !ignored
}

// Ignored says whether git, or .assentignore, ignores a path relative to the
// workspace root. What cannot be looked at is not ignored.
func (g *Gate) Ignored(rel string) bool {
	if g.options.Workspace == nil {
		return false
	}
	p, err := g.options.Workspace.Resolve(rel, "")
	if err != nil || p.Root < 0 || p.Real == g.options.Workspace.Roots()[p.Root] {
		return false
	}
	return walk.Ignored(filepath.Clean(p.Real), p.Dir, g.setting(p))
}

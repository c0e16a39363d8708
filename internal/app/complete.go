package app

import (
	"assent/internal/config"
	"assent/internal/prompt"
	"assent/internal/provider"
)

// Agents lists the agent variants.
func Agents() []string { return prompt.Agents() }

// Levels lists the thinking levels.
func Levels() []string { return levelWords() }

// Providers lists the provider presets.
func Providers() []string {
	var names []string
	for _, p := range provider.Presets() {
		names = append(names, p.Name)
	}
	return names
}

// Fields lists the config fields.
func Fields() []string {
	var names []string
	for _, d := range config.Docs() {
		names = append(names, d.Name)
	}
	return names
}

// Tools lists the tools of this build.
func Tools() []string { return tools(unwired).Names() }

// SessionIDs lists the sessions of a directory with their titles, a tab
// between; a fault is none.
func (a *App) SessionIDs(dir string) []string {
	p, err := a.paths()
	if err != nil {
		return nil
	}
	cwd, err := root(dir)
	if err != nil {
		return nil
	}
	list, err := a.store(p, nil).List(cwd, false)
	if err != nil {
		return nil
	}
	ids := make([]string, len(list))
	for i, s := range list {
		ids[i] = s.ID + "\t" + printable(clip(s.Title, 60))
	}
	return ids
}

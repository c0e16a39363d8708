package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assent/internal/trust"
)

// Trust trusts a project, shows what it brings, or trusts it no longer.
func (a *App) Trust(dir string, show, revoke, asJSON bool) error {
	p, err := a.paths()
	if err != nil {
		return err
	}
	store := trustStore(p)
	project, err := root(dir)
	if err != nil {
		if !revoke {
			return err
		}
		project = dir // a folder that is gone can still be forgotten
	}
	var s trust.State
	if !revoke && !asJSON {
		// It refuses what is no regular file of bounded size.
		if _, err := store.Look(project); err != nil {
			return err
		}
		if err := a.detail(project); err != nil {
			return err
		}
	}
	switch {
	case revoke:
		s, err = store.Revoke(project)
	case show:
		s, err = store.Look(project)
	default:
		s, err = store.Trust(project, time.Now())
	}
	if err != nil {
		return err
	}
	if asJSON {
		return a.json(s)
	}
	brings := "nothing that needs trust"
	if len(s.Brings) > 0 {
		brings = strings.Join(s.Brings, ", ")
	}
	state := "not trusted"
	switch {
	case s.Trusted:
		state = "trusted"
	case s.Changed:
		state = "not trusted: it changed since you trusted it"
	}
	_, err = fmt.Fprintf(a.env.Out, "%s\n  brings: %s\n  state:  %s\n", printable(s.Root), printable(brings), state)
	return err
}

// mostDetail bounds what is shown of one file, in lines.
const mostDetail = 40

// detail prints the files that a project's trust is about, so that nobody
// trusts what they have not seen.
func (a *App) detail(project string) error {
	for _, name := range trust.Files {
		text, err := os.ReadFile(filepath.Join(project, filepath.FromSlash(name)))
		if err != nil {
			continue // it brings none, or the decision itself says why not
		}
		lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
		if cut := len(lines) - mostDetail; cut > 0 {
			lines = append(lines[:mostDetail:mostDetail], fmt.Sprintf("… %d more lines", cut))
		}
		for i := range lines {
			lines[i] = "  " + printable(clip(lines[i], 200))
		}
		if _, err := fmt.Fprintf(a.env.Out, "%s\n%s\n", name, strings.Join(lines, "\n")); err != nil {
			return err
		}
	}
	return nil
}

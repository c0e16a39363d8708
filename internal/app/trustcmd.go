package app

import (
	"fmt"
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

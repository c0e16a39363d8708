package app

import (
	"fmt"
	"slices"
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
	if revoke {
		s, err = store.Revoke(project)
	} else {
		s, err = a.look(store, project, show, asJSON)
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

// look shows what a project brings and, unless it is only to be shown, trusts
// exactly that.
func (a *App) look(store *trust.Store, project string, show, asJSON bool) (trust.State, error) {
	s, err := store.Look(project)
	if err != nil {
		return s, err
	}
	if !asJSON {
		if err := a.detail(s, show); err != nil {
			return s, err
		}
	}
	if slices.Contains(s.Brings, trust.Hooks) {
		if _, err := fmt.Fprintf(a.env.Err, "%s: this version runs no hooks yet, so in a project that is trusted and has some it starts only with --no-hooks\n", trust.Hooks); err != nil {
			return s, err
		}
	}
	if show {
		return s, nil
	}
	return store.Trust(s, time.Now())
}

// Bounds of what is shown of one file unless all is asked for.
const (
	mostDetail = 40  // lines
	widest     = 200 // characters of a line
)

// detail prints the files that a project's trust is about, so that nobody
// trusts what they have not seen; all shows them whole.
func (a *App) detail(s trust.State, all bool) error {
	cut := false
	for i, name := range s.Brings {
		lines := strings.Split(strings.TrimRight(string(s.Texts[i]), "\n"), "\n")
		more := 0
		if !all && len(lines) > mostDetail {
			lines, more = lines[:mostDetail], len(lines)-mostDetail
		}
		shown := []string{name}
		for _, line := range lines {
			text := printable(line)
			if short := clip(text, widest); !all && short != text {
				text, cut = short, true
			}
			shown = append(shown, "  "+text)
		}
		if more > 0 {
			shown, cut = append(shown, fmt.Sprintf("  … %d more lines", more)), true
		}
		if _, err := fmt.Fprintln(a.env.Out, strings.Join(shown, "\n")); err != nil {
			return err
		}
	}
	if cut {
		_, err := fmt.Fprintln(a.env.Out, "Not all of it is shown here; assent trust --show prints it whole.")
		return err
	}
	return nil
}

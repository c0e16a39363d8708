package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"assent/internal/crew"
	"assent/internal/trust"
	"assent/internal/tui/ink"
)

// Trust trusts a project, shows what it brings, or trusts it no longer.
func (a *App) Trust(ctx context.Context, dir string, show, revoke, asJSON bool) error {
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
		s, err = store.Revoke(ctx, project)
	} else {
		s, err = a.look(ctx, store, project, show, asJSON)
	}
	if err != nil {
		return err
	}
	if asJSON {
		told := struct {
			trust.State
			Texts []string `json:"texts"`
		}{State: s, Texts: []string{}}
		for _, text := range s.Texts {
			told.Texts = append(told.Texts, string(text))
		}
		return a.json(told)
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
func (a *App) look(ctx context.Context, store *trust.Store, project string, show, asJSON bool) (trust.State, error) {
	s, err := store.Look(project)
	if err != nil {
		return s, err
	}
	if !asJSON {
		if err := a.detail(ctx, s, show); err != nil {
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
	return store.Trust(ctx, s, time.Now())
}

// errUnseen says that a project is not trusted, since its user left before the
// end of what it brings.
var errUnseen = errors.New("not all of it was shown, so nothing is trusted; assent trust --show prints it whole")

// detail prints the files that a project's trust is about, whole, so that
// nobody trusts what they have not seen. Before a terminal it waits at the end
// of each page, since what runs off the screen is not seen either; what is only
// shown is not waited with.
func (a *App) detail(ctx context.Context, s trust.State, show bool) error {
	var lines []string
	for i, name := range s.Brings {
		lines = append(lines, name)
		for line := range strings.SplitSeq(strings.TrimRight(string(s.Texts[i]), "\n"), "\n") {
			lines = append(lines, "  "+printable(line))
		}
	}
	if out, ok := a.terminal(); ok && !show {
		cols, rows, err := term.GetSize(int(out.Fd()))
		if err != nil {
			cols, rows = 80, 24
		}
		whole, err := page(a.env.Out, a.asks(ctx), lines, cols, rows)
		if err == nil && !whole {
			err = errUnseen
		}
		return err
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(a.env.Out, line); err != nil {
			return err
		}
	}
	return nil
}

// asks returns what waits for the user to press enter. It is false when they
// leave instead: with q, with the end of the input or with the context. The
// goroutine that reads ends with the input or with the process.
func (a *App) asks(ctx context.Context) (more func() bool) {
	in := bufio.NewReader(a.env.In)
	return func() bool {
		read := make(chan bool, 1)
		crew.Beside(func() {
			answer, err := in.ReadString('\n')
			read <- err == nil && !strings.HasPrefix(strings.TrimSpace(strings.ToLower(answer)), "q")
		}, func(string) { read <- false }, nil)
		select {
		case yes := <-read:
			return yes
		case <-ctx.Done():
			return false
		}
	}
}

// page prints lines as many rows at a time as a screen shows, and asks whether
// the next are to come. It is false when they were not. A line that is wider than the
// screen is printed in several, or its beginning would run off unseen.
func page(out io.Writer, more func() bool, lines []string, cols, rows int) (whole bool, err error) {
	cols, rows = max(cols, 1), max(rows-1, 1)
	free := rows
	for i, line := range lines {
		for first := true; first || line != ""; first = false {
			n := ink.Fit(line, cols)
			if n == 0 {
				n = ink.First(line) // wider than the screen by itself
			}
			if free == 0 {
				if _, err := fmt.Fprintf(out, "-- %d of %d lines: enter shows more, q leaves without trust -- ", i, len(lines)); err != nil {
					return false, err
				}
				if !more() {
					return false, nil
				}
				free = rows
			}
			if _, err := fmt.Fprintln(out, line[:n]); err != nil {
				return false, err
			}
			line, free = line[n:], free-1
		}
	}
	return true, nil
}

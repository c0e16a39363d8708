package app

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"assent/internal/config"
	"assent/internal/redact"
	"assent/internal/session"
)

// store is the store of all sessions. mask keeps secrets off the disk; nil is
// for reading only.
func (a *App) store(p config.Paths, mask *redact.Masker) session.Store {
	s := session.Store{Dir: filepath.Join(p.Data, "sessions"), Program: a.env.Version}
	if mask != nil {
		s.Redact = func(text string) string { text, _ = mask.String(text); return text }
	}
	return s
}

// sessionError makes an error of naming a session one of usage.
func sessionError(err error) error {
	var unknown *session.UnknownError
	var ambiguous *session.AmbiguousError
	var inUse *session.InUseError
	if errors.As(err, &unknown) || errors.As(err, &ambiguous) || errors.As(err, &inUse) || errors.Is(err, session.ErrNone) {
		return &UsageError{err}
	}
	return &storeError{err}
}

// storeError says that sessions cannot be stored or read.
type storeError struct{ err error }

// Error says what to look at.
func (e *storeError) Error() string {
	return e.err.Error() + "; free some space or check the folder of the sessions, then try again"
}

// Unwrap gives the error itself.
func (e *storeError) Unwrap() error { return e.err }

// SessionsList prints the sessions of a directory, or of all.
func (a *App) SessionsList(dir string, all, asJSON bool) error {
	p, err := a.paths()
	if err != nil {
		return err
	}
	cwd, err := root(dir)
	if err != nil {
		return err
	}
	list, err := a.store(p, nil).List(cwd, all)
	if err != nil {
		return err
	}
	if asJSON {
		return a.json(append([]session.Info{}, list...))
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(a.env.Out, "no sessions here yet")
		return err
	}
	head := []string{"ID", "UPDATED", "TURNS", "TITLE"}
	if all {
		head = append(head, "FOLDER")
	}
	rows := [][]string{head}
	for _, i := range list {
		title := clip(i.Title, 60)
		if i.Damaged {
			title += " (damaged)"
		}
		row := []string{i.ID, i.Updated.Local().Format("2006-01-02 15:04"), strconv.Itoa(i.Turns), title}
		if all {
			row = append(row, i.CWD)
		}
		rows = append(rows, row)
	}
	return a.table(rows...)
}

// read loads a session without taking its lock, and tells of its faults.
func (a *App) read(ref string) (session.Tree, error) {
	p, err := a.paths()
	if err != nil {
		return session.Tree{}, err
	}
	file, err := a.store(p, nil).Find(ref)
	if err != nil {
		return session.Tree{}, sessionError(err)
	}
	tree, faults, err := session.Load(file)
	if err != nil {
		return session.Tree{}, err
	}
	if s := faults.String(); s != "" {
		fmt.Fprintln(a.env.Err, "assent: "+s)
	}
	return tree, nil
}

// SessionsShow prints a session, for people or as JSON.
func (a *App) SessionsShow(ref string, asJSON bool) error {
	format := session.Markdown
	if asJSON {
		format = session.JSON
	}
	tree, err := a.read(ref)
	if err != nil {
		return err
	}
	return session.Export(a.env.Out, tree, format)
}

// SessionsExport writes a session to a file, or to stdout when output is
// empty. An empty format is that of the file's ending, else Markdown. A file
// that exists is left as it is unless force is set.
func (a *App) SessionsExport(ref, format, output string, force bool) error {
	f, err := exportFormat(format, output)
	if err != nil {
		return err
	}
	tree, err := a.read(ref)
	if err != nil {
		return err
	}
	if output == "" {
		return session.Export(a.env.Out, tree, f)
	}
	err = exportFile(output, tree, f, force)
	if errors.Is(err, fs.ErrExist) {
		return &UsageError{fmt.Errorf("%w, or give --force", err)}
	}
	return err
}

// exportFile writes a session to a file, over one that is there only with
// replace.
func exportFile(name string, tree session.Tree, f session.Format, replace bool) error {
	err := session.ExportFile(name, tree, f, replace)
	if errors.Is(err, fs.ErrExist) {
		return &takenError{name}
	}
	return err
}

// takenError says that a file is there which nobody asked to replace.
type takenError struct{ name string }

// Error says what to do about it.
func (e *takenError) Error() string {
	return "export to " + e.name + ": the file exists; give another name or remove it"
}

// Unwrap is fs.ErrExist.
func (e *takenError) Unwrap() error { return fs.ErrExist }

func exportFormat(name, output string) (session.Format, error) {
	if name == "" {
		name = strings.TrimPrefix(strings.ToLower(filepath.Ext(output)), ".")
	}
	switch name {
	case "", "md", "markdown":
		return session.Markdown, nil
	case "json":
		return session.JSON, nil
	case "html", "htm":
		return session.HTML, nil
	}
	return "", usagef("unknown export format %q (valid: md, json, html)", name)
}

// SessionsRemove deletes sessions; one that fails does not keep the others.
func (a *App) SessionsRemove(refs []string) error {
	p, err := a.paths()
	if err != nil {
		return err
	}
	var failed error
	for _, ref := range refs {
		if err := a.store(p, nil).Remove(ref); err != nil {
			var open *session.InUseError
			if errors.As(err, &open) {
				err = usagef("remove session %s: %w; end that one first", open.ID, open.Err)
			}
			failed = errors.Join(failed, sessionError(err))
			continue
		}
		if _, err := fmt.Fprintln(a.env.Out, "removed "+ref); err != nil {
			return err
		}
	}
	return failed
}

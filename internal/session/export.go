package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"assent/internal/whole"
)

// Format is a form in which a session can be exported.
type Format string

// The formats: Markdown and HTML are for people, JSON is for programs.
const (
	Markdown Format = "md"
	JSON     Format = "json"
	HTML     Format = "html"
)

// Formats lists the formats.
func Formats() []Format { return []Format{Markdown, JSON, HTML} }

// Export writes the newest branch of a session. The HTML is one page that
// needs nothing else and runs nothing.
func Export(w io.Writer, t Tree, f Format) error {
	b := t.Branch("")
	if len(b.Entries) == 0 {
		return fmt.Errorf("export session %s: it holds no records", t.ID)
	}
	var err error
	switch f {
	case JSON:
		err = exportJSON(w, t, b)
	case Markdown:
		err = exportMarkdown(&inertWriter{w: w}, newPage(t, b))
	case HTML:
		err = exportHTML(&inertWriter{w: w}, newPage(t, b))
	default:
		return fmt.Errorf("export session: no format %q; it is md, json or html", f)
	}
	if err != nil {
		return fmt.Errorf("export session %s: %w", t.ID, err)
	}
	return nil
}

// ExportFile writes the newest branch to a file that only the user reads. A file
// that exists is an error, fs.ErrExist; with replace it is replaced once the new
// one is whole.
func ExportFile(path string, t Tree, f Format, replace bool) error {
	var b bytes.Buffer
	if err := Export(&b, t, f); err != nil {
		return err
	}
	write := whole.Claim
	if replace {
		write = whole.Replace
	}
	if err := write(path, b.Bytes(), 0o600); err != nil {
		return fmt.Errorf("export session %s: %w", t.ID, err)
	}
	return nil
}

// exportJSON writes one object: what a listing tells, and the records of the
// branch as they stand in the file.
func exportJSON(w io.Writer, t Tree, b Branch) error {
	s := Restore(b)
	out := struct {
		ID      string            `json:"id"`
		Title   string            `json:"title"`
		Header  Header            `json:"session"`
		Turns   int               `json:"turns"`
		Damaged int               `json:"damagedLines"`
		Records []json.RawMessage `json:"records"`
	}{ID: t.ID, Title: s.Title, Header: t.Header, Turns: s.Turns, Damaged: t.faults.Count}
	for _, e := range b.Entries {
		if u, ok := e.Record.(Unknown); ok {
			out.Records = append(out.Records, u.Raw)
			continue
		}
		line, err := encode(e.Meta, e.Record)
		if err != nil {
			return err
		}
		out.Records = append(out.Records, line)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

// text writes strings and remembers the first error.
type text struct {
	w   io.Writer
	err error
}

func (t *text) add(parts ...string) {
	for _, p := range parts {
		if t.err == nil {
			_, t.err = io.WriteString(t.w, p)
		}
	}
}

var errTooBig = errors.New("the image is too large to be shown")

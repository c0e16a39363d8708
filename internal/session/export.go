package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Formats are the forms in which a session can be exported.
func Formats() []string { return []string{"md", "json", "html"} }

// ExportOptions say what to export. The zero value takes the newest branch.
type ExportOptions struct {
	// Leaf is the end of the branch; empty takes the newest.
	Leaf string
	// Blob reads an image beside the log; nil leaves images out.
	Blob func(name string) ([]byte, error)
	// Faults are the lines that were skipped when the session was read; a
	// reader is told.
	Faults Faults
}

// Export writes one branch of a session for people (md, html) or programs
// (json). The HTML is one page that needs nothing else and runs nothing.
func Export(w io.Writer, t Tree, format string, o ExportOptions) error {
	b := t.Branch(o.Leaf)
	b.Blob = o.Blob
	if len(b.Entries) == 0 {
		return fmt.Errorf("export session %s: it holds no records", t.ID)
	}
	var err error
	switch format {
	case "json":
		err = exportJSON(w, t, b, o)
	case "md", "markdown":
		err = exportMarkdown(w, newPage(t, b, o))
	case "html":
		err = exportHTML(w, newPage(t, b, o))
	default:
		return fmt.Errorf("export session: no format %q; it is one of %s", format, strings.Join(Formats(), ", "))
	}
	if err != nil {
		return fmt.Errorf("export session %s: %w", t.ID, err)
	}
	return nil
}

// exportJSON writes one object: what a listing tells, and the records of the
// branch as they stand in the file.
func exportJSON(w io.Writer, t Tree, b Branch, o ExportOptions) error {
	s := Restore(b)
	out := struct {
		ID      string            `json:"id"`
		Title   string            `json:"title"`
		Header  Header            `json:"session"`
		Turns   int               `json:"turns"`
		Damaged int               `json:"damagedLines"`
		Records []json.RawMessage `json:"records"`
	}{ID: t.ID, Title: s.Title, Header: t.Header, Turns: s.Turns, Damaged: o.Faults.Count}
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

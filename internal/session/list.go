package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"assent/internal/crew"
	"assent/internal/jsonl"
	"assent/internal/lock"
	"assent/internal/whole"
)

// Info is what a listing tells of a session; it comes from the head and the
// tail of its file.
type Info struct {
	ID string `json:"id"`
	// Title is the first line of the first prompt, or the name it was given;
	// empty when nothing was said yet.
	Title string `json:"title"`
	// CWD is the workspace; empty when the header is damaged.
	CWD     string    `json:"cwd"`
	Created time.Time `json:"created"`
	// Updated is the time of the newest record.
	Updated time.Time `json:"updated"`
	// Turns counts the prompts of the newest branch; 0 when the tail of the
	// file does not tell.
	Turns int `json:"turns"`
	// Size is the length of the file in bytes.
	Size  int64  `json:"size"`
	Model string `json:"model,omitempty"`
	// Damaged says that a line was met that cannot be read; the rest can.
	Damaged bool `json:"damaged"`
	// ForkedFrom is the id of the session that it was copied from.
	ForkedFrom string `json:"forkedFrom,omitempty"`
	File       string `json:"file"`
	// dated says that Updated is that of a record at the end of the file.
	dated bool
}

const (
	headBytes = 16 << 10
	// headMost is how far the first prompt is looked for.
	headMost = 256 << 10
	// tailLines and tailBytes bound what is read at the end.
	tailLines = 40
	tailBytes = 256 << 10
)

// List tells of the sessions of a workspace, or of every one with all, the
// newest first. It does not read whole files and takes no lock. Sessions in
// which nothing was said are left out.
func (s Store) List(cwd string, all bool) ([]Info, error) {
	project := ""
	if !all {
		project = Project(RealPath(cwd))
	}
	files, err := s.files(project)
	if err != nil {
		return nil, err
	}
	infos := make([]Info, len(files))
	var next atomic.Int64
	var wg crew.Group
	for range min(4, len(files)) {
		wg.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(files); i = next.Add(1) - 1 {
				infos[i] = s.info(files[i])
			}
		})
	}
	wg.Wait()
	infos = slices.DeleteFunc(infos, func(i Info) bool { return i.Title == "" && i.Turns == 0 && !i.Damaged })
	slices.SortFunc(infos, func(a, b Info) int {
		if c := b.Updated.Compare(a.Updated); c != 0 {
			return c
		}
		return strings.Compare(b.ID, a.ID)
	})
	return infos, nil
}

// Newest is the session of a workspace that was last used and that nobody has
// open now; ErrNone when there is none.
func (s Store) Newest(cwd string) (Info, error) {
	infos, err := s.List(cwd, false)
	if err != nil {
		return Info{}, err
	}
	for _, i := range infos {
		if !lock.Held(i.File) {
			return i, nil
		}
	}
	return Info{}, ErrNone
}

// info reads head and tail of one file. What cannot be read is damage.
func (s Store) info(path string) Info {
	created, id, _ := splitName(filepath.Base(path))
	i := Info{ID: id, Created: created, Updated: created, File: path}
	f, err := whole.Open(path)
	if err != nil {
		i.Damaged = true
		return i
	}
	defer f.Close()
	stat, err := f.Stat()
	if err != nil {
		i.Damaged = true
		return i
	}
	i.Size = stat.Size()
	i.readHead(f)
	i.readTail(f)
	return i
}

// readHead looks for the header and the first prompt.
func (i *Info) readHead(f io.ReaderAt) {
	for want := int64(headBytes); ; want *= 4 {
		buf := make([]byte, min(want, i.Size))
		n, err := f.ReadAt(buf, 0)
		if err != nil && !errors.Is(err, io.EOF) {
			i.Damaged = true
			return
		}
		whole := int64(n) >= i.Size
		if i.scanHead(buf[:n], whole) || whole || want >= headMost {
			return
		}
	}
}

// scanHead reads lines until the first prompt; it is false when more is
// needed.
func (i *Info) scanHead(buf []byte, whole bool) bool {
	for number := 1; len(buf) > 0; number++ {
		line, rest, ended := bytes.Cut(buf, []byte("\n"))
		buf = rest
		h, ok := quickHead(line)
		if ok && h.Type == "user" && i.Title == "" {
			if t, complete := textPrefix(line); complete || !ended {
				i.Title = t
				return complete || whole
			}
		}
		if !ended && !whole {
			return false
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		e, kind := decode(line)
		if kind != "" {
			i.Damaged = true
			continue
		}
		switch r := e.Record.(type) {
		case Header:
			i.header(r)
			i.Damaged = i.Damaged || e.ID != i.ID
		case User:
			i.Title = firstLine(r.Text)
			return true
		case Model:
			i.Model = r.Model
		default:
		}
		if number == 1 && i.CWD == "" {
			i.Damaged = true // the header is missing
		}
	}
	return false
}

func (i *Info) header(h Header) {
	i.CWD = h.CWD
	if !h.Created.IsZero() {
		i.Created = h.Created
	}
	if h.ForkedFrom != nil {
		i.ForkedFrom = h.ForkedFrom.Session
	}
}

// textPrefix reads the first line of the text of a user record, also when the
// record itself is cut off; complete says that the line was all there.
func textPrefix(line []byte) (text string, complete bool) {
	_, rest, ok := bytes.Cut(line, []byte(`,"text":"`))
	if !ok {
		return "", false
	}
	end, closed := len(rest), false
	for at := 0; at < len(rest); at++ {
		if rest[at] == '"' {
			end, closed = at, true
			break
		}
		if rest[at] == '\\' {
			at++
		}
	}
	quoted := rest[:end]
	for len(quoted) > 0 {
		var s string
		r, size := utf8.DecodeLastRune(quoted)
		cut := !closed && r == utf8.RuneError && size == 1
		if !cut && json.Unmarshal([]byte(`"`+string(quoted)+`"`), &s) == nil {
			trimmed := strings.TrimLeftFunc(s, unicode.IsSpace) // as firstLine does
			return firstLine(s), closed || strings.ContainsAny(trimmed, "\r\n")
		}
		quoted = quoted[:len(quoted)-1] // a cut escape or letter
		if end-len(quoted) > 12 {
			break
		}
	}
	return "", false
}

// date takes in the time of a record at the end.
func (i *Info) date(at time.Time) {
	i.dated = true
	if at.After(i.Updated) {
		i.Updated = at
	}
}

// readTail looks for the newest record, the number of turns and a name.
func (i *Info) readTail(f io.ReaderAt) {
	t := jsonl.NewTail(f, i.Size)
	named := false
	for range tailLines {
		l, ok := t.Next()
		if !ok {
			break
		}
		if i.Size-l.Offset > tailBytes {
			if h, ok := quickHead(l.Data); ok && !i.dated { // a last record that is long
				i.date(h.Time)
			}
			break
		}
		e, kind := decode(l.Data)
		if kind != "" {
			i.Damaged = true
			continue
		}
		i.date(e.Time)
		switch r := e.Record.(type) {
		case Title:
			if !named {
				i.Title, named = r.Title, true
			}
		case User:
			i.Turns = max(i.Turns, r.Turn)
		case Timing:
			i.Turns = max(i.Turns, r.Turns)
			if !named && r.Title != "" {
				i.Title, named = r.Title, true
			}
		case Assistant:
			if i.Model == "" {
				i.Model = r.Model
			}
		default:
		}
		if i.Turns > 0 && i.Model != "" {
			break
		}
	}
	if t.FaultCount() > 0 || t.Err() != nil {
		i.Damaged = true
	}
}

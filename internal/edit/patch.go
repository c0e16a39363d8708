package edit

import (
	"fmt"
	"strings"

	"assent/internal/late"
)

// Patch is a parsed patch envelope.
type Patch struct {
	// Files are its sections in order. A path may occur more than once; each
	// section works on what the one before it left.
	Files []FilePatch
}

// Kind says what a section does to its file.
type Kind string

// Kinds of section.
const (
	Add    Kind = "add"
	Delete Kind = "delete"
	Update Kind = "update"
)

// FilePatch is one section of a patch.
type FilePatch struct {
	Kind Kind
	// Path is the file, as written in the patch.
	Path string
	// MoveTo is the new name of an updated file; empty when it keeps its own.
	MoveTo string
	// Content is the text of an added file, each line ended with "\n".
	Content string
	// Chunks are the changes of an updated file, in order. A pure rename has
	// none.
	Chunks []Chunk
	// Line is where the section begins in the patch, from 1.
	Line int
}

// Chunk is one change of an updated file.
type Chunk struct {
	// Anchors are lines to be searched first, one after the other.
	Anchors []string
	Lines   []PatchLine
	// AtEnd says that the change is at the end of the file.
	AtEnd bool
	// Line is where the chunk begins in the patch, from 1.
	Line int
}

// Text joins the lines of a chunk that have one of the ops.
func (c Chunk) Text(ops string) string {
	var b strings.Builder
	for _, l := range c.Lines {
		if strings.IndexByte(ops, l.Op) >= 0 {
			b.WriteString(l.Text + "\n")
		}
	}
	return b.String()
}

// PatchLine is a line of a chunk: ' ' keeps, '-' removes, '+' inserts Text.
type PatchLine struct {
	Op   byte
	Text string
}

// PatchError says where a patch is malformed, what stands there and what
// should.
type PatchError struct {
	// Line is the line of the patch, from 1; Got what it holds.
	Line int
	Got  string
	// Want says one way to put it right.
	Want string
}

func (e *PatchError) Error() string {
	got := e.Got
	if r := []rune(got); len(r) > 80 {
		got = string(r[:80]) + "…"
	}
	return fmt.Sprintf("malformed patch at line %d: got %q; %s", e.Line, got, e.Want)
}

// The markers of the envelope.
const (
	beginPatch  = "*** Begin Patch"
	endPatch    = "*** End Patch"
	environment = "*** Environment ID: "
	addFile     = "*** Add File: "
	deleteFile  = "*** Delete File: "
	updateFile  = "*** Update File: "
	moveTo      = "*** Move to: "
	endOfFile   = "*** End of File"
)

// patchReader reads a patch line by line.
type patchReader struct {
	lines []string
	at    int // index of the next line
	first int // number of lines[0] in the text as it was sent
}

func (r *patchReader) more() bool { return r.at < len(r.lines) }

func (r *patchReader) fail(want string) error {
	got := "the end of the patch"
	if r.more() {
		got = r.lines[r.at]
	}
	return &PatchError{Line: r.first + r.at, Got: got, Want: want}
}

// ParsePatch reads a patch. Wrappers that models put around it (a
// here-document, a code fence) are taken off. The error is a *PatchError.
func ParsePatch(text string) (Patch, error) {
	r := unwrap(text)
	if !r.more() || strings.TrimSpace(r.lines[r.at]) != beginPatch {
		return Patch{}, r.fail("a patch begins with the line \"" + beginPatch + "\"")
	}
	r.at++
	if r.more() && strings.HasPrefix(strings.TrimSpace(r.lines[r.at]), environment) {
		r.at++
	}
	var p Patch
	for {
		for r.more() && strings.TrimSpace(r.lines[r.at]) == "" {
			r.at++
		}
		if !r.more() {
			return Patch{}, r.fail("a patch ends with the line \"" + endPatch + "\"; send it whole")
		}
		if strings.TrimSpace(r.lines[r.at]) == endPatch {
			break
		}
		f, err := r.section()
		if err != nil {
			return Patch{}, err
		}
		p.Files = append(p.Files, f)
	}
	if len(p.Files) == 0 {
		return Patch{}, r.fail("name at least one file with \"" + addFile + "\", \"" + updateFile + "\" or \"" + deleteFile + "\" before the end")
	}
	r.at++
	for ; r.more(); r.at++ {
		if strings.TrimSpace(r.lines[r.at]) != "" {
			return Patch{}, r.fail("nothing may follow \"" + endPatch + "\"; put all sections before it")
		}
	}
	return p, nil
}

// hereDocument is the first line of a shell wrapper, and its end word.
var hereDocument = late.Regexp(`^\s*(?:(?:apply_patch|cat)\s+)?<<-?\s*['"]?(\w+)['"]?\s*$`)

// unwrap splits a patch into lines and takes wrappers off.
func unwrap(text string) *patchReader {
	lines := strings.Split(strings.TrimPrefix(text, "\uFEFF"), "\n")
	if crlf := strings.Count(text, "\r\n"); crlf > 0 && crlf >= len(lines)-1 {
		for i := range lines {
			lines[i] = strings.TrimSuffix(lines[i], "\r")
		}
	}
	r := &patchReader{lines: lines, first: 1}
	blank := func(i int) bool { return strings.TrimSpace(r.lines[i]) == "" }
	trim := func() {
		for len(r.lines) > 0 && blank(0) {
			r.lines, r.first = r.lines[1:], r.first+1
		}
		for len(r.lines) > 0 && blank(len(r.lines)-1) {
			r.lines = r.lines[:len(r.lines)-1]
		}
	}
	for trim(); len(r.lines) > 1; trim() {
		head, tail := r.lines[0], strings.TrimSpace(r.lines[len(r.lines)-1])
		word := ""
		if m := hereDocument().FindStringSubmatch(head); m != nil {
			word = m[1]
		} else if strings.HasPrefix(strings.TrimSpace(head), "```") {
			word = "```"
		}
		if word == "" {
			break
		}
		r.lines, r.first = r.lines[1:], r.first+1
		if tail == word {
			r.lines = r.lines[:len(r.lines)-1]
		}
	}
	if len(r.lines) == 0 {
		r.first = 1
	}
	return r
}

// section reads one file's part.
func (r *patchReader) section() (FilePatch, error) {
	f := FilePatch{Line: r.first + r.at}
	head := strings.TrimSpace(r.lines[r.at])
	var ok bool
	for _, k := range []struct {
		kind   Kind
		marker string
	}{{Add, addFile}, {Delete, deleteFile}, {Update, updateFile}} {
		if f.Path, ok = strings.CutPrefix(head+" ", k.marker); ok {
			f.Kind, f.Path = k.kind, strings.TrimSpace(f.Path)
			break
		}
	}
	switch {
	case !ok:
		return f, r.fail("a section begins with \"" + addFile + "PATH\", \"" + updateFile + "PATH\" or \"" + deleteFile + "PATH\"")
	case f.Path == "":
		return f, r.fail("name the file after the colon")
	}
	r.at++
	var err error
	switch f.Kind {
	case Delete:
	case Add:
		err = r.added(&f)
	case Update:
		err = r.updated(&f)
	}
	return f, err
}

// added reads the lines of a new file.
func (r *patchReader) added(f *FilePatch) error {
	var b strings.Builder
	for ; r.more(); r.at++ {
		line := r.lines[r.at]
		text, ok := strings.CutPrefix(line, "+")
		if !ok {
			if marker(line) || strings.TrimSpace(line) == "" && r.sectionFollows() {
				break
			}
			return r.fail("every line of an added file begins with \"+\", an empty one too")
		}
		b.WriteString(text)
		b.WriteByte('\n')
	}
	f.Content = b.String()
	return nil
}

// sectionFollows reports whether only blank lines stand before the next
// section or the end.
func (r *patchReader) sectionFollows() bool {
	for _, line := range r.lines[r.at:] {
		if strings.TrimSpace(line) != "" {
			return marker(line)
		}
	}
	return true
}

// marker reports whether a line begins a section or ends the patch. An
// indented one is a context line.
func marker(line string) bool {
	line = strings.TrimRight(line, " \t\r")
	if line == endPatch || line == beginPatch {
		return true
	}
	for _, m := range []string{addFile, deleteFile, updateFile} {
		if strings.HasPrefix(line+" ", m) {
			return true
		}
	}
	return false
}

// PatchPaths lists the paths that the markers of a text name, well formed or
// not.
func PatchPaths(text string) []string {
	var paths []string
	for line := range strings.Lines(text) {
		for _, m := range []string{addFile, deleteFile, updateFile, moveTo} {
			if p, ok := strings.CutPrefix(strings.TrimSpace(line), m); ok && strings.TrimSpace(p) != "" {
				paths = append(paths, strings.TrimSpace(p))
			}
		}
	}
	return paths
}

package edit

import (
	"fmt"
	"slices"
	"strings"
)

// Applied is an updated file.
type Applied struct {
	Content string
	// Tier is the most tolerant tier that one of the chunks needed.
	Tier string
	// Spans are the places of the chunks in the new content, as pairs of line
	// numbers from 1: the first line and the one after the last.
	Spans [][2]int
	// Stripped says that line numbers of the read view were taken off.
	Stripped bool
	// First are lines of the old content, from 1, of places that were taken
	// because they are the first of several after their anchor.
	First []int
}

// ChunkError says which change of a file does not apply, and why.
type ChunkError struct {
	// Path is the file; Number the change, from 1, of Of; Line its line in the
	// patch.
	Path             string
	Number, Of, Line int
	// Err is a *NotFoundError, an *AmbiguousError or ErrSame.
	Err error
	// Anchor is the "@@" line that was not found, or at several places, when it
	// was one.
	Anchor string
	// Anchors are where an anchor stands that could mean several of the places.
	Anchors []int
}

func (e *ChunkError) Error() string {
	what := fmt.Sprintf("%s: change %d of %d (line %d of the patch): ", e.Path, e.Number, e.Of, e.Line)
	several, _ := e.Err.(*AmbiguousError) //nolint:errorlint // made here, never wrapped
	switch {
	case several != nil && e.Anchor != "":
		return what + fmt.Sprintf("the anchor %q %s; add a kept line to say where, or an \"@@\" line before it", "@@ "+e.Anchor, several)
	case e.Anchor != "":
		return what + fmt.Sprintf("the anchor %q was %s", "@@ "+e.Anchor, e.Err)
	case several != nil && e.Anchors != nil:
		return what + "its lines appear " + several.places() + ", and its anchor at " + Lines(e.Anchors) + "; add lines around them or an \"@@\" line that stands before the right place only"
	case several != nil:
		return what + "its lines appear " + several.places() + "; add lines around them or an \"@@\" line that stands before the right place"
	}
	return what + "its lines were " + e.Err.Error()
}

func (e *ChunkError) Unwrap() error { return e.Err }

// Apply makes the changes of an updated file. Lines that a chunk keeps stay as
// they are on disk; inserted ones take the neighbouring line end; a last line
// without an end stays so. The error is a *ChunkError.
func Apply(f FilePatch, content string, normal func(string) string) (Applied, error) {
	a := applier{file: f, lines: slices.Collect(strings.Lines(content)), normal: normal, content: content}
	for i := range a.lines {
		a.texts = append(a.texts, strings.TrimSuffix(strings.TrimSuffix(a.lines[i], "\n"), "\r"))
	}
	a.views = map[pass][]string{}
	for i, c := range f.Chunks {
		if err := a.chunk(i, c); err != nil {
			return Applied{}, err
		}
	}
	a.out = append(a.out, a.lines[a.cursor:]...)
	return Applied{a.finish(), a.worst.String(), a.spans, a.stripped, a.first}, nil
}

// applier goes through a file once, from top to bottom.
type applier struct {
	file     FilePatch
	content  string
	normal   func(string) string
	lines    []string // with their ends
	texts    []string // without
	views    map[pass][]string
	cursor   int // lines before it are done
	out      []string
	spans    [][2]int
	worst    pass
	stripped bool
	first    []int
}

// spot is where a chunk is looked for.
type spot struct {
	from     int // the first line
	anchored int // the line of the last anchor; -1 without one
	// anchors are the lines at which the first anchor stands.
	anchors []int
}

// chunk applies one change.
func (a *applier) chunk(i int, c Chunk) error {
	fail := func(anchor string, err error) error {
		return &ChunkError{Path: a.file.Path, Number: i + 1, Of: len(a.file.Chunks), Line: c.Line, Err: err, Anchor: anchor}
	}
	in := spot{from: a.cursor, anchored: -1}
	for _, text := range c.Anchors {
		at := a.anchor(text, in.from)
		if at == nil {
			return fail(text, a.nearest([]string{text}))
		}
		if in.anchored < 0 {
			in.anchors = at
		}
		in.from, in.anchored = at[0]+1, at[0]
	}
	old := oldLines(c)
	if len(old) == 0 {
		at := len(a.lines)
		if in.anchored >= 0 && !c.AtEnd {
			if len(in.anchors) > 1+a.twins(i, c) {
				return fail(c.Anchors[0], &AmbiguousError{Lines: numbers(in.anchors), Tier: Exact})
			}
			at = in.from
		}
		a.splice(at, 0, c)
		return nil
	}
	at, n, err := a.locate(i, c, old, in)
	if err != nil {
		if _, several := err.(*AmbiguousError); several && in.anchored >= 0 { //nolint:errorlint // made here, never wrapped
			return &ChunkError{Path: a.file.Path, Number: i + 1, Of: len(a.file.Chunks), Line: c.Line, Err: err, Anchors: numbers(in.anchors)}
		}
		bare, ok := withoutNumbers(c)
		if !ok {
			return fail("", err)
		}
		var again error
		if at, n, again = a.locate(i, bare, oldLines(bare), in); again != nil {
			return fail("", err)
		}
		c, a.stripped = bare, true
	}
	a.splice(at, n, c)
	return nil
}

// locate finds where the old lines of a chunk stand, and how many of them.
func (a *applier) locate(i int, c Chunk, old []string, in spot) (at, n int, err error) {
	for _, try := range [][]string{old, withoutLastBlank(old)} {
		if len(try) == 0 {
			continue
		}
		found, p := a.find(try, in.from, c.AtEnd)
		if found == nil && in.anchored >= 0 { // the anchor was repeated as the first line
			found, p = a.find(try, in.anchored, c.AtEnd)
			found = slices.DeleteFunc(found, func(at int) bool { return at != in.anchored })
		}
		if len(found) == 0 {
			continue
		}
		several := len(found) > 1+a.twins(i, c)
		if several && (in.anchored < 0 || len(in.anchors) > 1) {
			return 0, 0, &AmbiguousError{Lines: numbers(found), Tier: p.String()}
		}
		if several {
			a.first = append(a.first, found[0]+1)
		}
		a.worst = max(a.worst, p)
		return found[0], len(try), nil
	}
	return 0, 0, a.nearest(old)
}

// numbers are line numbers from 1.
func numbers(lines []int) []int {
	list := make([]int, len(lines))
	for i, at := range lines {
		list[i] = at + 1
	}
	return list
}

// twins is the number of later chunks with the same old lines and anchors: a
// patch that changes each of several like places in turn is not ambiguous.
func (a *applier) twins(i int, c Chunk) int {
	n, old := 0, oldLines(c)
	for _, d := range a.file.Chunks[i+1:] {
		if slices.Equal(oldLines(d), old) && (len(c.Anchors) == 0 || slices.Equal(c.Anchors, d.Anchors)) {
			n++
		}
	}
	return n
}

func (a *applier) nearest(want []string) error {
	return nearest(a.content, strings.Join(want, "\n"), a.normal)
}

func oldLines(c Chunk) []string {
	var old []string
	for _, l := range c.Lines {
		if l.Op != '+' {
			old = append(old, l.Text)
		}
	}
	return old
}

func withoutLastBlank(old []string) []string {
	if n := len(old); n > 1 && strings.TrimSpace(old[n-1]) == "" {
		return old[:n-1]
	}
	return nil
}

// withoutNumbers takes the read view's line numbers off a chunk whose old
// lines all carry them.
func withoutNumbers(c Chunk) (Chunk, bool) {
	if _, ok := Unnumber(strings.Join(oldLines(c), "\n")); !ok {
		return c, false
	}
	lines := slices.Clone(c.Lines)
	for i, l := range lines {
		if _, rest, ok := numbered(l.Text); ok {
			lines[i].Text = rest
		}
	}
	c.Lines = lines
	return c, true
}

// splice copies the lines up to a place and puts a chunk there, in place of n
// old lines.
func (a *applier) splice(at, n int, c Chunk) {
	a.out = append(a.out, a.lines[a.cursor:at]...)
	first := len(a.out) + 1
	old := at
	for _, l := range c.Lines {
		switch {
		case l.Op == '+':
			end := a.endNear(old)
			if end == "\r\n" {
				l.Text = strings.TrimSuffix(l.Text, "\r")
			}
			a.out = append(a.out, l.Text+end)
		case old < at+n:
			if l.Op == ' ' {
				a.out = append(a.out, a.lines[old])
			}
			old++
		}
	}
	a.spans = append(a.spans, [2]int{first, len(a.out) + 1})
	a.cursor = at + n
}

// endNear is the line end that a line inserted before line i takes: of the
// line before it, else of the line after.
func (a *applier) endNear(i int) string {
	for _, k := range []int{i - 1, i} {
		if k >= 0 && k < len(a.lines) && strings.HasSuffix(a.lines[k], "\n") {
			return a.lines[k][len(a.texts[k]):]
		}
	}
	if i > 1 { // the last line has no end; the ones before it do
		return a.lines[i-2][len(a.texts[i-2]):]
	}
	return "\n"
}

// finish joins the lines; only the last may be without an end, and is when it
// was before.
func (a *applier) finish() string {
	open := len(a.lines) > 0 && !strings.HasSuffix(a.content, "\n")
	for i, line := range a.out {
		last := i == len(a.out)-1
		switch {
		case !strings.HasSuffix(line, "\n") && !last:
			a.out[i] = line + a.endNear(len(a.lines))
		case !strings.HasSuffix(line, "\n") && last && !open:
			a.out[i] = line + a.endNear(len(a.lines))
		case last && open && strings.HasSuffix(line, "\n"):
			a.out[i] = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		}
	}
	return strings.Join(a.out, "")
}

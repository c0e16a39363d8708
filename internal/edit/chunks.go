package edit

import (
	"strings"

	"assent/internal/late"
)

// updated reads what follows the head of an updated file.
func (r *patchReader) updated(f *FilePatch) error {
	if r.more() {
		if to, ok := strings.CutPrefix(strings.TrimRight(r.lines[r.at], " \t\r")+" ", moveTo); ok {
			if f.MoveTo = strings.TrimSpace(to); f.MoveTo == "" {
				return r.fail("name the new file after the colon")
			}
			r.at++
		}
	}
	r.skipFileHeads()
	for r.more() && !marker(r.lines[r.at]) {
		if strings.TrimSpace(r.lines[r.at]) == "" && r.sectionFollows() {
			break
		}
		c, err := r.chunk(len(f.Chunks) == 0)
		if err != nil {
			return err
		}
		if len(c.Lines) > 0 {
			f.Chunks = append(f.Chunks, c)
		}
	}
	if len(f.Chunks) == 0 && f.MoveTo == "" {
		return r.fail("an updated file needs lines that begin with \" \", \"-\" or \"+\" (or a \"" + moveTo + "PATH\")")
	}
	return nil
}

// skipFileHeads passes over the two head lines of a unified diff.
func (r *patchReader) skipFileHeads() {
	if r.at+1 < len(r.lines) && strings.HasPrefix(r.lines[r.at], "--- ") && strings.HasPrefix(r.lines[r.at+1], "+++ ") {
		r.at += 2
	}
}

// hunkRange is what a unified diff puts after its first "@@".
var hunkRange = late.Regexp(`^-\d+(?:,\d+)? \+\d+(?:,\d+)? @@ ?`)

// anchor reads the line of an "@@" head, which may be empty, and may carry the
// line numbers of a unified diff: they are not trusted, what follows them is.
func anchor(line string) (string, bool) {
	rest, ok := strings.CutPrefix(line, "@@")
	if !ok {
		return "", false
	}
	rest = strings.TrimPrefix(rest, " ")
	if loc := hunkRange().FindStringIndex(rest); loc != nil {
		rest = rest[loc[1]:]
	} else {
		rest = strings.TrimSuffix(strings.TrimRight(rest, " \t"), " @@")
	}
	return strings.TrimRight(rest, " \t\r"), true
}

// chunk reads heads, lines and an end-of-file mark. Several heads in a row are
// anchors to be searched one after the other; the first chunk may have none.
func (r *patchReader) chunk(first bool) (Chunk, error) {
	c := Chunk{Line: r.first + r.at}
	heads := 0
	for ; r.more(); r.at++ {
		text, ok := anchor(r.lines[r.at])
		if !ok {
			break
		}
		heads++
		if strings.TrimSpace(text) != "" {
			c.Anchors = append(c.Anchors, text)
		}
	}
	if heads == 0 && !first {
		return c, r.fail("begin the next change of this file with a line \"@@\"")
	}
	for ; r.more() && !marker(r.lines[r.at]); r.at++ {
		line := r.lines[r.at]
		switch {
		case strings.TrimRight(line, " \t\r") == endOfFile:
			c.AtEnd = true
			r.at++
			return c, nil
		case strings.HasPrefix(line, "@@"):
			return c, nil
		case line == `\ No newline at end of file`:
		case line == "" || line == "\r":
			if r.sectionFollows() {
				return c, nil
			}
			c.Lines = append(c.Lines, PatchLine{' ', ""})
		case line[0] == ' ' || line[0] == '-' || line[0] == '+':
			c.Lines = append(c.Lines, PatchLine{line[0], line[1:]})
		default:
			return c, r.fail("a line of a change begins with \" \" (kept), \"-\" (removed) or \"+\" (inserted)")
		}
	}
	return c, nil
}

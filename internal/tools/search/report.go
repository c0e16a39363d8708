package search

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"assent/internal/amount"
	"assent/internal/gate"
	"assent/internal/tool"
)

// fault gathers what a search could not do.
type fault struct{ notes []string }

func (f *fault) note(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

// report writes the hits and what is to be known about them.
func (g *grep) report(s gate.Skipped) tool.Result {
	var b strings.Builder
	shown, files, binary := 0, 0, 0
	more := false
	for _, f := range g.found.files {
		if f.binary {
			if !more {
				binary++
			}
			continue
		}
		if shown == mostHits {
			more = true
			break
		}
		files++
		shown += g.rows(&b, f, mostHits-shown, &more)
	}
	switch {
	case shown == 0:
		b.WriteString("no matches\n")
	case more:
		g.fault.note("only the first %d matching lines are shown, there are more; narrow the pattern, path or include", mostHits)
	}
	if binary > 0 {
		g.fault.note("%s not shown", amount.Of(binary, "binary file matches", "binary files match"))
	}
	if g.large > 0 {
		g.fault.note("%s over %d MB not searched", amount.Of(g.large, "file", "files"), mostBytes>>20)
	}
	if g.in.Include != "" && g.seen == 0 {
		g.fault.note("no file is like %s", g.in.Include)
	}
	g.fault.hidden(s)
	for _, n := range g.fault.notes {
		b.WriteString("[" + n + "]\n")
	}
	summary := amount.Of(shown, "line", "lines") + " in " + amount.Of(files, "file", "files")
	if more {
		summary = "first " + summary
	}
	return tool.Result{Output: strings.TrimSuffix(b.String(), "\n"), Summary: summary}
}

// rows writes the lines of a file, at most so many hits, and returns how many
// hits it wrote.
func (g *grep) rows(b *strings.Builder, f file, most int, more *bool) int {
	hits, last := 0, 0
	for _, r := range f.rows {
		if r.hit {
			if hits == most {
				*more = true
				break
			}
			hits++
		}
		if g.in.Context > 0 && b.Len() > 0 && (last == 0 || r.number > last+1) {
			b.WriteString("--\n")
		}
		last = r.number
		mark := ":"
		if !r.hit {
			mark = "-"
		}
		fmt.Fprintf(b, "%s%s%d%s %s\n", spelled(f.name), mark, r.number, mark, r.text)
	}
	return hits
}

// hidden notes what a sweep left out.
func (f *fault) hidden(s gate.Skipped) {
	if s.Ignored > 0 {
		f.note("%s hidden by the ignore rules; include_ignored shows what is in them", amount.Of(s.Ignored, "path is", "paths are"))
	}
	if s.Secret > 0 {
		f.note("%s, skipped", amount.Of(s.Secret, "file may hold secrets", "files may hold secrets"))
	}
	if s.Denied > 0 {
		f.note("%s by the rules, skipped", amount.Of(s.Denied, "path is denied", "paths are denied"))
	}
	if s.Unreadable > 0 {
		f.note("%s could not be listed", amount.Of(s.Unreadable, "folder", "folders"))
	}
}

// spelled quotes a path that would not stay on its line.
func spelled(name string) string {
	if strings.ContainsFunc(name, unicode.IsControl) || strings.ToValidUTF8(name, "") != name {
		return strconv.Quote(name)
	}
	return name
}

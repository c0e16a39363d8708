package policy

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"assent/internal/shell"
)

// judgeShellWrite decides what a shell command writes. The target of a
// redirection is judged like a call of write_file; what a program writes by
// its own arguments was allowed with the program, so that only denials, what
// lies outside and what cannot be known count.
func (r Rules) judgeShellWrite(s Subject, paths Paths) (Judged, bool) {
	f := s.File
	if f.Unknown != "" || f.DirUnknown && !path.IsAbs(f.Path) {
		if f.Mention && !r.writeDenies {
			return Judged{}, false
		}
		if f.Unknown == "" {
			s.Unknown = "the folder it is written in cannot be known"
		}
		return r.judgeUnknownWrite(s), true
	}
	names := []string{f.Path}
	if f.Glob {
		if list, whole := paths.Expand(f.Path, f.Dir); whole {
			names = append(names, list...)
		} else if r.writeDenies {
			s.Unknown = "what the pattern stands for cannot be known"
			return r.judgeUnknownWrite(s), true
		}
	}
	top := Judged{Verdict: Allow}
	for _, name := range names {
		at := s
		at.Text = name
		j := r.judgeShellWriteTo(at, paths)
		if stricter(j.Verdict, top.Verdict) || top.By == "" {
			top = j
		}
	}
	return top, f.Redirect || top.Verdict != Allow
}

func (r Rules) judgeShellWriteTo(s Subject, paths Paths) Judged {
	place := paths.Place(s.Text, s.Dir)
	j := r.judgeWrite(writeTool, Write, s, place)
	if s.File.Tree && j.Verdict != Deny && r.writeDenies {
		paths.Below(s.Text, s.Dir, func(p Place) bool {
			found, denied := r.WriteDenied(p)
			if denied {
				found.Subject, j = s, found
			}
			return !denied
		})
	}
	if s.File.Redirect || j.Verdict == Deny || place.Outside {
		return j
	}
	return Judged{Subject: s, Verdict: Allow, By: ByDefault, Source: "default"}
}

// judgeUnknownWrite decides a write to a path that cannot be known: only a
// bare wildcard allows it.
func (r Rules) judgeUnknownWrite(s Subject) Judged {
	c := r.find(writeTool, func(c *rule) bool { return c.any })
	if r.writeDenies && (c == nil || c.Verdict == Allow) {
		c = nil // it may be what a rule denies
	}
	return result(s, c, Ask, Write)
}

// judgeShellRead decides what a shell command reads, by denials only.
func (r Rules) judgeShellRead(s Subject, paths Paths) (Judged, bool) {
	f := s.File
	if f.Unknown != "" {
		return r.judgeUnknownRead(s)
	}
	if f.DirUnknown && !path.IsAbs(f.Path) {
		if j, against := r.judgeShellReadOf(s, Lexical{}); against {
			return j, true
		}
		s.Text, s.Unknown = "*/"+f.Path, "the folder it is read in cannot be known"
		return r.judgeUnknownRead(s)
	}
	names := []string{f.Path}
	if f.Glob {
		list, whole := paths.Expand(f.Path, f.Dir)
		if !whole {
			s.Text, s.Unknown = "*"+shellToGlob(f.Path), "what the pattern stands for cannot be known"
			return r.judgeUnknownRead(s)
		}
		names = append(names, list...)
	}
	for _, name := range names {
		at := s
		at.Text = name
		if j, against := r.judgeShellReadOf(at, paths); against {
			return j, true
		}
	}
	return Judged{}, false
}

// judgeShellReadOf judges a file that a command reads; false is that nothing is against it.
func (r Rules) judgeShellReadOf(s Subject, paths Paths) (Judged, bool) {
	f := s.File
	place := paths.Place(s.Text, s.Dir)
	j, denied := r.readDenied(readTool, s, place)
	if denied && (!f.Tree || len(f.Only) == 0) {
		return mention(j, f), true
	}
	if whole := r.whole(s, place); whole.Verdict == Deny {
		return mention(whole, f), true
	}
	if !f.Tree {
		return Judged{}, false
	}
	var found Judged
	seen, known := below(s, paths, !r.readDenies, func(p Place) bool {
		if leftOut(f, s.Text, p) {
			return true
		}
		j, denied := r.readDenied(readTool, s, p)
		if denied {
			found = j
			found.Reason = fmt.Sprintf("%s reaches %s: %s", quote(s.Text), p.Spellings[0].Rel, j.Reason)
		}
		return !denied
	})
	if found.Verdict == Deny {
		return mention(found, f), true
	}
	if !known {
		return Judged{
			Subject: s, Verdict: Ask, By: ByDefault, Source: "default",
			Reason: "what git tracks cannot be known, because its index cannot be read: it could hold a file that may not be read",
		}, true
	}
	if !seen {
		return Judged{
			Subject: s, Verdict: Ask, By: ByDefault, Source: "default",
			Reason: fmt.Sprintf("%s reads a tree that is too large to be checked for denied files: use the search tools, which leave them out", quote(s.Text)),
		}, true
	}
	return Judged{}, false
}

// below visits the files of a tree, those that git tracks where it is git that
// reads them and what it tracks is known.
func below(s Subject, paths Paths, secrets bool, visit func(Place) bool) (seen, known bool) {
	f := s.File
	known = true
	if t, ok := paths.(Tracker); ok && (f.Tracked || f.Added) {
		switch t.Tracked(s.Text, s.Dir, Tracks{Repository: f.Repository, Changed: f.Changed, Secrets: secrets, Past: f.Past, Added: f.Added}, visit) {
		case TrackedAll:
			return true, true
		case TrackedHidden:
			known = false
		case TrackedElsewhere:
		}
	}
	return paths.Below(s.Text, s.Dir, visit), known
}

// whole is a deny of read_file as a whole, which holds for every way in.
func (r Rules) whole(s Subject, p Place) Judged {
	if !r.readDenies {
		return Judged{}
	}
	for _, spelling := range p.Spellings {
		c := r.find(readTool, func(c *rule) bool { return c.pathMatch(spelling) })
		if c != nil && c.Verdict == Deny {
			return result(s, c, Deny, Read)
		}
	}
	return Judged{}
}

// mention softens a denial to a question when the command only may read the
// file.
func mention(j Judged, f *shell.File) Judged {
	if f.Mention && j.Verdict == Deny {
		j.Verdict = Ask
		j.Reason = "the command may read it: " + j.Reason
	}
	return j
}

// judgeUnknownRead asks when what cannot be known could be a denied path. The
// subject's text is then a pattern that begins with a star.
func (r Rules) judgeUnknownRead(s Subject) (Judged, bool) {
	base := s.Text[strings.LastIndexByte(s.Text, '/')+1:]
	could := !r.open && slices.ContainsFunc(secretNames, func(p Pattern) bool { return Overlap(base, p.String()) })
	pattern, source := "", "default"
	for i := range r.list {
		c := &r.list[i]
		if !could && r.readDenies && c.Verdict == Deny && slices.ContainsFunc(r.readers, c.key.Match) && (c.any || Overlap(s.Text, c.Pattern) || Overlap(native(s.Text), c.there.text)) {
			could, pattern, source = true, c.Pattern, c.Source
		}
	}
	if !could {
		return Judged{}, false
	}
	why := s.Unknown
	if why == "" {
		why = "the path cannot be known"
	}
	return Judged{
		Subject: s, Verdict: Ask, By: ByDefault, Pattern: pattern, Source: source,
		Reason: why + ": it could be a file that may not be read",
	}, true
}

// leftOut says whether a tree's own filters leave a file out.
func leftOut(f *shell.File, root string, p Place) bool {
	if len(p.Spellings) == 0 {
		return false
	}
	rel := p.Spellings[0].Rel
	base := path.Base(rel)
	matches := func(list []string, name string) bool {
		return slices.ContainsFunc(list, func(t string) bool { return Compile(t).Match(name) })
	}
	if len(f.Only) > 0 && !matches(f.Only, base) || matches(f.Except, base) {
		return true
	}
	if len(f.ExceptDirs) == 0 {
		return false
	}
	for dir := path.Dir(rel); dir != "." && dir != "/" && dir != ".." && len(dir) >= len(path.Clean(root)); dir = path.Dir(dir) {
		if matches(f.ExceptDirs, path.Base(dir)) {
			return true
		}
	}
	return false
}

// shellToGlob widens a shell pattern to one of ours: what it does not know
// stands for anything.
func shellToGlob(pattern string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune("*?[]{}()!+@,\\~", c) {
			return '*'
		}
		return c
	}, pattern)
}

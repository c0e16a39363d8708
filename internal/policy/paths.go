package policy

import (
	"fmt"
	"path"
	"strings"
)

// name is the text of a spelling that a pattern may be matched against.
func (s Spelling) name(pattern string) string {
	switch {
	case strings.HasPrefix(pattern, "/") || drive(pattern) && drive(s.Abs):
		return s.Abs
	case strings.HasPrefix(pattern, "~"):
		return s.Home
	}
	return s.Rel
}

// pathMatch says whether a rule matches one spelling of a path. A rule that
// restricts "folder/*" holds for the folder as well.
func (c *rule) pathMatch(s Spelling) bool {
	switch {
	case c.any:
		return true
	case c.own.match(s, c.Verdict != Allow):
		return true
	case !s.onWindows():
		return false
	}
	folded := s.folded()
	if c.there.match(folded, c.Verdict != Allow) {
		return true
	}
	if c.Verdict == Allow || !strings.HasPrefix(c.there.text, "/") || !drive(folded.Abs) {
		return false
	}
	folded.Abs = folded.Abs[2:] // "/x" without a drive: a denial holds on each
	return c.there.match(folded, true)
}

// judgePath decides a path that a tool names itself, in each of its spellings.
func (r Rules) judgePath(q Call, s Subject, paths Paths) Judged {
	p := paths.Place(s.Text, s.Dir)
	if s.Access == AccessWrite || q.Effect == Write {
		return r.judgeWrite(q.Tool, q.Effect, s, p)
	}
	return r.judgeRead(q.Tool, q.Effect, s, p)
}

// judgeWrite decides a write to a place by the tool's own table, after the
// denials of every writing tool's.
func (r Rules) judgeWrite(tool string, e Effect, s Subject, p Place) Judged {
	if j, denied := r.denied(r.writers, r.writeDenies, s, p); denied {
		return j
	}
	return r.judgePlace(tool, e, s, p)
}

// judgeRead decides a read. Searching a tree is judged by the path that is
// searched; what lies below is left out by the walk itself (ReadDenied).
func (r Rules) judgeRead(tool string, e Effect, s Subject, p Place) Judged {
	if j, denied := r.readDenied(tool, s, p); denied {
		return j
	}
	return r.judgePlace(tool, e, s, p)
}

// judgePlace takes the strictest over the spellings of a place.
func (r Rules) judgePlace(tool string, e Effect, s Subject, p Place) Judged {
	var top Judged
	spellings := p.Spellings
	if len(spellings) == 0 {
		spellings, p.Outside = []Spelling{{}}, true
	}
	for i, spelling := range spellings {
		c := r.find(tool, func(c *rule) bool {
			if s.Unknown != "" && c.Verdict == Allow {
				return c.any
			}
			return c.pathMatch(spelling)
		})
		j := result(s, c, byDefault(e), e)
		if p.Outside && j.Verdict == Allow && !reachesOut(c) {
			j.Verdict, j.By, j.Pattern, j.Source = Ask, ByDefault, "", "default"
			j.Reason = fmt.Sprintf("%s lies outside the workspace", quote(s.Text))
		}
		if i == 0 || stricter(j.Verdict, top.Verdict) {
			top = j
		}
	}
	return top
}

// reachesOut says whether an allow rule is meant for places outside the
// workspace: only a pattern that names one is.
func reachesOut(c *rule) bool {
	return c != nil && (strings.HasPrefix(c.Pattern, "/") || drive(c.there.text) || strings.HasPrefix(c.Pattern, "~") || strings.HasPrefix(c.Pattern, ".."))
}

// denied says whether the table of any of the tools denies a place. A deny of
// a tool as a whole (no table) is about that tool, not about paths.
func (r Rules) denied(tools []string, some bool, s Subject, p Place) (Judged, bool) {
	if !some {
		return Judged{}, false
	}
	for _, tool := range tools {
		for _, spelling := range p.Spellings {
			c := r.find(tool, func(c *rule) bool { return c.pathMatch(spelling) })
			if c != nil && c.Verdict == Deny && c.Pattern != "" {
				return result(s, c, Deny, Write), true
			}
		}
	}
	return Judged{}, false
}

// readDenied says whether reading a place is denied: by a rule of any reading
// tool or because it is a secret file that no rule of the tool's opens.
func (r Rules) readDenied(tool string, s Subject, p Place) (Judged, bool) {
	if j, denied := r.denied(r.readers, r.readDenies, s, p); denied {
		return j, true
	}
	if r.open {
		return Judged{}, false
	}
	for _, spelling := range p.Spellings {
		for i, name := range []string{spelling.Rel, spelling.Abs} {
			if i > 0 && path.Base(name) == path.Base(spelling.Rel) {
				continue // only the last part counts, and walks ask this of every file
			}
			pattern, secret := secretPattern(name)
			if !secret || r.opened(tool, spelling) {
				continue
			}
			return Judged{
				Subject: s, Verdict: Deny, By: ByDefault, Pattern: pattern, Source: "default",
				Reason: fmt.Sprintf("%s may hold secrets: files named %s are not read unless an allow rule names them", quote(s.Text), pattern),
			}, true
		}
	}
	return Judged{}, false
}

// opened says whether an allow rule of the tool's (or of read_file's) names a
// secret file. An untrusted project opens nothing.
func (r Rules) opened(tool string, s Spelling) bool {
	names := func(c *rule) bool { return c.pathMatch(s) && (c.Verdict != Allow || namesSecret(c.Pattern)) }
	for _, t := range []string{tool, readTool} {
		if c := r.find(t, names); c != nil && c.Verdict == Allow && c.Layer != LayerUntrusted {
			return true
		}
	}
	return false
}

// ReadDenied says whether a walk (glob, grep, reading many files, git) must
// leave a place out for a tool, and why. It looks at denials only.
func (r Rules) ReadDenied(tool string, p Place) (Judged, bool) {
	text := ""
	if len(p.Spellings) > 0 {
		text = p.Spellings[0].Rel
	}
	return r.readDenied(tool, Subject{Kind: KindPath, Text: text, Access: AccessRead}, p)
}

// WriteDenied says whether writing to a place is denied by the table of any
// tool that writes.
func (r Rules) WriteDenied(p Place) (Judged, bool) {
	text := ""
	if len(p.Spellings) > 0 {
		text = p.Spellings[0].Rel
	}
	return r.denied(r.writers, r.writeDenies, Subject{Kind: KindPath, Text: text, Access: AccessWrite}, p)
}

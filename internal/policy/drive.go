package policy

import "strings"

// Windows takes names apart at either slash and minds no capitals. Whether a
// place is there is told by its absolute name, so that this stays words alone.

// drive says whether a name begins as absolute ones do on Windows.
func drive(name string) bool {
	return len(name) > 2 && name[1] == ':' && name[2] == '/' && letter(name[0])
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// onWindows says whether a spelling is of a place on Windows: below a drive or
// a share.
func (s Spelling) onWindows() bool { return drive(s.Abs) || strings.HasPrefix(s.Abs, "//") }

// folded is the spelling as patterns are matched there.
func (s Spelling) folded() Spelling {
	return Spelling{Rel: strings.ToLower(s.Rel), Abs: strings.ToLower(s.Abs), Home: strings.ToLower(s.Home), Also: strings.ToLower(s.Also)}
}

// native is a pattern as it is matched against names of Windows: in small
// letters, with slashes, and with a drive where it is written as shells there
// do ("/c/x").
func native(pattern string) string {
	p := strings.ToLower(strings.ReplaceAll(pattern, `\`, "/"))
	for _, space := range []string{"//?/", "//./"} {
		rest, ok := strings.CutPrefix(p, space)
		if share, unc := strings.CutPrefix(rest, "unc/"); ok && unc {
			return native("//" + share)
		}
		if ok && drive(rest) {
			return rest
		}
	}
	if len(p) > 2 && p[0] == '/' && p[2] == '/' && letter(p[1]) {
		return p[1:2] + ":" + p[2:]
	}
	return p
}

// pathPattern is the pattern of a rule, made ready for paths.
type pathPattern struct {
	text string
	path Pattern
	// folder is what the rule holds for as well ("secret/*" for "secret").
	folder string
}

func compilePath(text string) pathPattern {
	bare := strings.TrimPrefix(text, "./")
	p := pathPattern{text: text, path: Compile(bare)}
	p.folder, _ = strings.CutSuffix(bare, "/*")
	if p.folder == bare {
		p.folder = ""
	}
	return p
}

// match says whether the pattern matches a spelling of a path; one that
// restricts holds for its folder and by the second name of a home too.
func (p *pathPattern) match(s Spelling, restricts bool) bool {
	name := s.name(p.text)
	if name == "" {
		return false
	}
	if p.path.Match(name) {
		return true
	}
	if !restricts {
		return false
	}
	if p.folder != "" && name == p.folder {
		return true
	}
	return s.Also != "" && name == s.Abs && (p.path.Match(s.Also) || p.folder != "" && s.Also == p.folder)
}

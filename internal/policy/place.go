package policy

import (
	"path"
	"strings"
)

// Spelling is one name of a place. A pattern that begins with "/" is matched
// against Abs, one that begins with "~" against Home, any other against Rel.
type Spelling struct {
	// Rel is slash-separated, cleaned and relative to the workspace root; it
	// may begin with "..".
	Rel string
	// Abs is absolute, Home is written with "~", empty when the place is not
	// in the user's home. Either may be empty.
	Abs, Home string
	// Also is a second absolute name, by a home folder that stands behind a
	// link; empty without one. Rules that restrict are matched against it too.
	Also string
}

// Place is a path after it was resolved: every name that it has (as written
// and after links), and whether one of them lies outside the roots.
type Place struct {
	Spellings []Spelling
	Outside   bool
}

// Paths answers what a decision must know of the disk. Its methods are called
// with paths as they were written; dir is the folder that a relative one is
// read in, itself relative to the root, absolute or with "~", empty for the
// root. Implementations decide at the time of the call and must not follow a
// link out of what they were asked for.
type Paths interface {
	// Place resolves a name. It never fails: what does not exist has its
	// lexical spelling, what cannot be resolved is Outside.
	Place(name, dir string) Place
	// Expand lists the names that a shell pattern stands for, as the shell
	// would write them. whole is false when the list is not complete.
	Expand(pattern, dir string) (names []string, whole bool)
	// Below visits every file below a folder (or the file itself) until visit
	// returns false. whole is false when something below was not seen.
	Below(name, dir string, visit func(Place) bool) (whole bool)
}

// Tracker is a Paths that knows what git tracks.
type Tracker interface {
	// Tracked visits what git tracks below a folder until visit returns false,
	// by names alone: links are not followed.
	Tracked(name, dir string, which Tracks, visit func(Place) bool) Tracking
}

// Strays is a Paths that knows what git takes for a repository.
type Strays interface {
	// Stray names the repository that git finds from a folder on, where it lies
	// among the files of the workspace rather than in a folder .git; empty is
	// none.
	Stray(dir string) string
}

// Tracking says how much a Tracker knows of what git tracks.
type Tracking int

// The kinds of knowledge.
const (
	// TrackedElsewhere: nothing, and the files that are there must do: there is
	// no repository, or it keeps the names in a way that is not read.
	TrackedElsewhere Tracking = iota
	// TrackedAll: all of it was visited, or visit returned false.
	TrackedAll
	// TrackedHidden: nothing, and there is no telling what it is: the index is
	// damaged, or larger than can be read.
	TrackedHidden
)

// Tracks narrows and widens what is asked of git.
type Tracks struct {
	// Repository widens a folder to the whole repository around it.
	Repository bool
	// Changed narrows to files that may differ from the index, and Secrets to
	// those that hold secrets by their name.
	Changed, Secrets bool
	// Past adds secrets that were tracked before. Added asks for what git would
	// begin to track in the place of what it tracks: all that it does not ignore.
	Past, Added bool
}

// Lexical is a Paths that knows no disk: names are cleaned, nothing exists. It
// serves tests and callers without a workspace. Root and Home are absolute
// slash-separated paths and may be empty.
type Lexical struct{ Root, Home string }

// Place resolves a name by its text alone.
func (l Lexical) Place(name, dir string) Place {
	full := l.full(name, dir)
	if !strings.HasPrefix(full, "/") {
		rel := path.Clean(full)
		return Place{Spellings: []Spelling{{Rel: rel}}, Outside: climbs(rel)}
	}
	full = path.Clean(full)
	s := Spelling{Abs: full, Rel: full}
	if l.Root != "" {
		s.Rel = relative(l.Root, full)
	}
	if l.Home != "" && (full == l.Home || strings.HasPrefix(full, l.Home+"/")) {
		s.Home = "~" + strings.TrimPrefix(full, l.Home)
	}
	return Place{Spellings: []Spelling{s}, Outside: l.Root == "" || climbs(s.Rel)}
}

// Expand says that nothing is known of what a pattern stands for.
func (l Lexical) Expand(string, string) ([]string, bool) { return nil, false }

// Below visits the name itself.
func (l Lexical) Below(name, dir string, visit func(Place) bool) bool {
	visit(l.Place(name, dir))
	return true
}

func (l Lexical) full(name, dir string) string {
	name, dir = l.home(name), l.home(dir)
	if strings.HasPrefix(name, "/") {
		return name
	}
	if dir != "" {
		name = dir + "/" + name
	}
	if !strings.HasPrefix(name, "/") && l.Root != "" {
		name = l.Root + "/" + name
	}
	if name == "" {
		return "."
	}
	return name
}

func (l Lexical) home(name string) string {
	switch {
	case name == "~" || strings.HasPrefix(name, "~/"):
		if l.Home == "" {
			return "/~" + name[1:]
		}
		return l.Home + name[1:]
	case strings.HasPrefix(name, "~"):
		return "/" + name
	}
	return name
}

func climbs(rel string) bool {
	return rel == ".." || strings.HasPrefix(rel, "../") || strings.HasPrefix(rel, "/")
}

// relative gives full as seen from root; both are absolute and cleaned.
func relative(root, full string) string {
	if full == root {
		return "."
	}
	up := ""
	for base := strings.TrimSuffix(root, "/"); ; base = path.Dir(base) {
		if base == "/" || base == "." {
			base = ""
		}
		if full == base {
			return strings.TrimSuffix(up, "/")
		}
		if strings.HasPrefix(full, base+"/") {
			return strings.TrimSuffix(up+strings.TrimPrefix(full, base+"/"), "/")
		}
		up += "../"
	}
}

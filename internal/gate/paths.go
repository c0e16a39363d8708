package gate

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"assent/internal/policy"
	"assent/internal/walk"
	"assent/internal/workspace"
)

// Bounds of what a decision looks at on disk. Beyond them it is told that it
// has not seen everything, and asks.
const (
	mostExpanded = 10_000
	mostBelow    = 50_000
)

// paths answers policy's questions about the disk from the workspace. It lists
// folders inside the roots only.
type paths struct {
	*workspace.Workspace
	// home is the home folder as the environment spells it, real where its
	// links lead; the two are the same unless it stands behind a link.
	home, real string
	// known are the places of the call's own paths, resolved once.
	known map[spot]policy.Place
	// indexes reads indexes of git; nil knows none.
	indexes *indexes
	// links keeps what a decision saw of the names of secrets; nil keeps nothing.
	links *links
	// setting is where the ignore rules of a path are; nil knows none.
	setting func(workspace.Path) walk.Setting
}

// spot is a name as written, and the folder that it is read in.
type spot struct{ name, dir string }

// plan resolves the paths that a tool names itself. The workspace can open
// nothing outside its roots, so a path there is refused, and so is one that
// cannot be resolved; no says which.
func (d paths) plan(r Request) (list []planned, no *policy.Judged) {
	refuse := func(s policy.Subject, reason string) {
		if no == nil {
			no = &policy.Judged{Subject: s, Verdict: policy.Deny, By: policy.ByDefault, Source: "default", Reason: reason}
		}
	}
	for _, s := range r.Plan.Subjects {
		if s.Kind != policy.KindPath || s.File != nil {
			continue
		}
		if d.Workspace == nil {
			refuse(s, "there is no workspace to find "+s.Text+" in")
			continue
		}
		p, err := d.Resolve(s.Text, s.Dir)
		if err != nil {
			refuse(s, err.Error())
			continue
		}
		d.known[spot{s.Text, s.Dir}] = d.named(p)
		if p.Root < 0 {
			name := s.Text
			if p.Real != name {
				name += ", which is " + p.Real + ","
			}
			refuse(s, name+" is outside the workspace; the user can add its folder with --add-dir")
			continue
		}
		list = append(list, planned{
			path: p, dir: s.Dir, write: s.Access == policy.AccessWrite, tree: s.Access == policy.AccessTree,
			read: s.Access != policy.AccessWrite,
		})
	}
	return list, no
}

// Place gives both spellings of a name.
func (d paths) Place(name, dir string) policy.Place {
	if p, ok := d.known[spot{name, dir}]; ok {
		return p
	}
	if d.Workspace == nil {
		return policy.Lexical{}.Place(name, dir)
	}
	p, err := d.Resolve(name, dir)
	if err != nil {
		// A name that cannot be resolved (a loop of links, a zero byte) can be
		// opened by nobody here, and counts as outside under its text. Programs of
		// Windows may read another file by it: its readings.
		place := policy.Place{Spellings: []policy.Spelling{{Rel: path.Clean(filepath.ToSlash(name))}}, Outside: true}
		return d.readings(place, name, dir)
	}
	place := d.named(p)
	if place.Outside {
		place = d.readings(place, name, dir)
	}
	return place
}

// readings adds to a place outside what the programs of the system may open by
// its name (see Workspace.Readings), so that a denial holds for these as well.
func (d paths) readings(place policy.Place, name, dir string) policy.Place {
	dirs := []string{dir}
	if dir != "" {
		dirs = append(dirs, d.Readings(dir)...)
	}
	for i, dir := range dirs {
		names := d.Readings(name)
		if i > 0 {
			names = append(names, name)
		}
		for _, n := range names {
			if p, err := d.Resolve(n, dir); err == nil {
				place.Spellings = append(place.Spellings, d.named(p).Spellings...)
			}
		}
	}
	return place
}

// named is the place of a path that is named, with the names of secrets that
// it has besides.
func (d paths) named(p workspace.Path) policy.Place {
	place := d.place(p)
	place.Spellings = append(place.Spellings, d.hardNames(p)...)
	return place
}

func (d paths) place(p workspace.Path) policy.Place {
	place := policy.Place{Spellings: []policy.Spelling{d.spell(p.Rel, p.Abs)}, Outside: p.Root < 0}
	if p.Real != p.Abs {
		place.Spellings = append(place.Spellings, d.spell(p.RealRel, p.Real))
	}
	return place
}

// spell names a path. Rules call the home by either of its names.
func (d paths) spell(rel, abs string) policy.Spelling {
	s := policy.Spelling{Rel: rel, Abs: filepath.ToSlash(abs)}
	rest, within := inside(abs, d.home)
	if !within && d.real != d.home {
		if rest, within = inside(abs, d.real); within {
			s.Also = filepath.ToSlash(strings.TrimSuffix(d.home, string(filepath.Separator)) + rest)
		}
	}
	if within {
		s.Home = "~" + filepath.ToSlash(rest)
	}
	return s
}

// inside gives what follows a folder in a path that is the folder or below it.
func inside(abs, dir string) (rest string, ok bool) {
	if dir == "" || abs != dir && !below(abs, dir) {
		return "", false
	}
	return strings.TrimPrefix(abs, strings.TrimSuffix(dir, string(filepath.Separator))), true
}

// Expand lists what a shell pattern stands for. Patterns that shells read
// differently are not expanded.
func (d paths) Expand(pattern, dir string) ([]string, bool) {
	if d.Workspace == nil || strings.ContainsAny(pattern, "{}()\\^!~$`") || strings.Contains(pattern, "**") {
		return nil, false
	}
	e := expansion{paths: d, dir: dir, whole: true}
	prefix := ""
	if strings.HasPrefix(pattern, "/") {
		prefix = "/"
	}
	e.in(prefix, strings.FieldsFunc(pattern, func(r rune) bool { return r == '/' }))
	return e.names, e.whole
}

type expansion struct {
	paths
	dir   string
	names []string
	whole bool
}

// in expands the rest of a pattern below what it already stands for.
func (e *expansion) in(prefix string, parts []string) {
	for len(parts) > 1 && !strings.ContainsAny(parts[0], "*?[") {
		prefix += parts[0] + "/"
		parts = parts[1:]
	}
	if len(parts) == 0 || !e.whole {
		return
	}
	last := len(parts) == 1
	if last && !strings.ContainsAny(parts[0], "*?[") {
		if p, err := e.Resolve(prefix+parts[0], e.dir); err == nil && p.Exists {
			e.add(prefix + parts[0])
		}
		return
	}
	folder, err := e.Resolve(prefix, e.dir)
	if err != nil || folder.Root < 0 {
		e.whole = false
		return
	}
	if !folder.Dir {
		return
	}
	list, err := e.List(folder)
	if err != nil {
		e.whole = false
		return
	}
	for _, entry := range list {
		name := entry.Name()
		if strings.HasPrefix(name, ".") && !strings.HasPrefix(parts[0], ".") {
			continue
		}
		ok, err := path.Match(parts[0], name)
		if err != nil {
			e.whole = false
			return
		}
		switch {
		case !ok:
		case last:
			e.add(prefix + name)
		default:
			e.in(prefix+name+"/", parts[1:])
		}
	}
}

func (e *expansion) add(name string) {
	if len(e.names) >= mostExpanded {
		e.whole = false
		return
	}
	e.names = append(e.names, name)
}

// Below visits the files below a folder, links among them but not what links
// to folders lead to, and not what lies in .git.
func (d paths) Below(name, dir string, visit func(policy.Place) bool) bool {
	if d.Workspace == nil {
		return false
	}
	p, err := d.Resolve(name, dir)
	if err != nil || p.Root < 0 {
		return false
	}
	if !p.Dir {
		visit(d.place(p))
		return true
	}
	left := mostBelow
	seen, _ := d.below(p, visit, &left)
	return seen
}

// below reports whether everything was seen and whether to go on.
func (d paths) below(dir workspace.Path, visit func(policy.Place) bool, left *int) (whole, more bool) {
	list, err := d.List(dir)
	if err != nil {
		return false, true
	}
	whole = true
	for _, e := range list {
		if *left--; *left < 0 {
			return false, false
		}
		if e.Name() == ".git" && e.IsDir() {
			continue
		}
		p, err := d.Child(dir, e)
		if err != nil {
			whole = false
			continue
		}
		if e.IsDir() && e.Type()&fs.ModeSymlink == 0 {
			all, more := d.below(p, visit, left)
			whole = whole && all
			if !more {
				return whole, false
			}
			continue
		}
		if !visit(d.place(p)) {
			return whole, false
		}
	}
	return whole, true
}

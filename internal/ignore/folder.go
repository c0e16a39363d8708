package ignore

// Names of the ignore files of a folder.
const (
	GitFile = ".gitignore"
	OwnFile = ".assentignore"
)

// Options are the rules that hold everywhere. The zero value has none.
type Options struct {
	// Exclude is the text of .git/info/exclude, Global that of the file that
	// core.excludesFile names.
	Exclude, Global []byte
	// Fold says that letter case does not count.
	Fold bool
}

// Folder is a folder with the rules that hold in it. It is never changed. The
// zero value has no rules and ignores nothing.
type Folder struct {
	above *Folder
	// path is this folder's path from the top, with a slash at its end unless
	// it is the top.
	path            string
	git, own        *Rules
	exclude, global *Rules
	fold            bool
	// sealed says that git ignores this folder, and that it was entered only
	// because a .assentignore leads into it.
	sealed bool
}

// Top returns what holds above the root. Enter its root with an empty name.
func Top(o Options) *Folder {
	return &Folder{exclude: Parse(o.Exclude, o.Fold), global: Parse(o.Global, o.Fold), fold: o.Fold}
}

// Enter returns the folder of that name in f, given the text of its own ignore
// files; nil where there are none. An empty name adds the files to f itself.
func (f *Folder) Enter(name string, gitignore, assentignore []byte) *Folder {
	d := &Folder{above: f, path: f.path, sealed: f.sealed, exclude: f.exclude, global: f.global, fold: f.fold}
	if name != "" {
		d.path = f.path + name + "/"
		d.sealed = f.verdict(name, true)
	}
	if len(gitignore) > 0 {
		d.git = Parse(gitignore, f.fold)
	}
	if len(assentignore) > 0 {
		d.own = Parse(assentignore, f.fold)
	}
	return d
}

// Ignored reports whether an entry of the folder is ignored.
func (f *Folder) Ignored(name string, dir bool) bool { return f.verdict(name, dir) }

// Leads reports whether an ignored folder must be entered all the same,
// because something below it may be re-included. It is not shown itself.
func (f *Folder) Leads(name string) bool {
	rel := f.path + name
	for d := f; d != nil; d = d.above {
		if d.own.leads(rel[len(d.path):]) {
			return true
		}
	}
	return false
}

func (f *Folder) verdict(name string, dir bool) bool {
	rel := f.path + name
	for d := f; d != nil; d = d.above {
		if v := d.own.Match(rel[len(d.path):], dir); v != Silent {
			return v == Ignore
		}
	}
	if f.sealed {
		return true
	}
	for d := f; d != nil; d = d.above {
		if v := d.git.Match(rel[len(d.path):], dir); v != Silent {
			return v == Ignore
		}
	}
	for _, r := range []*Rules{f.exclude, f.global} {
		if v := r.Match(rel, dir); v != Silent {
			return v == Ignore
		}
	}
	return false
}

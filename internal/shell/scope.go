package shell

import (
	"path"
	"slices"
	"strings"
)

// mostDirs bounds how many folders are followed at once.
const mostDirs = 4

// dirs are the folders that a command may run in. No folder and not unknown
// means that the place is never reached.
type dirs struct {
	list    []string
	unknown bool
}

func (d dirs) never() bool { return len(d.list) == 0 && !d.unknown }

func (d dirs) with(o dirs) dirs {
	out := dirs{unknown: d.unknown || o.unknown, list: d.list}
	for _, name := range o.list {
		if !slices.Contains(out.list, name) {
			out.list = append(out.list[:len(out.list):len(out.list)], name)
		}
	}
	if len(out.list) > mostDirs {
		return dirs{unknown: true}
	}
	return out
}

// same says whether two sets are the same.
func (d dirs) same(o dirs) bool { return d.unknown == o.unknown && slices.Equal(d.list, o.list) }

// enter is what cd into one of names makes of the folders.
func (d dirs) enter(names []string) dirs {
	out := dirs{unknown: d.unknown}
	for _, name := range names {
		if path.IsAbs(name) || strings.HasPrefix(name, "~") {
			out = out.with(dirs{list: []string{name}})
			continue
		}
		for _, base := range d.list {
			out = out.with(dirs{list: []string{join(base, name)}})
		}
	}
	if len(names) > 0 && !slices.ContainsFunc(names, func(n string) bool { return !path.IsAbs(n) && !strings.HasPrefix(n, "~") }) {
		out.unknown = false // an absolute folder does not depend on where it starts
	}
	return out
}

// join reads a folder as seen from another; the start folder is empty.
func join(base, name string) string {
	if base == "~" || strings.HasPrefix(base, "~/") {
		if clean := path.Join("/", base[1:], name); !strings.HasPrefix(path.Join(base[1:], name), "..") {
			return strings.TrimSuffix("~"+clean, "/")
		}
	}
	out := path.Join(base, name)
	if out == "." {
		return ""
	}
	return out
}

// stdin is what is known of a command's standard input.
type stdin struct {
	from  []int
	text  string
	known bool
	// shut is as in Word.
	shut bool
	// some says that there is input at all.
	some bool
}

// scope is the state of the shell where a statement stands. It is copied for
// what runs in a child.
type scope struct {
	dirs     dirs
	stack    []dirs
	stdin    stdin
	wrapper  string
	function string
	// open are the descriptors beside it that are open for reading.
	open map[string]stdin
	// printed is what the command prints whose redirections are being read.
	printed stdin
	// owner is the command whose words or redirections are being read.
	owner      int
	remote     bool
	background bool
}

func newScope() scope { return scope{dirs: dirs{list: []string{""}}, owner: -1} }

// outcome is where the shell may be after a statement that succeeded or
// failed.
type outcome struct{ ok, fail dirs }

func stays(d dirs) outcome { return outcome{ok: d, fail: d} }

func (o outcome) any() dirs { return o.ok.with(o.fail) }

// placed notes the folders that a command may run in.
func (c *Command) placed(d dirs) {
	c.Dir, c.Dirs, c.DirUnknown = "", nil, d.unknown
	if len(d.list) > 0 {
		c.Dir = d.list[0]
	}
	if len(d.list) > 1 {
		c.Dirs = d.list
	}
}

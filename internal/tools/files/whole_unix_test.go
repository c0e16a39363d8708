//go:build unix

package files_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"
)

// shape is what a patch works on: names that are files or links.
type shape struct {
	files map[string]string
	links map[string]string
}

func (s shape) clone() shape { return shape{maps.Clone(s.files), maps.Clone(s.links)} }

// end is the name of the file that a name leads to.
func (s shape) end(name string) string {
	if to, ok := s.links[name]; ok {
		return to
	}
	return name
}

func (s shape) String() string { return fmt.Sprint(s.files, s.links) }

// start is the tree of the property test. Pair is one file with two names.
func start() shape {
	return shape{
		map[string]string{"a": "a", "b": "b", "pair1": "p", "pair2": "p", "d/x": "x", "wall": "w"},
		map[string]string{"la": "a", "lp": "pair1", "lost": "nowhere"},
	}
}

func (s shape) build(w *world) {
	for name, text := range s.files {
		if name != "pair2" {
			w.put(name, text+"\n")
		}
	}
	if err := os.Link(filepath.Join(w.dir, "pair1"), filepath.Join(w.dir, "pair2")); err != nil {
		w.Fatal(err)
	}
	for name, to := range s.links {
		w.link(to, name)
	}
}

// section is one section of a random patch, and what it makes of a shape; nil
// when it makes none.
func section(t *rapid.T, s shape, n int) (lines []string, after *shape) {
	names := []string{"a", "b", "pair1", "pair2", "d/x", "la", "lp", "lost", "new", "e/f/new", "nowhere"}
	name := rapid.SampledFrom(names).Draw(t, "name")
	text, next := fmt.Sprint("text", n), s.clone()
	at := next.end(name)
	old, exists := next.files[at]
	_, link := next.links[name]
	switch rapid.SampledFrom([]string{"add", "update", "delete", "move", "both"}).Draw(t, "kind") {
	case "add":
		next.files[at] = text
		return []string{"*** Add File: " + name, "+" + text}, &next
	case "update":
		next.files[at] = text
		if !exists {
			return []string{"*** Update File: " + name, "-x", "+y"}, nil
		}
		return []string{"*** Update File: " + name, "-" + old, "+" + text}, &next
	case "delete":
		if link {
			delete(next.links, name)
		} else {
			delete(next.files, name)
		}
		if !link && !exists {
			return []string{"*** Delete File: " + name}, nil
		}
		return []string{"*** Delete File: " + name}, &next
	case "move":
		return move(t, s, next, name, "", "")
	default:
		next.files[at] = text
		return move(t, s, next, name, old, text)
	}
}

// move is a section that renames, with a change when text is not empty.
func move(t *rapid.T, s, next shape, name, old, text string) ([]string, *shape) {
	to := rapid.SampledFrom([]string{"a", "b", "pair2", "la", "lost", "new", "d/new", "e/f/other"}).Draw(t, "to")
	lines := []string{"*** Update File: " + name, "*** Move to: " + to}
	if text != "" {
		lines = append(lines, "-"+old, "+"+text)
	}
	_, exists := s.files[s.end(name)]
	if target, link := next.links[name]; link {
		delete(next.links, name)
		_, file := next.files[to]
		_, other := next.links[to]
		if file || other || text != "" && !exists {
			return lines, nil
		}
		next.links[to] = target
		return lines, &next
	}
	if !exists || next.end(to) == name {
		return lines, nil
	}
	next.files[next.end(to)] = next.files[name]
	delete(next.files, name)
	return lines, &next
}

// A patch leaves what its sections say, one after the other, or every file and
// link itself as it was, whatever it failed at.
func TestPatchesAreWhole(t *testing.T) {
	t.Parallel()
	applied, refused := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t, nil)
		defer os.RemoveAll(w.dir)
		s := start()
		s.build(w)
		before := w.identities()
		var lines []string
		now := &s
		for n := range rapid.IntRange(1, 6).Draw(rt, "sections") {
			more, next := section(rt, *now, n)
			lines = append(lines, more...)
			if now = next; now == nil {
				break
			}
		}
		if rapid.Bool().Draw(rt, "fails") {
			lines, now = append(lines, "*** Add File: wall/below", "+x"), nil
		}
		_, err := w.try("apply_patch", patch(lines...))
		after := w.identities()
		switch {
		case err != nil:
			refused++
			if fmt.Sprint(before) != fmt.Sprint(after) {
				rt.Fatalf("%s\nfailed with %v, and left\n%v\nof\n%v", strings.Join(lines, "\n"), err, after, before)
			}
		case now == nil:
			rt.Fatalf("%s\nwas applied", strings.Join(lines, "\n"))
		default:
			applied++
			if got := w.shape(); got.String() != now.String() {
				rt.Fatalf("%s\nleft\n%v\nwant\n%v", strings.Join(lines, "\n"), got, now)
			}
		}
	})
	if applied+refused >= 100 && (applied == 0 || refused == 0) {
		t.Errorf("%d were applied, %d refused", applied, refused)
	}
}

// walk calls fn for every name in the world.
func (w *world) walk(fn func(rel, full string, info fs.FileInfo)) {
	w.Helper()
	err := filepath.WalkDir(w.dir, func(full string, d fs.DirEntry, err error) error {
		if err != nil || full == w.dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(w.dir, full)
		fn(rel, full, info)
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
}

// identities tell each name by its content and, where it has several names or
// is a link, by the very file.
func (w *world) identities() map[string]string {
	list := map[string]string{}
	w.walk(func(rel, full string, info fs.FileInfo) {
		text, _ := os.ReadFile(full) // a folder or a link to nothing has none
		list[rel] = fmt.Sprint(info.Mode(), " ", string(text))
		s := info.Sys().(*syscall.Stat_t)
		if info.Mode()&fs.ModeSymlink != 0 || info.Mode().IsRegular() && s.Nlink > 1 {
			list[rel] += fmt.Sprint(" ", s.Ino, " ", s.Nlink)
		}
	})
	return list
}

// shape is what stands in the world.
func (w *world) shape() shape {
	s := shape{map[string]string{}, map[string]string{}}
	w.walk(func(rel, full string, info fs.FileInfo) {
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			s.links[rel], _ = os.Readlink(full)
		case info.Mode().IsRegular():
			text, _ := os.ReadFile(full)
			s.files[rel] = strings.TrimSuffix(string(text), "\n")
		}
	})
	return s
}

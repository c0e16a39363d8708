//go:build unix

package files_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// link makes a symbolic link.
func (w *world) link(target, name string) {
	w.Helper()
	if err := os.Symlink(target, filepath.Join(w.dir, name)); err != nil {
		w.Fatal(err)
	}
}

// leads checks where a link leads.
func (w *world) leads(name, want string) {
	w.Helper()
	if got, err := os.Readlink(filepath.Join(w.dir, name)); err != nil || got != want {
		w.Errorf("%s leads to %q (%v), want %q", name, got, err, want)
	}
}

// only checks the names in the world's folder, so that nothing is left behind.
func (w *world) only(want ...string) {
	w.Helper()
	list, err := os.ReadDir(w.dir)
	if err != nil {
		w.Fatal(err)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		w.Errorf("the folder holds %q, want %q", got, want)
	}
}

// A name that is a link and the file that it leads to are two things: deleting
// or renaming the one leaves the other, in whatever order a patch names them.
func TestApplyPatchLinks(t *testing.T) {
	t.Parallel()
	update := []string{"*** Update File: target", "@@", "-t", "+T"}
	for _, c := range []struct {
		name   string
		lines  []string
		target string // its content afterwards; empty when it is gone
		link   string // where the link leads afterwards; empty when it is gone
		alias  string // the same of the name "alias"
	}{
		{"update, delete the link", append(update[:4:4], "*** Delete File: link"), "T\n", "", ""},
		{"delete the link, update", append([]string{"*** Delete File: link"}, update...), "T\n", "", ""},
		{"update through it, delete it", []string{"*** Update File: link", "@@", "-t", "+T", "*** Delete File: link"}, "T\n", "", ""},
		{"delete the link alone", []string{"*** Delete File: link"}, "t\n", "", ""},
		{"delete both", []string{"*** Delete File: link", "*** Delete File: target"}, "", "", ""},
		{"delete the target", []string{"*** Delete File: target"}, "", "target", ""},
		{"update, rename the link", append(update[:4:4], "*** Update File: link", "*** Move to: alias"), "T\n", "", "target"},
		{"rename the link, update", append([]string{"*** Update File: link", "*** Move to: alias"}, update...), "T\n", "", "target"},
		{"rename the link with a change", []string{"*** Update File: link", "*** Move to: alias", "@@", "-t", "+T"}, "T\n", "", "target"},
		{"rename the link, update by its new name", []string{"*** Update File: link", "*** Move to: alias", "*** Update File: alias", "@@", "-t", "+T"}, "T\n", "", "target"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, map[string]string{"target": "t\n"})
			w.link("target", "link")
			w.run("apply_patch", patch(c.lines...))
			if c.target == "" {
				w.missing("target")
			} else {
				w.holds("target", c.target)
			}
			for name, to := range map[string]string{"link": c.link, "alias": c.alias} {
				if to == "" {
					w.missing(name)
				} else {
					w.leads(name, to)
				}
			}
		})
	}
}

func TestApplyPatchDanglingLink(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.link("nowhere", "link")
	w.run("apply_patch", patch("*** Delete File: link"))
	w.only()
}

// What a name was that a patch deletes cannot be mixed with what it becomes.
func TestApplyPatchLinkUsedTwice(t *testing.T) {
	t.Parallel()
	for _, lines := range [][]string{
		{"*** Delete File: link", "*** Add File: link", "+x"},
		{"*** Delete File: link", "*** Delete File: link"},
		{"*** Delete File: link", "*** Update File: link", "-t", "+T"},
		{"*** Delete File: link", "*** Update File: other", "*** Move to: link"},
		{"*** Update File: link", "*** Move to: alias", "*** Add File: link", "+x"},
	} {
		w := newWorld(t, map[string]string{"target": "t\n", "other": "o\n"})
		w.link("target", "link")
		w.fails("apply_patch", patch(lines...), "nothing was changed", "link is deleted or renamed earlier in this patch")
		w.holds("target", "t\n")
		w.holds("other", "o\n")
		w.leads("link", "target")
	}
}

// What is taken back is what it was: a link is a link, a file with several
// names has them all, and nothing is left beside them.
func TestApplyPatchRollsBackLinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"one": "1\n", "three": "3\n", "target": "t\n", "dir/x": "x\n", "gone": "g\n", "gone2": "h\n"})
	w.link("target", "link")
	w.link("nowhere", "dangling")
	w.link("target", "moved")
	for from, to := range map[string]string{"one": "two", "three": "four"} {
		if err := os.Link(filepath.Join(w.dir, from), filepath.Join(w.dir, to)); err != nil {
			t.Fatal(err)
		}
	}
	before := w.inodes("one", "two", "three", "four", "link", "dangling", "gone", "gone2", "moved")
	if err := os.Chmod(filepath.Join(w.dir, "dir"), 0o755); err != nil {
		t.Fatal(err)
	}
	// The last step fails: the folder that the link is to go to is a file.
	w.fails("apply_patch", patch(
		"*** Delete File: link", "*** Delete File: dangling", "*** Delete File: one", "*** Delete File: gone",
		"*** Update File: three", "-3", "+three",
		"*** Update File: gone2", "*** Move to: dir/kept",
		"*** Update File: moved", "*** Move to: dir/x/below",
	), "taken back, so nothing is changed")
	w.leads("link", "target")
	w.leads("dangling", "nowhere")
	w.leads("moved", "target")
	w.holds("one", "1\n")
	w.holds("three", "3\n")
	w.holds("target", "t\n")
	after := w.inodes("one", "two", "three", "four", "link", "dangling", "gone", "gone2", "moved")
	for name, was := range before {
		if after[name] != was {
			t.Errorf("%s was %s, is %s", name, was, after[name])
		}
	}
	w.only("dangling", "dir", "four", "gone", "gone2", "link", "moved", "one", "target", "three", "two")
}

// inodes are the identities of names, with how many names each has.
func (w *world) inodes(names ...string) map[string]string {
	w.Helper()
	list := map[string]string{}
	for _, name := range names {
		info, err := os.Lstat(filepath.Join(w.dir, name))
		if err != nil {
			w.Error(err)
			continue
		}
		s := info.Sys().(*syscall.Stat_t)
		list[name] = fmt.Sprint(s.Ino, " with ", s.Nlink, " names")
	}
	return list
}

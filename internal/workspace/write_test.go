package workspace_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"assent/internal/workspace"
)

// EDIT-15: one write helper, and it keeps the mode.
func TestWriteKeepsTheMode(t *testing.T) {
	t.Parallel()
	w, dir := open(t, map[string]string{"run.sh": "old", "private": "old"})
	for name, mode := range map[string]fs.FileMode{"run.sh": 0o755, "private": 0o600} {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
		write(t, w, name, "new")
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode() != mode || content(t, dir, name) != "new" {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
	if err := w.Write(resolve(t, w, "private"), nil, 0o640); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(filepath.Join(dir, "private")); info.Mode() != 0o640 {
		t.Errorf("a given mode: %v", info.Mode())
	}
	if got := names(t, dir); !slices.Equal(got, []string{"private", "run.sh"}) {
		t.Errorf("left behind: %v", got)
	}
}

func TestWriteMakesParents(t *testing.T) {
	t.Parallel()
	w, dir := open(t, map[string]string{"file": "x"})
	write(t, w, "a/b/c.txt", "hello\n")
	if got := content(t, dir, "a/b/c.txt"); got != "hello\n" {
		t.Errorf("got %q", got)
	}
	if err := w.Write(resolve(t, w, "file/sub/x"), nil, 0); err == nil {
		t.Error("a file was taken for a folder")
	}
	if err := w.Write(resolve(t, w, "a/b"), nil, 0); kind(err) != workspace.KindDirectory {
		t.Errorf("over a folder: %v", err)
	}
}

// EDIT-16: a link is followed and stays one; a hard link is told.
func TestWriteFollowsLinks(t *testing.T) {
	t.Parallel()
	w, dir := open(t, map[string]string{"real/target": "old", "one": "1"})
	link(t, "real/target", filepath.Join(dir, "short"))
	link(t, "real/fresh", filepath.Join(dir, "dangling"))
	write(t, w, "short", "new")
	write(t, w, "dangling", "made")
	for _, name := range []string{"short", "dangling"} {
		if info, err := os.Lstat(filepath.Join(dir, name)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more (%v)", name, err)
		}
	}
	if content(t, dir, "real/target") != "new" || content(t, dir, "real/fresh") != "made" {
		t.Error("the targets were not written")
	}
	if err := os.Link(filepath.Join(dir, "one"), filepath.Join(dir, "two")); err != nil {
		t.Skip(err)
	}
	f, err := w.Read(resolve(t, w, "one"), 0)
	if err != nil || f.HardLinks != 2 && hardLinksKnown {
		t.Errorf("hard links: %d %v", f.HardLinks, err)
	}
	if f, _ := w.Read(resolve(t, w, "short"), 0); !f.Link || f.Path.RealRel != "real/target" {
		t.Errorf("%+v", f.Path)
	}
}

func kind(err error) string {
	if k, ok := errors.AsType[*workspace.KindError](err); ok {
		return k.Kind
	}
	return ""
}

func TestReadRefusesByKind(t *testing.T) {
	t.Parallel()
	w, dir := open(t, map[string]string{"big": strings.Repeat("x", 1000), "dir/a": ""})
	if _, err := w.Read(resolve(t, w, "big"), 999); kind(err) != workspace.KindTooLarge || !strings.Contains(err.Error(), "1000 bytes") {
		t.Errorf("too large: %v", err)
	}
	if _, err := w.Read(resolve(t, w, "big"), 1000); err != nil {
		t.Errorf("exactly at the limit: %v", err)
	}
	if _, err := w.Read(resolve(t, w, "dir"), 0); kind(err) != workspace.KindDirectory {
		t.Errorf("folder: %v", err)
	}
	if _, err := w.Read(resolve(t, w, "none"), 0); !errors.Is(err, fs.ErrNotExist) || err.Error() != "read none: no such file or directory" && hardLinksKnown {
		t.Errorf("missing: %v", err)
	}
	if err := w.Remove(resolve(t, w, "dir")); kind(err) != workspace.KindDirectory {
		t.Errorf("remove folder: %v", err)
	}
	if len(names(t, filepath.Join(dir, "dir"))) != 1 {
		t.Error("the folder was emptied")
	}
}

func TestMove(t *testing.T) {
	t.Parallel()
	w, dir := open(t, map[string]string{"a": "a", "b": "b", "d/x": "x", "keep/me": "m"})
	link(t, "keep/me", filepath.Join(dir, "short"))
	link(t, "keep", filepath.Join(dir, "kept"))
	link(t, "me", filepath.Join(dir, "keep/inner"))
	if err := w.Move(resolve(t, w, "a"), resolve(t, w, "new/place/a")); err != nil {
		t.Fatal(err)
	}
	if content(t, dir, "new/place/a") != "a" || slices.Contains(names(t, dir), "a") {
		t.Error("not moved")
	}
	if err := w.Move(resolve(t, w, "new/place/a"), resolve(t, w, "b")); !errors.Is(err, fs.ErrExist) || content(t, dir, "b") != "b" {
		t.Errorf("over a file: %v", err)
	}
	if err := w.Move(resolve(t, w, "d"), resolve(t, w, "e")); kind(err) != workspace.KindDirectory {
		t.Errorf("a folder: %v", err)
	}
	if err := w.Move(resolve(t, w, "none"), resolve(t, w, "deep/er/e")); !errors.Is(err, fs.ErrNotExist) || slices.Contains(names(t, dir), "deep") {
		t.Errorf("nothing: %v, %v", err, names(t, dir))
	}
	if err := w.Move(resolve(t, w, "short"), resolve(t, w, "renamed")); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(filepath.Join(dir, "renamed")); err != nil || to != "keep/me" {
		t.Errorf("the link was not moved itself: %q %v", to, err)
	}
	if err := w.Remove(resolve(t, w, "kept/inner")); !errors.Is(err, workspace.ErrUnnamed) {
		t.Errorf("a link below a link: %v", err)
	}
	if err := w.Remove(resolve(t, w, "renamed")); err != nil || content(t, dir, "keep/me") != "m" {
		t.Errorf("removing a link: %v", err)
	}
}

// A folder that is swapped for a link to the outside, over and over, lets
// nothing out and nothing in.
func TestSwappedFolders(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	fill(t, outside, map[string]string{"f": "secret"})
	w, dir := open(t, map[string]string{"d/f": "inside", "git/f": "guarded"})
	link(t, outside, filepath.Join(dir, "out"))
	link(t, "git", filepath.Join(dir, "in"))
	p := resolve(t, w, "d/f")
	done := make(chan struct{})
	var swap sync.WaitGroup
	swap.Go(func() {
		at := func(n string) string { return filepath.Join(dir, n) }
		for {
			for _, l := range []string{"out", "in"} {
				select {
				case <-done:
					return
				default:
				}
				_ = os.Rename(at("d"), at("d.real"))
				_ = os.Rename(at(l), at("d"))
				_ = os.Rename(at("d"), at(l))
				_ = os.Rename(at("d.real"), at("d"))
			}
		}
	})
	reads, writes := 0, 0
	for range 600 {
		if f, err := w.Read(p, 0); err == nil {
			reads++
			if s := string(f.Data); s != "inside" {
				t.Fatalf("read %q", s)
			}
		}
		if err := w.Write(p, []byte("inside"), 0); err == nil {
			writes++
		}
		_, _ = w.List(resolve(t, w, "d"))
	}
	close(done)
	swap.Wait()
	if got := names(t, outside); !slices.Equal(got, []string{"f"}) || content(t, outside, "f") != "secret" || content(t, dir, "git/f") != "guarded" {
		t.Errorf("something got out: %v", got)
	}
	t.Logf("%d reads, %d writes came through", reads, writes)
}

func TestLinkThatAppears(t *testing.T) {
	t.Parallel()
	w, dir := open(t, map[string]string{"a": "a", "b": "b", "d/x": "x"})
	a, x, fresh := resolve(t, w, "a"), resolve(t, w, "d/x"), resolve(t, w, "fresh")
	for _, name := range []string{"a", "d/x"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	link(t, "b", filepath.Join(dir, "a"))
	link(t, "b", filepath.Join(dir, "fresh"))
	if err := os.Remove(filepath.Join(dir, "d")); err != nil {
		t.Fatal(err)
	}
	link(t, ".", filepath.Join(dir, "d"))
	for what, err := range map[string]error{
		"file": w.Write(a, []byte("!"), 0), "folder": w.Write(x, []byte("!"), 0), "new": w.Write(fresh, []byte("!"), 0),
	} {
		if !errors.Is(err, workspace.ErrChanged) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := w.Read(a, 0); !errors.Is(err, workspace.ErrChanged) {
		t.Errorf("read: %v", err)
	}
	if content(t, dir, "b") != "b" {
		t.Error("written through a link that nobody judged")
	}
}

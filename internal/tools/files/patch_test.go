package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func patch(lines ...string) args {
	return args{"patch": "*** Begin Patch\n" + strings.Join(lines, "\n") + "\n*** End Patch\n"}
}

func TestApplyPatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{
		"up": "a\r\nb\r\nc\r\n", "del": "x\n", "from": "1\n2\n", "pure": "\x00\x01", "over": "old\r\n", "target": "t\n", "into": "z\n",
	})
	if err := os.Chmod(filepath.Join(w.dir, "from"), 0o755); err != nil {
		t.Fatal(err)
	}
	r := w.run("apply_patch", patch(
		"*** Add File: new/file", "+one", "+two",
		"*** Update File: up", "@@", " a", "-b", "+B", " c",
		"*** Delete File: del",
		"*** Update File: from", "*** Move to: moved/to", "@@", "-2", "+two",
		"*** Update File: pure", "*** Move to: renamed",
		"*** Add File: over", "+new",
		"*** Update File: target", "*** Move to: into", "@@", "-t", "+T",
	))
	w.holds("new/file", "one\ntwo\n")
	w.holds("up", "a\r\nB\r\nc\r\n")
	w.missing("del")
	w.missing("from")
	w.holds("moved/to", "1\ntwo\n")
	w.missing("pure")
	w.holds("renamed", "\x00\x01")
	w.holds("over", "new\r\n")
	w.missing("target")
	w.holds("into", "T\n")
	if info, err := os.Stat(filepath.Join(w.dir, "moved/to")); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("mode: %v %v", info.Mode(), err)
	}
	w.says(r, "Applied the patch:\nA new/file\nM up, 1 change\nD del\nR from → moved/to, 1 change\nR pure → renamed\nA over (replaced a file of 1 line)\nR target → into, 1 change (replaced a file of 1 line)", "\n\nup:\n1→a\n2→B\n3→c")
	if r.Summary != "7 files, +6 -6" {
		t.Error(r.Summary)
	}
}

func TestApplyPatchSections(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"f": "a\nb\n", "x": "1\n"})
	w.run("apply_patch", patch("*** Update File: f", "-a", "+A", "*** Update File: ./f", "-b", "+B")) // twice, each on what the other left
	w.holds("f", "A\nB\n")
	w.run("apply_patch", patch("*** Update File: f", "*** Move to: g", "-A", "+1", "*** Update File: g", "*** Move to: h", "-B", "+2", "*** Add File: f", "+again"))
	w.holds("h", "1\n2\n")
	w.holds("f", "again\n")
	w.missing("g")
	r := w.run("apply_patch", args{"patch": "<<'EOF'\n*** Begin Patch\n*** Update File: x\n@@\n@@\n-  1\n+2\n*** End Patch\nEOF"}) // EDIT-23
	w.holds("x", "2\n")
	w.says(r, "M x, 1 change (tolerant match (indentation differs;")
}

// All files or none: a patch with one bad section changes nothing.
func TestApplyPatchIsWhole(t *testing.T) {
	t.Parallel()
	contents := map[string]string{"a": "1\n", "b": "2\n", "latin": "caf\xE9\n", "bin": "\x00"}
	w := newWorld(t, contents)
	good := []string{"*** Update File: a", "-1", "+one", "*** Add File: new", "+x"}
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"EDIT-28 lines not there": {[]string{"*** Update File: b", "-3", "+x"}, "b: change 1 of 1 (line 8 of the patch): its lines were not found"},
		"no such file":            {[]string{"*** Update File: c", "-3", "+x"}, "c: no such file"},
		"nothing to delete":       {[]string{"*** Delete File: c"}, "c: no such file"},
		"not to be stored":        {[]string{"*** Update File: latin", "-café", "+→"}, "cannot hold"},
		"binary":                  {[]string{"*** Update File: bin", "-x", "+y"}, "binary"},
		"onto itself":             {[]string{"*** Update File: b", "*** Move to: ./b"}, "the same file"},
		"EDIT-21 malformed":       {[]string{"*** Update File: b", "oops"}, `malformed patch at line 8: got "oops"`},
	} {
		w.fails("apply_patch", patch(append(slices.Clone(good), c.lines...)...), "nothing was changed", c.want)
		for f, text := range contents {
			w.holds(f, text)
		}
		w.missing("new")
		if t.Failed() {
			t.Fatal(name)
		}
	}
	w.fails("apply_patch", patch("*** Update File: a", "-1", "+1"), "already as the patch would leave them")
}

// A file that is renamed and made anew is two files, whatever its size.
func TestApplyPatchRenamesAndMakesAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"a": "old\n", "huge": ""})
	if err := os.Truncate(filepath.Join(w.dir, "huge"), 70_000_000); err != nil {
		t.Fatal(err)
	}
	w.run("apply_patch", patch(
		"*** Update File: a", "*** Move to: b", "*** Add File: a", "+new",
		"*** Update File: huge", "*** Move to: moved", "*** Add File: huge", "+small",
	))
	w.holds("a", "new\n")
	w.holds("b", "old\n")
	w.holds("huge", "small\n")
	if info, err := os.Stat(filepath.Join(w.dir, "moved")); err != nil || info.Size() != 70_000_000 {
		t.Errorf("%v %v", info, err)
	}
}

// A rename onto a file is held to the rules of replacing it.
func TestApplyPatchRenamesOntoAFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"from": "f\n", "stale": "a\nb\n", "bin": "\x00\x01"})
	w.run("read_file", args{"path": "stale"})
	w.put("stale", "a\nB\n")
	w.fails("apply_patch", patch("*** Update File: from", "*** Move to: stale"), "stale changed since you read it, so it is not replaced", "-b\n+B")
	w.holds("stale", "a\nB\n")
	w.fails("apply_patch", patch("*** Update File: from", "*** Move to: bin"), "binary", "left as it is; delete it first")
	w.holds("bin", "\x00\x01")
	w.holds("from", "f\n")
	w.run("read_file", args{"path": "stale"})
	r := w.run("apply_patch", patch("*** Update File: from", "*** Move to: stale"))
	w.says(r, "R from → stale (replaced a file of 2 lines)")
	w.holds("stale", "f\n")
	w.missing("from")
	w.put("twice", "t\n")
	w.run("apply_patch", patch("*** Delete File: bin", "*** Update File: twice", "*** Move to: bin")) // said in so many words
	w.holds("bin", "t\n")
}

// What a patch only deletes or renames is not read, so it may be of any size.
func TestApplyPatchDoesNotReadWhatItMoves(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"large": "", "huge": "", "edited": ""})
	for _, name := range []string{"large", "huge", "edited"} {
		if err := os.Truncate(filepath.Join(w.dir, name), 70_000_000); err != nil {
			t.Fatal(err)
		}
	}
	w.run("apply_patch", patch("*** Delete File: large", "*** Update File: huge", "*** Move to: moved"))
	w.missing("large")
	w.missing("huge")
	if info, err := os.Stat(filepath.Join(w.dir, "moved")); err != nil || info.Size() != 70_000_000 {
		t.Errorf("%v %v", info, err)
	}
	w.put("wall", "a file\n")
	w.fails("apply_patch", patch(
		"*** Delete File: edited", "*** Add File: edited", "*** Delete File: moved", "*** Add File: moved", "+small",
		"*** Add File: wall/below", "+x",
	), "taken back, so nothing is changed")
	for _, name := range []string{"edited", "moved"} {
		if info, err := os.Stat(filepath.Join(w.dir, name)); err != nil || info.Size() != 70_000_000 {
			t.Errorf("%v %v", info, err)
		}
	}
	w.fails("apply_patch", patch("*** Update File: edited", "-x", "+y"), "edited is too large (70.0 MB, at most 20.0 MB)")
}

// A write that fails half-way takes back what was written before it.
func TestApplyPatchRollsBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"a": "1\n", "gone": "g\n", "mv": "m\n", "wall": "a file\n"})
	if err := errors.Join(os.Chmod(filepath.Join(w.dir, "a"), 0o750), os.Mkdir(filepath.Join(w.dir, "kept"), 0o755)); err != nil {
		t.Fatal(err)
	}
	w.fails("apply_patch", patch(
		"*** Update File: mv", "*** Move to: sub/mv", "-m", "+M",
		"*** Update File: a", "-1", "+one",
		"*** Add File: fresh", "+x",
		"*** Add File: deep/er/new", "+x",
		"*** Add File: kept/new", "+x",
		"*** Delete File: gone",
		"*** Add File: wall/below", "+x", // its folder is a file: found out when it is written
	), "taken back, so nothing is changed")
	w.holds("a", "1\n")
	w.holds("gone", "g\n")
	w.holds("mv", "m\n")
	w.holds("wall", "a file\n")
	w.missing("fresh")
	w.missing("sub") // the folders that were made go as well, and no others
	w.missing("deep")
	if got, err := os.ReadDir(filepath.Join(w.dir, "kept")); err != nil || len(got) != 0 {
		t.Errorf("an empty folder that was there: %v %v", got, err)
	}
	if info, err := os.Stat(filepath.Join(w.dir, "a")); err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("%v %v", info, err)
	}
}

func TestApplyPatchToChangedFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"f": "a\nb\nc\n"})
	w.run("read_file", args{"path": "f"})
	w.put("f", "A\nb\nc\n")
	w.fails("apply_patch", patch("*** Add File: f", "+mine"), "changed since you read it", "+A")
	w.fails("apply_patch", patch("*** Update File: f", " a", "-b", "+B"), "not found", "changed since you read it", "-a\n+A")
	w.says(w.run("apply_patch", patch("*** Update File: f", " b", "-c", "+C")), "f had moved on since you read it")
	w.holds("f", "A\nb\nC\n")
}

// The diff of a patch, which is what the user is asked about, leaves no section
// out: not one that deletes what is no text or may not be read, a link or an
// empty file, nor a new name.
func TestADiffTellsEverySection(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"a.txt": "one\n", "pic.bin": "\x00\x01\xff", ".env": "K=secret\n", "old.txt": "x\n", "empty": "", "gone.txt": "text\n"})
	r := w.run("apply_patch", map[string]string{"patch": `*** Begin Patch
*** Update File: a.txt
@@
-one
+two
*** Delete File: pic.bin
*** Delete File: .env
*** Delete File: empty
*** Delete File: gone.txt
*** Update File: old.txt
*** Move to: new.txt
*** Add File: made
*** End Patch`})
	for _, want := range []string{"+two\n", "\\ D pic.bin\n", "\\ D .env\n", "\\ D empty\n", "\\ D gone.txt\n", "\\ R old.txt → new.txt\n", "\\ A made\n"} {
		if !strings.Contains(r.Diff, want) {
			t.Errorf("%q lacks %q", r.Diff, want)
		}
	}
	if strings.Contains(r.Diff, "secret") || strings.Contains(r.Diff, `\ M a.txt`) {
		t.Errorf("diff %q", r.Diff)
	}
}

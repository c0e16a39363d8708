package whole_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"assent/internal/whole"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// only asserts that a folder holds these names and nothing else.
func only(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
}

func TestReplaceKeepsOrSetsTheMode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name             string
		before, ask, got fs.FileMode // before 0: no file
	}{
		{"new", 0, 0, 0o600},
		{"new with a mode", 0, 0o640, 0o640},
		{"kept", 0o644, 0, 0o644},
		{"set", 0o644, 0o600, 0o600},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			name := filepath.Join(dir, "file")
			if c.before != 0 {
				if err := errors.Join(os.WriteFile(name, []byte("old, and longer"), 0o600), os.Chmod(name, c.before)); err != nil {
					t.Fatal(err)
				}
			}
			if err := whole.Replace(name, []byte("new"), c.ask); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(name)
			if err != nil || info.Mode().Perm() != c.got && runtime.GOOS != "windows" {
				t.Errorf("mode %v, %v; want %v", info.Mode(), err, c.got)
			}
			if got := read(t, name); got != "new" {
				t.Errorf("content %q", got)
			}
			only(t, dir, "file")
		})
	}
}

func TestAnErrorNamesTheFileAndLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "folder")
	if err := os.MkdirAll(filepath.Join(name, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{name, filepath.Join(dir, "none", "file")} {
		err := whole.Replace(name, []byte("x"), 0)
		if err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), ".new-") {
			t.Errorf("error is %v", err)
		}
	}
	only(t, dir, "folder")
}

func TestOneOfManyClaimsAName(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	var won, lost int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			err := whole.Claim(name, []byte("mine"), 0o600)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				won++
			case errors.Is(err, fs.ErrExist) && !strings.Contains(err.Error(), ".new-"):
				lost++
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if won != 1 || lost != 7 || read(t, name) != "mine" {
		t.Errorf("%d won, %d lost", won, lost)
	}
	only(t, dir, "file")
}

// TestLeftoversGo: at once for who holds the lock, after an hour for everybody,
// and never those of another name, a link or a folder.
func TestLeftoversGo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "keys.json")
	for _, n := range []string{".keys.json.new-old", ".keys.json.new-fresh", ".other.json.new-old", "keys.json.new-mine"} {
		if err := os.WriteFile(filepath.Join(dir, n), []byte("secret"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".keys.json.new-folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	past := time.Now().Add(-2 * time.Hour)
	for _, n := range []string{".keys.json.new-old", ".other.json.new-old"} {
		if err := os.Chtimes(filepath.Join(dir, n), past, past); err != nil {
			t.Fatal(err)
		}
	}
	if err := whole.Replace(name, []byte("{}"), 0); err != nil {
		t.Fatal(err)
	}
	only(t, dir, ".keys.json.new-folder", ".keys.json.new-fresh", ".other.json.new-old", "keys.json", "keys.json.new-mine")
	if err := whole.Sweep(name); err != nil {
		t.Fatal(err)
	}
	only(t, dir, ".keys.json.new-folder", ".other.json.new-old", "keys.json", "keys.json.new-mine")
	if err := whole.Sweep(filepath.Join(dir, "none", "file")); err != nil {
		t.Error(err)
	}
}

// A mode that is not given is that of a file for the user alone, for whoever
// claims a name too.
func TestClaimHasAMode(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "file")
	if err := whole.Claim(name, []byte("mine"), 0); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// Also where a folder holds more than a glance takes in, for who replaces a file.
func TestLeftoversGoFromALargeFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range 3000 {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	left, past := filepath.Join(dir, ".7.new-OLD"), time.Now().Add(-2*time.Hour)
	if err := errors.Join(os.WriteFile(left, []byte("x"), 0o600), os.Chtimes(left, past, past)); err != nil {
		t.Fatal(err)
	}
	if err := whole.Replace(filepath.Join(dir, "7"), []byte("new"), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(left); err == nil {
		t.Error("it is still there")
	}
}

// A sweep of a folder knows its own files and takes nobody else's.
func TestTheSweepOfAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	past := time.Now().Add(-2 * time.Hour)
	for _, n := range []string{".a.txt.new-OLD", ".b.new-FRESH", ".gitignore", ".new-", "c.new-OLD", "d"} {
		if err := os.WriteFile(filepath.Join(dir, n), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if n != ".b.new-FRESH" {
			if err := os.Chtimes(filepath.Join(dir, n), past, past); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := whole.SweepFolder(dir, time.Hour); err != nil {
		t.Fatal(err)
	}
	only(t, dir, ".b.new-FRESH", ".gitignore", ".new-", "c.new-OLD", "d")
	if err := errors.Join(whole.SweepFolder(dir, 0), whole.SweepFolder(filepath.Join(dir, "none"), 0)); err != nil {
		t.Fatal(err)
	}
	only(t, dir, ".gitignore", ".new-", "c.new-OLD", "d")
}

func TestMkdirMakesWhatIsMissing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b", "c")
	for range 2 {
		if err := whole.Mkdir(dir); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 && runtime.GOOS != "windows" {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := whole.Replace(filepath.Join(dir, "file"), nil, 0); err != nil {
		t.Fatal(err)
	}
	if err := whole.Mkdir(filepath.Join(dir, "file", "x")); err == nil {
		t.Error("a folder below a file")
	}
}

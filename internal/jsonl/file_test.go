package jsonl_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"assent/internal/jsonl"
	"assent/internal/lock"
)

func lines(tb testing.TB, path string) (got []string, faults []jsonl.Fault) {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return scan(data)
}

// scan reads what a reader of records would accept.
func scan(data []byte) (got []string, faults []jsonl.Fault) {
	s := jsonl.NewScanner(bytes.NewReader(data))
	for {
		l, ok := s.Next()
		if !ok {
			return got, append(faults, s.Faults()...)
		}
		if !json.Valid(l.Data) {
			faults = append(faults, l.Fault(jsonl.Malformed))
			continue
		}
		got = append(got, string(l.Data))
	}
}

func create(tb testing.TB) (*jsonl.File, string) {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "a", "b", "log.jsonl")
	f, err := jsonl.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = f.Close() })
	return f, path
}

func appendLines(tb testing.TB, f *jsonl.File, from, to int) {
	tb.Helper()
	for i := from; i < to; i++ {
		if err := f.Append(fmt.Appendf(nil, `{"n":%d}`, i), false); err != nil {
			tb.Fatal(err)
		}
	}
}

func TestAppendedLinesAreRead(t *testing.T) {
	t.Parallel()
	f, path := create(t)
	appendLines(t, f, 0, 3)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatalf("second close: %v", err)
	}
	f, err := jsonl.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	appendLines(t, f, 3, 5)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	got, faults := lines(t, path)
	if want := `{"n":0} {"n":1} {"n":2} {"n":3} {"n":4}`; strings.Join(got, " ") != want || faults != nil {
		t.Fatalf("got %q %v", got, faults)
	}
}

func TestOnlyOneLineAtATime(t *testing.T) {
	t.Parallel()
	f, path := create(t)
	for _, bad := range []string{"", "a\nb", "{}\n"} {
		if err := f.Append([]byte(bad), false); err == nil {
			t.Errorf("append %q: no error", bad)
		}
	}
	if b, _ := os.ReadFile(path); len(b) != 0 {
		t.Fatalf("file holds %q", b)
	}
}

// What is acknowledged can be read back: a line that no reader hands out is
// refused.
func TestALineThatIsTooLongIsRefused(t *testing.T) {
	t.Parallel()
	f, path := create(t)
	if err := f.Append(bytes.Repeat([]byte("x"), jsonl.MaxLine+1), false); err == nil {
		t.Error("no error")
	}
	appendLines(t, f, 0, 1)
	if got, faults := lines(t, path); len(got) != 1 || faults != nil {
		t.Errorf("%d lines, %v", len(got), faults)
	}
}

// SEC-13: nobody else on the machine reads the files.
func TestFilesArePrivate(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("permission bits")
	}
	_, path := create(t)
	for name, want := range map[string]os.FileMode{
		path: 0o600, path + ".lock": 0o600, filepath.Dir(path): 0o700, filepath.Dir(filepath.Dir(path)): 0o700,
	} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s: mode %o, want %o", filepath.Base(name), got, want)
		}
	}
}

func TestCreateRefusesAnExistingFile(t *testing.T) {
	t.Parallel()
	f, path := create(t)
	appendLines(t, f, 0, 1)
	_ = f.Close()
	if _, err := jsonl.Create(path); !errors.Is(err, os.ErrExist) {
		t.Fatalf("err = %v", err)
	}
	if _, err := jsonl.Open(path + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("err = %v", err)
	}
	if _, err := os.Stat(path + "x.lock"); err == nil {
		t.Error("opening what is not there left a lock file")
	}
}

// Several who each make a file in one folder, and take the folder away with the
// last file, do not keep one another from it.
func TestCreateWhileTheFolderIsTakenAway(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "project")
	var all sync.WaitGroup
	for i := range 4 {
		path := filepath.Join(dir, fmt.Sprintf("%d.jsonl", i))
		all.Go(func() {
			for range 300 {
				f, err := jsonl.Create(path)
				if err != nil {
					t.Error(err)
					return
				}
				if err := errors.Join(os.Remove(path), f.Discard()); err != nil {
					t.Error(err)
					return
				}
				_ = os.Remove(dir) // it fails while something is in it
			}
		})
	}
	all.Wait()
}

func TestATornTailIsCutByTheNextAppendOnly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		content, after string
		cut            int64
	}{
		"torn":                        {"{\"n\":0}\n{\"n\":1", "{\"n\":0}\n{\"new\":1}\n", 6},
		"whole without its line end":  {"{\"n\":0}\n{\"n\":1}", "{\"n\":0}\n{\"n\":1}\n{\"new\":1}\n", 0},
		"nothing but a torn line":     {"{\"n", "{\"new\":1}\n", 3},
		"zeros of a power cut":        {"{\"n\":0}\n\x00\x00\x00", "{\"n\":0}\n{\"new\":1}\n", 3},
		"a number is not a record":    {"{\"n\":0}\n12", "{\"n\":0}\n{\"new\":1}\n", 2},
		"blanks":                      {"{\"n\":0}\n  ", "{\"n\":0}\n  {\"new\":1}\n", 0},
		"empty":                       {"", "{\"new\":1}\n", 0},
		"a torn line of several kB":   {"{\"n\":0}\n{\"" + strings.Repeat("z", 50_000), "{\"n\":0}\n{\"new\":1}\n", 50_002},
		"bad line in the middle kept": {"{\"n\n{\"n\":1}\n", "{\"n\n{\"n\":1}\n{\"new\":1}\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "log.jsonl")
			if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := jsonl.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if b, _ := os.ReadFile(path); string(b) != c.content {
				t.Fatalf("opening changed the file to %q", b)
			}
			if err := f.Append([]byte(`{"new":1}`), true); err != nil {
				t.Fatal(err)
			}
			if b, _ := os.ReadFile(path); string(b) != c.after {
				t.Fatalf("got %q\nwant %q", b, c.after)
			}
			if f.Cut() != c.cut {
				t.Errorf("cut %d bytes, want %d", f.Cut(), c.cut)
			}
		})
	}
}

// A process may die after any byte: what was acknowledged before stays, and
// the next process goes on.
func TestKilledAtEveryByte(t *testing.T) {
	t.Parallel()
	var whole []byte
	var ends []int // length of the file after each acknowledged line
	for i := range 12 {
		whole = fmt.Appendf(whole, `{"n":%d,"text":"é%s"}`+"\n", i, strings.Repeat("-", i*3))
		ends = append(ends, len(whole))
	}
	path := filepath.Join(t.TempDir(), "log.jsonl")
	for size := range len(whole) + 1 {
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		acknowledged := 0
		for _, end := range ends {
			if end <= size {
				acknowledged++
			}
		}
		f, err := jsonl.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Append([]byte(`{"next":1}`), false); err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
		got, faults := lines(t, path)
		// A line that is whole but for its line end is kept as well.
		if n := len(got) - 1; n != acknowledged && n != acknowledged+1 {
			t.Fatalf("cut at %d: %d lines, %d were acknowledged", size, n, acknowledged)
		}
		if len(faults) > 0 || got[len(got)-1] != `{"next":1}` {
			t.Fatalf("cut at %d: faults %v, last line %q", size, faults, got[len(got)-1])
		}
	}
}

// SESS-01: damage at any byte costs the line it is in, and no other.
func TestDamageAtEveryByte(t *testing.T) {
	t.Parallel()
	var data []byte
	for i := range 6 {
		data = fmt.Appendf(data, `{"n":%d}`+"\n", i)
	}
	for at := range data {
		for _, b := range []byte{0, '\n', '"', 0xff, '}'} {
			broken := bytes.Clone(data)
			broken[at] = b
			got, _ := scan(broken)
			have := map[string]bool{}
			for _, l := range got {
				have[l] = true
			}
			lost := 0
			for i := range 6 {
				if !have[fmt.Sprintf(`{"n":%d}`, i)] {
					lost++
				}
			}
			// A lost line end joins two lines.
			if limit := 1 + bytes.Count(data[at:at+1], []byte("\n")); lost > limit {
				t.Fatalf("byte %d = %q: lost %d lines of %q", at, b, lost, broken)
			}
		}
	}
}

func role(t *testing.T, name, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "JSONL_TEST_ROLE="+name, "JSONL_TEST_FILE="+path)
	return cmd
}

func TestTenProcessesNeverInterleave(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "shared.jsonl")
	var wg sync.WaitGroup
	for range 10 {
		cmd := role(t, "shared", path)
		wg.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	wg.Wait()
	got, faults := lines(t, path)
	if len(got) != 10*sharedLines || faults != nil {
		t.Fatalf("%d lines, faults %v", len(got), faults)
	}
	next := map[int]int{}
	for _, l := range got {
		var r struct{ PID, N int }
		if err := json.Unmarshal([]byte(l), &r); err != nil {
			t.Fatal(err)
		}
		if r.N != next[r.PID] {
			t.Fatalf("process %d: line %d came at place %d", r.PID, r.N, next[r.PID])
		}
		next[r.PID]++
	}
}

func TestASecondProcessIsToldWhoHoldsTheFile(t *testing.T) {
	t.Parallel()
	f, path := create(t)
	_ = f.Close()
	cmd := role(t, "hold", path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	_, err = jsonl.Open(path)
	var locked *lock.HeldError
	if !errors.As(err, &locked) {
		t.Fatalf("err = %v", err)
	}
	if locked.PID != cmd.Process.Pid || locked.Since.IsZero() || !strings.Contains(err.Error(), fmt.Sprint(locked.PID)) {
		t.Errorf("err = %v", err)
	}
	if !lock.Held(path) {
		t.Error("not held")
	}
	// Reading needs no lock.
	if got, _ := lines(t, path); len(got) != 1 {
		t.Errorf("got %q", got)
	}
	_ = in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if lock.Held(path) {
		t.Error("held after its process ended")
	}
	again, err := jsonl.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestALockIsGoneWithItsProcess(t *testing.T) {
	t.Parallel()
	f, path := create(t)
	_ = f.Close()
	cmd := role(t, "hold", path)
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	_ = in.Close()
	again, err := jsonl.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if got, _ := lines(t, path); len(got) != 1 {
		t.Errorf("the synced line of a killed process: %q", got)
	}
}

func TestConcurrentAppends(t *testing.T) {
	t.Parallel()
	f, path := create(t)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 50 {
				if err := f.Append(fmt.Appendf(nil, `{"g":%d,"i":%d}`, g, i), false); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got, faults := lines(t, path); len(got) != 400 || faults != nil {
		t.Fatalf("%d lines, %v", len(got), faults)
	}
}

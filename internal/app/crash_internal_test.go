package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/whole/wholetest"
)

// A panic leaves a report that its message names, for the user alone.
func TestACrashIsReported(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	a := New(Env{Version: "1.2.3", Lookup: func(name string) (string, bool) { return home, name == "ASSENT_HOME" || name == "HOME" }})
	err := a.Crash("broken\ninside", []byte("goroutine 7"))
	files, _ := filepath.Glob(filepath.Join(home, "*", "crashes", "*.txt"))
	if more, _ := filepath.Glob(filepath.Join(home, "crashes", "*.txt")); len(files) == 0 {
		files = more
	}
	if len(files) != 1 || !strings.Contains(err.Error(), files[0]) || strings.Contains(err.Error(), "\n") {
		t.Fatalf("%v, reports %v", err, files)
	}
	text, readErr := os.ReadFile(files[0])
	if readErr != nil {
		t.Fatal(readErr)
	}
	for _, want := range []string{"1.2.3", "panic: broken\ninside", "goroutine 7"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	if info, _ := os.Stat(files[0]); info.Mode().Perm() != 0o600 {
		t.Errorf("others can read it: %v", info.Mode())
	}
}

// A report holds no key of the environment, and old reports go.
func TestACrashReportHoldsNoKey(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	env := map[string]string{"HOME": home, "ASSENT_HOME": home, "OPENAI_API_KEY": "of-no-known-shape-" + "1234"}
	a := New(Env{Version: "1.2.3", Lookup: func(name string) (string, bool) { v, ok := env[name]; return v, ok }})
	crash := func() (report string) {
		err := a.Crash("sent "+env["OPENAI_API_KEY"], []byte("goroutine 7"))
		if strings.Contains(err.Error(), env["OPENAI_API_KEY"]) {
			t.Fatalf("the message holds the key: %v", err)
		}
		_, report, _ = strings.Cut(err.Error(), "the report is in ")
		report, _, _ = strings.Cut(report, ";")
		return report
	}
	folder := filepath.Dir(crash())
	for i := range mostReports + 3 {
		put(t, filepath.Join(folder, fmt.Sprintf("20200101-0000%02d.000.txt", i)), "old\n")
	}
	last := crash()
	reports, err := os.ReadDir(folder)
	if err != nil || len(reports) > mostReports {
		t.Errorf("%d reports, %v", len(reports), err)
	}
	text, err := os.ReadFile(last)
	if err != nil || strings.Contains(string(text), env["OPENAI_API_KEY"]) {
		t.Errorf("%v, the newest report says\n%s", err, text)
	}
}

// A report and its message are cut, and what is cut there is no part of a key.
func TestACrashReportCutsNoKey(t *testing.T) {
	t.Parallel()
	home, key := t.TempDir(), "of-no-known-shape-"+"123456789"
	env := map[string]string{"HOME": home, "ASSENT_HOME": home, "OPENAI_API_KEY": key}
	a := New(Env{Version: "1.2.3", Lookup: func(name string) (string, bool) { v, ok := env[name]; return v, ok }})
	for _, before := range []int{180, mostReport - 70, mostReport - 75, mostReport - 80} {
		said := a.Crash(strings.Repeat("x", before)+key, []byte("goroutine 7")).Error()
		files, err := filepath.Glob(filepath.Join(home, "crashes", "*.txt"))
		if more, _ := filepath.Glob(filepath.Join(home, "*", "crashes", "*.txt")); len(files) == 0 {
			files = more
		}
		if err != nil || len(files) == 0 {
			t.Fatalf("no report: %v", err)
		}
		text, err := os.ReadFile(files[len(files)-1])
		if err != nil || len(text) > mostReport {
			t.Errorf("%d bytes, %v", len(text), err)
		}
		if strings.Contains(said, key[:8]) || strings.Contains(string(text), key[:8]) {
			t.Errorf("after %d bytes part of the key is left", before)
		}
		if err := os.Remove(files[len(files)-1]); err != nil {
			t.Fatal(err)
		}
	}
}

// SESS-11: a report that finds no room is not named, and no part of it is left.
func TestACrashOnAFullDisk(t *testing.T) {
	t.Parallel()
	if !wholetest.Alone(t) {
		return
	}
	home := t.TempDir()
	a := New(Env{Version: "1.2.3", Lookup: func(name string) (string, bool) { return home, name == "ASSENT_HOME" || name == "HOME" }})
	wholetest.Full(t, 20, func() {
		err := a.Crash("broken", []byte(strings.Repeat("goroutine 7\n", 100)))
		if text := err.Error(); !strings.Contains(text, "broken") || strings.Contains(text, "report") {
			t.Errorf("it says %q", text)
		}
	})
	if left := wholetest.Held(t, home); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}

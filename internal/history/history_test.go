package history_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assent/internal/history"
	"assent/internal/lock"
)

func file(tb testing.TB) history.File {
	tb.Helper()
	return history.File{
		Path: filepath.Join(tb.TempDir(), "history", "p.jsonl"),
		Now:  func() time.Time { return time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC) },
	}
}

func TestPromptsComeBack(t *testing.T) {
	t.Parallel()
	f := file(t)
	if got, err := f.Load(0); err != nil || got != nil {
		t.Fatalf("no file: %q %v", got, err)
	}
	long := strings.Repeat("pasted\n", 100_000) + "end"
	for _, p := range []string{"one", "two\nlines\n", "two\nlines", " ", "", "<b> & \u2028", "one", long, strings.Repeat("x", 1<<20+1)} {
		if err := f.Add(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	got, err := f.Load(0)
	if want := []string{"one", "two\nlines", "<b> & \u2028", "one", long}; err != nil || !slices.Equal(got, want) {
		t.Fatalf("got %.200q %v, want %.200q", got, err, want)
	}
	if got, _ := f.Load(2); !slices.Equal(got, []string{"one", long}) {
		t.Fatalf("newest two: %q", got)
	}
	data, err := os.ReadFile(f.Path)
	if err != nil || !strings.HasPrefix(string(data), `{"time":"2026-10-01T12:00:00Z","text":"one"}`+"\n") {
		t.Fatalf("file: %q %v", data, err)
	}
}

func TestDamagedLinesArePassedOver(t *testing.T) {
	t.Parallel()
	f := file(t)
	for _, p := range []string{"one", "two"} {
		if err := f.Add(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	data, _ := os.ReadFile(f.Path)
	damaged := "{\"time\n" + string(data) + "[]\n{\"text\":\"to"
	if err := os.WriteFile(f.Path, []byte(damaged), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := f.Load(0); err != nil || !slices.Equal(got, []string{"one", "two"}) {
		t.Fatalf("got %q %v", got, err)
	}
	if err := f.Add(t.Context(), "three"); err != nil {
		t.Fatal(err)
	}
	if got, _ := f.Load(0); !slices.Equal(got, []string{"one", "two", "three"}) {
		t.Fatalf("got %q", got)
	}
}

// SEC-13: what redaction knows is masked on the disk.
func TestSecretsAreMasked(t *testing.T) {
	t.Parallel()
	f := file(t)
	secret := "se" + "cret"
	f.Redact = func(s string) string { return strings.ReplaceAll(s, secret, "[masked]") }
	if err := f.Add(t.Context(), "use "+secret); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(f.Path); strings.Contains(string(data), secret) {
		t.Fatalf("file: %q", data)
	}
}

func TestManyWritersLoseNothing(t *testing.T) {
	t.Parallel()
	f := file(t)
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			for i := range 10 {
				if err := f.Add(context.Background(), fmt.Sprint(g, "-", i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	got, err := f.Load(0)
	if err != nil || len(got) != 60 {
		t.Fatalf("%d prompts, %v", len(got), err)
	}
}

func TestACancelledWaitSaysSo(t *testing.T) {
	t.Parallel()
	f := file(t)
	if err := f.Add(t.Context(), "one"); err != nil { // makes the folder
		t.Fatal(err)
	}
	held, err := lock.Wait(t.Context(), f.Path, 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.Add(ctx, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	if err := held.Release(); err != nil {
		t.Fatal(err)
	}
}

// The file is what a list without neighbours that repeat would be.
func TestHistoryIsAList(t *testing.T) {
	t.Parallel()
	dir, runs := t.TempDir(), 0
	rapid.Check(t, func(rt *rapid.T) {
		runs++
		f := history.File{Path: filepath.Join(dir, fmt.Sprint(runs, ".jsonl"))}
		var want []string
		for _, p := range rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c\nd", "é"}), 0, 12).Draw(rt, "prompts") {
			if err := f.Add(context.Background(), p); err != nil {
				rt.Fatal(err)
			}
			if len(want) == 0 || want[len(want)-1] != p {
				want = append(want, p)
			}
		}
		n := rapid.IntRange(1, 5).Draw(rt, "n")
		got, err := f.Load(n)
		if tail := want[max(0, len(want)-n):]; err != nil || !slices.Equal(got, tail) {
			rt.Fatalf("got %q %v, want %q", got, err, tail)
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	f := file(b)
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		b.Fatal(err)
	}
	var data strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&data, "{\"time\":\"2026-10-01T12:00:00Z\",\"text\":\"prompt number %d\"}\n", i)
	}
	if err := os.WriteFile(f.Path, []byte(data.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if got, err := f.Load(0); err != nil || len(got) != history.Most {
			b.Fatal(len(got), err)
		}
	}
}

// Pastes hide no earlier prompt: the newest of them come with the others.
func TestPastesHideNoPrompt(t *testing.T) {
	t.Parallel()
	f := file(t)
	add := func(text string) {
		t.Helper()
		if err := f.Add(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 50 {
		add(fmt.Sprint("prompt ", i))
	}
	for i := range 17 {
		add(fmt.Sprint(i, strings.Repeat("x", 1<<20-8)))
	}
	add("the newest")
	got, err := f.Load(0)
	if err != nil || len(got) != 50+8+1 || got[0] != "prompt 0" || !strings.HasPrefix(got[50], "9x") || got[58] != "the newest" {
		t.Errorf("%d prompts, %v", len(got), err)
	}
}

package credential_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"assent/internal/credential"
	"assent/internal/lock"
)

// holding lists the files of a folder that hold a word.
func holding(t *testing.T, dir, word string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if text, err := os.ReadFile(filepath.Join(dir, e.Name())); err == nil && strings.Contains(string(text), word) {
			names = append(names, e.Name())
		}
	}
	return names
}

// A key without an end, such as one that a password store prints, is nowhere
// but in memory.
func TestAKeyWithoutAnEndIsNeverWrittenDown(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	command, runs := counter(t, `echo secret-word-$n`)
	s := credential.New(credential.Options{Command: command, Cache: cache})
	if a, b := get(t, s, false), get(t, s, false); a != "secret-word-1" || b != a {
		t.Errorf("got %s, %s", a, b)
	}
	if k := get(t, s, true); k != "secret-word-2" || runs() != 2 {
		t.Errorf("after a refusal: %s, %d runs", k, runs())
	}
	if names := holding(t, cache, "secret-word"); names != nil {
		t.Errorf("%q hold the key", names)
	}
}

// The same words in another folder, for another server or account make another
// key, which must not be sent to this one's.
func TestNobodyGetsTheKeyOfAnother(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	here, there := t.TempDir(), t.TempDir()
	command := []string{"sh", "-c", `printf '{"key":"%s|%s|%s","expiresIn":3600}' "$(pwd)" "$THIS" "$AWS_PROFILE"`}
	base := credential.Options{Command: command, Cache: cache, Dir: here, Provider: "openai", BaseURL: "https://one", Env: []string{"THIS=a", "AWS_PROFILE=a"}}
	first := get(t, credential.New(base), false)
	seen := map[string]string{}
	files := func() int { return len(holding(t, cache, "key")) }
	for i, c := range []struct {
		name   string
		change func(*credential.Options)
	}{
		{"another folder", func(o *credential.Options) { o.Dir = there }},
		{"another provider", func(o *credential.Options) { o.Provider = "groq" }},
		{"another server", func(o *credential.Options) { o.BaseURL = "https://two" }},
		{"another account", func(o *credential.Options) { o.Env = []string{"THIS=a", "AWS_PROFILE=b"} }},
		{"another value of what it names", func(o *credential.Options) { o.Env = []string{"THIS=b", "AWS_PROFILE=a"} }},
		{"another command", func(o *credential.Options) { o.Command = append(command[:3:3], "x") }},
	} {
		o := base
		c.change(&o)
		seen[c.name] = get(t, credential.New(o), false)
		if files() != i+2 {
			t.Errorf("%s: %d keys are shared, want %d", c.name, files(), i+2)
		}
	}
	if seen["another folder"] == first || seen["another account"] == first || seen["another value of what it names"] == first {
		t.Errorf("%q, %q", first, seen)
	}
	if again := get(t, credential.New(base), false); again != first {
		t.Errorf("got %q, want %q", again, first)
	}
}

// What nobody can use any more goes when a key is looked for, whoever made it
// and wherever the key then comes from.
func TestUselessKeysAreSwept(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(cache, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("credential-0000000000000001.json", `{"key":"secret-word","expires":"2020-01-01T00:00:00Z"}`)
	write("credential-0000000000000002.json", `{"key":"secret-word","expires":"0001-01-01T00:00:00Z"}`)
	write("credential-0000000000000003.json", `{"key":"secret-word"`)
	write(".credential-0000000000000004.json.new-ABC", `{"key":"secret-word"`)
	write("credential-0000000000000005.json", `{"key":"secret-word","expires":"9999-01-01T00:00:00Z"}`)
	write("session.jsonl", "secret-word")
	get(t, credential.New(credential.Options{Key: "k", Cache: cache}), false)
	if got := strings.Join(holding(t, cache, "secret-word"), " "); got != "credential-0000000000000005.json session.jsonl" {
		t.Errorf("left are %s", got)
	}
}

// A lock file is left beside a shared key only: each command in each folder has
// one of its own. What earlier versions left goes, and what somebody holds stays.
func TestLockFilesGo(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	locks := func() string {
		names, err := filepath.Glob(filepath.Join(cache, "*.lock"))
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range names {
			names[i] = filepath.Base(n)
		}
		return strings.Join(names, " ")
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(cache, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("credential-0000000000000001.json.lock", "")
	write("credential-0000000000000002.json", `{"key":"secret-word","expires":"2020-01-01T00:00:00Z"}`)
	write("credential-0000000000000002.json.lock", "")
	write("credential-0000000000000003.json", `{"key":"secret-word","expires":"9999-01-01T00:00:00Z"}`)
	write("credential-0000000000000003.json.lock", "")
	write("keys.json.lock", "")
	held, err := lock.Try(filepath.Join(cache, "credential-0000000000000004.json"))
	if err != nil {
		t.Fatal(err)
	}
	kept := "credential-0000000000000003.json.lock credential-0000000000000004.json.lock keys.json.lock"
	get(t, credential.New(credential.Options{Command: []string{"echo", "k"}, Cache: cache}), false)
	if got := locks(); got != kept {
		t.Errorf("left are %s", got)
	}
	if err := held.Release(); err != nil {
		t.Fatal(err)
	}
	command := []string{"sh", "-c", `printf '{"key":"k","expiresIn":3600}'`}
	get(t, credential.New(credential.Options{Command: command, Cache: cache}), false)
	if got := strings.Fields(locks()); len(got) != 3 { // 3, keys, and that of the shared key
		t.Errorf("beside a shared key are %q", got)
	}
}

// Who waits for another that runs the command, and is cancelled, goes at once.
func TestAContextEndsTheWaitForTheCommand(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := &mute{unlocked: make(chan struct{})}
		s := credential.New(credential.Options{Vault: credential.NewVault(m, t.TempDir()), Provider: "openai"})
		done := make(chan error, 2)
		go func() {
			_, err := s.Get(t.Context(), false)
			done <- err
		}()
		synctest.Wait() // it waits for the keyring
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			_, err := s.Get(ctx, false)
			done <- err
		}()
		synctest.Wait()
		begun := time.Now()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) || time.Since(begun) != 0 {
			t.Errorf("error is %v after %v", err, time.Since(begun))
		}
		close(m.unlocked)
		<-done
	})
}

// A folder that cannot be made costs the sharing, not the key.
func TestNoCacheIsNoHindrance(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	command, _ := counter(t, `echo "{\"key\":\"key-$n\",\"expiresIn\":3600}"`)
	s := credential.New(credential.Options{Command: command, Cache: filepath.Join(file, "below")})
	if k := get(t, s, false); k != "key-1" {
		t.Errorf("got %s", k)
	}
}

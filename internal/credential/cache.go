package credential

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assent/internal/late"
	"assent/internal/lock"
	"assent/internal/whole"
)

// file is where processes share this command's key. Its name is made of all
// that says whose key it is: the command, where it runs, the server that gets
// the key, and the account that the environment chooses. Two that differ in one
// of them never see each other's key.
func (s *Source) file() string {
	dir := s.o.Dir
	if dir == "" {
		dir, _ = os.Getwd() // where it cannot be told, the command fails as well
	}
	sum := sha256.New()
	for _, part := range [][]string{s.o.Command, {dir, s.o.Provider, s.o.BaseURL}, account(slices.Concat(os.Environ(), s.o.Env), s.o.Command)} {
		fmt.Fprintf(sum, "%d\n", len(part))
		for _, word := range part {
			fmt.Fprintf(sum, "%d %s\n", len(word), word)
		}
	}
	return filepath.Join(s.o.Cache, "credential-"+hex.EncodeToString(sum.Sum(nil)[:8])+".json")
}

// cached are the files that hold a shared key, their locks, and those that a
// killed process left behind unfinished.
var cached = late.Regexp(`^\.?(credential-[0-9a-f]{16}\.json)(\.new-.*|\.lock)?$`)

// choosers are words in the names of the variables by which programs choose
// the account that they make a key of.
var choosers = late.Regexp(`PROFILE|CONFIG|ACCOUNT|PROJECT|TENANT|SUBSCRIPTION|ORGANIZATION|^(AWS|AZURE|GOOGLE|CLOUDSDK|GCLOUD|VAULT|OP|BW|PASSWORD_STORE)_|^GNUPGHOME$|^HOME$|^USER$`)

// account is the part of an environment that may choose whose key a command
// prints: what the command names, and what such programs go by.
func account(env, command []string) (chosen []string) {
	last := map[string]string{}
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		last[name] = value
	}
	words := strings.Join(command, "\n")
	for name, value := range last {
		if choosers().MatchString(name) || strings.Contains(words, "$"+name) || strings.Contains(words, "${"+name) {
			chosen = append(chosen, name+"="+value)
		}
	}
	slices.Sort(chosen)
	return chosen
}

// lock waits for the right to renew the key. The cache is a convenience: in a
// folder where no lock can be made, each process runs the command for itself.
func (s *Source) lock(ctx context.Context) (unlock func(), err error) {
	if s.o.Cache == "" {
		return func() {}, nil
	}
	_ = whole.Mkdir(s.o.Cache) // without the folder there is no lock
	file := s.file()
	// Who renews the key runs a command, which is bounded by itself.
	held, err := lock.Wait(ctx, file, 0)
	switch {
	case err == nil:
		return func() { letGo(held, file) }, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("renew the key: %w", err)
	}
	return func() {}, nil
}

// letGo gives the lock of a shared key back. Where there is no key, its file
// goes as well: each command in each folder has one of its own, and nobody
// would come back for most of them. Closing the file unlocks it in any case.
func letGo(held *lock.Lock, file string) {
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		_ = held.Remove() // the next sweep tries again
		return
	}
	_ = held.Release()
}

// read returns the shared key. A cache that is missing or damaged is none, and
// so is one without an end: nothing would ever replace it.
func (s *Source) read() token {
	if s.o.Cache == "" {
		return token{}
	}
	return readToken(s.file())
}

func readToken(file string) (t token) {
	text, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(text, &t) != nil || t.Expires.IsZero() {
		return token{}
	}
	return t
}

// share gives a key that has an end to other processes. One that has none may
// well be the user's only one, which a password store keeps off the disk. A
// folder that cannot be written costs others a run of the command, and nothing
// here. The caller holds the lock.
func (s *Source) share(t token) {
	if s.o.Cache == "" {
		return
	}
	_ = whole.Sweep(s.file()) // the next one tries again
	if t.Expires.IsZero() {
		_ = os.Remove(s.file()) // there is none as a rule
		return
	}
	if text, err := json.Marshal(t); err == nil {
		_ = whole.Replace(s.file(), text, 0o600) // see above
	}
}

// sweep removes the shared keys that nobody can use any more, whichever command
// made them: the command may have been changed since, or be gone. A key that
// somebody renews at this moment is left to him.
func (s *Source) sweep() {
	if s.o.Cache == "" {
		return
	}
	entries, err := os.ReadDir(s.o.Cache)
	if err != nil {
		return // there is no folder yet, or another start sweeps it
	}
	seen := map[string]bool{}
	for _, e := range entries {
		m := cached().FindStringSubmatch(e.Name())
		if m == nil || seen[m[1]] {
			continue
		}
		seen[m[1]] = true
		s.sweepOne(filepath.Join(s.o.Cache, m[1]))
	}
}

func (s *Source) sweepOne(file string) {
	held, err := lock.Try(file)
	if err != nil {
		return
	}
	defer func() { letGo(held, file) }()
	_ = whole.Sweep(file) // the next one tries again
	if !s.good(readToken(file)) {
		_ = os.Remove(file) // likewise
	}
}

// Package credential finds the key of a model provider: as given, from a
// command of the user's, or from the [Vault] of stored keys.
//
// It owns the cache of what a command printed and the rule of its renewal
// ([Source]), and the keys that a user gave to be kept ([Vault]). It knows
// nothing of requests. Its laws: a key is never printed and never stands in an
// error; a key that a command made for a time is shared between processes under
// a lock, and who comes second takes the fresh one instead of making another;
// one that has no end is never written down; a key goes to nobody but the
// server, the folder and the account that it was made for; a renewal that fails
// erases nothing; whatever holds a key on disk is the user's alone to read, and
// goes when the key has expired.
package credential

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"assent/internal/proc"
	"assent/internal/redact"
)

// commandTimeout bounds a credential command; a browser login is not its job.
const commandTimeout = time.Minute

// farthest bounds the life of a key that a command names: a larger number is no
// time that can be reckoned with.
const farthest = 10 * 365 * 24 * time.Hour

// early is how long before its expiry a key is no longer used.
const early = 30 * time.Second

// Options say where a key comes from. The first that is set is used: Key,
// Command, Vault.
type Options struct {
	// Key is a key as the user gave it.
	Key string
	// Command prints a key: the key alone, or a JSON object with "key" (or
	// "token" or "access_token") and, optionally, "expires" (RFC 3339 or Unix
	// seconds) or "expiresIn" ("expires_in", seconds).
	Command []string
	// Dir is the folder in which the command runs, empty for that of this
	// process, and Env is added to the environment that commands get.
	Dir string
	Env []string
	// Cache is the folder in which processes share a key that a command made
	// until a named time; empty, and a key without an end, stay in memory.
	Cache string
	// Vault holds the stored keys; nil: none.
	Vault *Vault
	// Another says how another key is stored, for who is told that the one in
	// the vault was refused; empty where that is at hand.
	Another string
	// Provider names the key in the vault. With BaseURL, the server that the
	// key is for, it tells one command's keys from another's.
	Provider string
	BaseURL  string
	// Learn is told every key before it is given out, so that it can be masked;
	// nil: nobody is told.
	Learn func(key string)
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// Source gives one provider's key. Its methods may be called at once.
type Source struct {
	o    Options
	turn chan struct{} // held by the one that looks
	// last is the key that was given last.
	last  token
	swept bool
}

// token is a key with the time from which it is no longer used; zero is never.
type token struct {
	Key     string    `json:"key"`
	Expires time.Time `json:"expires"`
}

// New returns a source.
func New(o Options) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Source{o: o, turn: make(chan struct{}, 1)}
}

// ErrNone tells that no key is to be found anywhere.
var ErrNone = errors.New("no key")

// Get returns the key. With refresh the server has refused the last one: a
// command is run again unless another process has renewed the key meanwhile;
// a key that cannot be renewed is an error. ErrNone means that there is no key.
func (s *Source) Get(ctx context.Context, refresh bool) (string, error) {
	key, err := s.get(ctx, refresh)
	if err == nil && s.o.Learn != nil {
		s.o.Learn(key)
	}
	return key, err
}

func (s *Source) get(ctx context.Context, refresh bool) (string, error) {
	// A command may run for a minute; who waits for it and is cancelled goes.
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	defer func() { <-s.turn }()
	if !s.swept {
		s.swept = true
		s.sweep()
	}
	switch {
	case s.o.Key != "":
		return fixed(s.o.Key, refresh)
	case len(s.o.Command) > 0:
		t, err := s.command(ctx, refresh)
		if err != nil {
			return "", err
		}
		s.last = t
		return t.Key, nil
	case s.o.Vault != nil:
		return s.stored(ctx, refresh)
	}
	return "", ErrNone
}

// stored returns the key of the vault; a refused one only when it was replaced.
func (s *Source) stored(ctx context.Context, refresh bool) (string, error) {
	if s.last.Key != "" && !refresh {
		return s.last.Key, nil
	}
	key, where, err := s.o.Vault.Get(ctx, s.o.Provider)
	switch {
	case err != nil:
		return "", err
	case key == "":
		return "", ErrNone
	case refresh && key == s.last.Key:
		refused := fmt.Errorf("the key stored in %s was the one refused", where)
		if s.o.Another != "" {
			refused = fmt.Errorf("%w: %s", refused, s.o.Another)
		}
		return "", refused
	}
	s.last = token{Key: key}
	return key, nil
}

func fixed(key string, refresh bool) (string, error) {
	if refresh {
		return "", errors.New("this key cannot be renewed by itself")
	}
	return key, nil
}

// command returns a key while it is good, and else runs the command under the
// lock that all processes share.
func (s *Source) command(ctx context.Context, refresh bool) (token, error) {
	if !refresh && s.good(s.last) {
		return s.last, nil
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return token{}, err
	}
	defer unlock()
	// Another process may have renewed it while this one waited.
	if shared := s.read(); s.good(shared) && (!refresh || shared.Key != s.last.Key) {
		return shared, nil
	}
	t, err := s.run(ctx)
	if err != nil {
		return token{}, err
	}
	s.share(t)
	return t, nil
}

func (s *Source) good(t token) bool {
	return t.Key != "" && (t.Expires.IsZero() || s.o.Now().Before(t.Expires.Add(-early)))
}

func (s *Source) run(ctx context.Context) (token, error) {
	result, err := proc.Run(ctx, proc.Spec{Argv: s.o.Command, Dir: s.o.Dir, Env: s.o.Env, Timeout: commandTimeout, MaxOutput: 1 << 20})
	name := filepath.Base(s.o.Command[0])
	switch {
	case err != nil:
		return token{}, fmt.Errorf("run the credential command (%s): %w", name, err)
	case result.TimedOut:
		return token{}, fmt.Errorf("the credential command (%s) did not end within %s", name, commandTimeout)
	case result.Exit != 0:
		// What it printed may hold the key, so only what it complained of is told.
		return token{}, fmt.Errorf("the credential command (%s) failed with exit code %d%s", name, result.Exit, complaint(result.Stderr))
	}
	t, err := parse(result.Stdout, s.o.Now())
	if err != nil {
		return token{}, fmt.Errorf("the credential command (%s) %w", name, err)
	}
	return t, nil
}

// mostComplaint bounds what is told of a command's complaint, in bytes.
const mostComplaint = 300

// complaint is the last line that a command wrote to stderr, without keys.
func complaint(stderr []byte) string {
	text, _ := redact.String(strings.TrimSpace(proc.Clean(stderr)))
	text = strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
	if text == "" {
		return "; run it by hand to see why"
	}
	return ": " + strings.ToValidUTF8(text[:min(len(text), mostComplaint)], "")
}

// parse reads what a command printed.
func parse(out []byte, now time.Time) (token, error) {
	text := strings.TrimSpace(string(out))
	if !strings.HasPrefix(text, "{") {
		if text == "" || strings.ContainsAny(text, " \t\r\n") {
			return token{}, errors.New("printed no key: want the key alone on one line, or a JSON object with \"key\"")
		}
		return token{Key: text}, nil
	}
	var o struct {
		Key         string          `json:"key"`
		Token       string          `json:"token"`
		AccessToken string          `json:"access_token"`
		Expires     json.RawMessage `json:"expires"`
		ExpiresAt   json.RawMessage `json:"expires_at"`
		ExpiresIn   float64         `json:"expiresIn"`
		ExpiresIn2  float64         `json:"expires_in"`
	}
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return token{}, errors.New("printed a JSON object that cannot be read")
	}
	t := token{Key: cmp.Or(o.Key, o.Token, o.AccessToken)}
	if t.Key == "" {
		return token{}, errors.New("printed a JSON object without \"key\"")
	}
	if seconds := o.ExpiresIn + o.ExpiresIn2; seconds > 0 {
		t.Expires = now.Add(time.Duration(min(seconds, farthest.Seconds()) * float64(time.Second)))
	}
	for _, raw := range []json.RawMessage{o.Expires, o.ExpiresAt} {
		if at, ok := moment(raw); ok {
			t.Expires = at
		}
	}
	return t, nil
}

// latest is the last second of the year 9999, beyond which a time cannot be
// written.
const latest = 253_402_300_799

// moment reads RFC 3339 or Unix seconds.
func moment(raw json.RawMessage) (time.Time, bool) {
	var at time.Time
	if json.Unmarshal(raw, &at) == nil && !at.IsZero() {
		return at, true
	}
	var seconds float64
	if json.Unmarshal(raw, &seconds) == nil && seconds > 0 {
		return time.Unix(int64(min(seconds, latest)), 0), true
	}
	return time.Time{}, false
}

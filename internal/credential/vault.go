package credential

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"github.com/zalando/go-keyring"
)

// service is the name under which keys stand in the keyring.
const service = "assent"

// lockWait bounds the wait for another process that stores a key.
const lockWait = 10 * time.Second

// Ring is a keyring: the operating system's, or another for tests. An entry
// that is not there is keyring.ErrNotFound.
type Ring interface {
	Get(service, name string) (string, error)
	Set(service, name, key string) error
	Delete(service, name string) error
}

// System is the operating system's keyring.
type System struct{}

// Get returns an entry.
func (System) Get(service, name string) (string, error) { return keyring.Get(service, name) }

// Set makes or replaces an entry.
func (System) Set(service, name, key string) error { return keyring.Set(service, name, key) }

// Delete removes an entry.
func (System) Delete(service, name string) error { return keyring.Delete(service, name) }

// Vault keeps the keys that a user gave to be kept: in the keyring, and where
// there is none in a file that only the user can read. It is safe for
// concurrent use, also between processes.
type Vault struct {
	ring Ring
	dir  string
}

// NewVault returns the vault with a keyring (nil: [System]) and the folder of
// its file. It touches neither.
func NewVault(ring Ring, dir string) *Vault {
	if ring == nil {
		ring = System{}
	}
	return &Vault{ring: ring, dir: dir}
}

// File is where keys are kept that no keyring takes.
func (v *Vault) File() string { return filepath.Join(v.dir, "keys.json") }

// Get returns the key of a provider and where it stands, "" and no error when
// there is none. A file that others can read is an error, since its keys are no
// secret any more.
func (v *Vault) Get(provider string) (key, where string, err error) {
	// A machine without a keyring has no key there; that is no error.
	if key, err := v.ring.Get(service, provider); err == nil && key != "" {
		return key, "keyring", nil
	}
	keys, err := v.read()
	if err != nil || keys[provider] == "" {
		return "", "", err
	}
	return keys[provider], v.File(), nil
}

// Store keeps the key of a provider and says where. Of a key that was kept
// before, no copy is left.
func (v *Vault) Store(provider, key string) (where string, err error) {
	if key == "" {
		return "", errors.New("store a key: it is empty")
	}
	if v.ring.Set(service, provider, key) == nil {
		return "keyring", v.change(func(keys map[string]string) { delete(keys, provider) })
	}
	// A keyring that takes no more may still hold the old key, and is asked first.
	if err := v.forgetInRing(provider); err != nil {
		return "", err
	}
	return v.File(), v.change(func(keys map[string]string) { keys[provider] = key })
}

// Forget removes the key of a provider wherever it stands; one that is not
// there is no error.
func (v *Vault) Forget(provider string) error {
	return errors.Join(v.forgetInRing(provider), v.change(func(keys map[string]string) { delete(keys, provider) }))
}

// forgetInRing removes a key from the keyring. Where there is no keyring,
// nothing can be removed.
func (v *Vault) forgetInRing(provider string) error {
	if old, err := v.ring.Get(service, provider); err != nil || old == "" {
		return nil //nolint:nilerr // no keyring or no entry
	}
	if err := v.ring.Delete(service, provider); err != nil && !errors.Is(err, keyring.ErrNotFound) {
		return fmt.Errorf("remove the key of %s from the keyring: %w", provider, err)
	}
	return nil
}

// read returns the keys of the file, none where there is no file.
func (v *Vault) read() (map[string]string, error) {
	keys := map[string]string{}
	info, err := os.Stat(v.File())
	if errors.Is(err, fs.ErrNotExist) {
		return keys, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the stored keys: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("read the stored keys: others may read %s (mode %#o); run chmod 600 on it and renew the keys in it", v.File(), info.Mode().Perm())
	}
	text, err := os.ReadFile(v.File())
	if err != nil {
		return nil, fmt.Errorf("read the stored keys: %w", err)
	}
	if json.Unmarshal(text, &keys) != nil { // its error may quote a key
		return nil, fmt.Errorf("read the stored keys: %s is damaged; remove it and store the keys again", v.File())
	}
	return keys, nil
}

// change edits the file under the lock that all processes share. What is not
// there is not made for nothing.
func (v *Vault) change(edit func(map[string]string)) error {
	if err := os.MkdirAll(v.dir, 0o700); err != nil {
		return fmt.Errorf("make the folder of stored keys: %w", err)
	}
	lock := flock.New(v.File()+".lock", flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	if _, err := lock.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return fmt.Errorf("wait for another process that stores a key: %w", err)
	}
	defer func() { _ = lock.Unlock() }() // closing the file unlocks it as well
	keys, err := v.read()
	if err != nil {
		return err
	}
	before := len(keys)
	edit(keys)
	switch {
	case len(keys) == 0 && before == 0:
		return nil
	case len(keys) == 0:
		if err := os.Remove(v.File()); err != nil {
			return fmt.Errorf("remove the stored keys: %w", err)
		}
		return nil
	}
	text, err := json.MarshalIndent(keys, "", "  ")
	if err == nil {
		err = replace(v.File(), append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("store the key: %w", err)
	}
	return nil
}

// replace writes a private file as a whole or not at all. The caller holds its
// lock.
func replace(name string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".new-*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

package credential

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"assent/internal/lock"
	"assent/internal/whole"
)

// Vault keeps the keys that a user gave to be kept: in the keyring, and where
// there is none in a file that only the user can read. It is safe for
// concurrent use, also between processes.
type Vault struct {
	ring *bounded
	dir  string
}

// NewVault returns the vault with a keyring (nil: [System]) and the folder of
// its file. It touches neither.
func NewVault(ring Ring, dir string) *Vault {
	if ring == nil {
		ring = System{}
	}
	return &Vault{ring: &bounded{ring: ring}, dir: dir}
}

// File is where keys are kept that no keyring takes.
func (v *Vault) File() string { return filepath.Join(v.dir, "keys.json") }

// Get returns the key of a provider and where it stands, "" and no error when
// there is none. The file is asked first: it holds a key only while that is the
// one that was stored last, and a keyring that could not be reached then may
// still hold an older one. A file that others can read is an error, since its
// keys are no secret any more; so is a keyring that cannot be used (ErrRing)
// where the file has no key.
func (v *Vault) Get(ctx context.Context, provider string) (key, where string, err error) {
	keys, err := v.read()
	switch {
	case err != nil:
		return "", "", err
	case keys[provider] != "":
		return keys[provider], v.File(), nil
	}
	if key, err = v.ring.get(ctx, provider); key != "" {
		return key, "keyring", nil
	}
	return "", "", err
}

// Store keeps the key of a provider and says where. Of a key that was kept
// before, no copy is left that would ever be used; so a keyring that is there
// and cannot be used is an error (ErrRing).
func (v *Vault) Store(ctx context.Context, provider, key string) (where string, err error) {
	if key == "" {
		return "", errors.New("store a key: it is empty")
	}
	set, failed := v.ring.set(ctx, provider, key)
	switch {
	case set:
		return "keyring", v.change(ctx, func(keys map[string]string) { delete(keys, provider) })
	case errors.Is(failed, ErrSilent) || failed != nil && ctx.Err() != nil:
		return "", fmt.Errorf("store the key of %s: %w", provider, failed)
	}
	// A keyring that takes no more may still answer, and hold the old key.
	if err := v.ring.forget(ctx, provider); err != nil {
		return "", fmt.Errorf("store the key of %s: %w", provider, err)
	}
	return v.File(), v.change(ctx, func(keys map[string]string) { keys[provider] = key })
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
	if others(info.Mode()) {
		return nil, fmt.Errorf("read the stored keys: others may read %s (mode %#o); run chmod 600 on it and renew the keys in it", v.File(), info.Mode().Perm())
	}
	text, err := os.ReadFile(v.File())
	if err != nil {
		return nil, fmt.Errorf("read the stored keys: %w", err)
	}
	if json.Unmarshal(text, &keys) != nil { // its error may quote a key
		return nil, fmt.Errorf("read the stored keys: %s is damaged; remove it and store the keys again", v.File())
	}
	if keys == nil { // the file says null
		keys = map[string]string{}
	}
	return keys, nil
}

// change edits the file under the lock that all processes share. What is not
// there is not made for nothing.
func (v *Vault) change(ctx context.Context, edit func(map[string]string)) error {
	if err := whole.Mkdir(v.dir); err != nil {
		return fmt.Errorf("make the folder of stored keys: %w", err)
	}
	held, err := lock.Wait(ctx, v.File(), lock.Patience)
	if err != nil {
		return fmt.Errorf("store the key: %w", err)
	}
	defer func() { _ = held.Release() }()         // closing the file unlocks it as well
	if err := whole.Sweep(v.File()); err != nil { // it holds keys as well
		return err
	}
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
		err = whole.Replace(v.File(), append(text, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("store the key: %w", err)
	}
	return nil
}

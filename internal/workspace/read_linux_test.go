package workspace_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// A file that another program saves again and again can be read at any moment,
// and so can one below a folder that is exchanged for another as often: a save
// gives the name to a new file, and that is no attack.
func TestReadWhileOthersSave(t *testing.T) {
	t.Parallel()
	for name, save := range map[string]func(dir string) error{
		"file": func(dir string) error {
			next := filepath.Join(dir, "next")
			if err := os.WriteFile(next, []byte("saved"), 0o600); err != nil {
				return err
			}
			return os.Rename(next, filepath.Join(dir, "d/f"))
		},
		"folder": func(dir string) error {
			return unix.Renameat2(unix.AT_FDCWD, filepath.Join(dir, "d"), unix.AT_FDCWD, filepath.Join(dir, "e"), unix.RENAME_EXCHANGE)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, dir := open(t, map[string]string{"d/f": "saved", "e/f": "saved"})
			stop := make(chan struct{})
			var others sync.WaitGroup
			others.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					if err := save(dir); err != nil {
						t.Error(err)
						return
					}
				}
			})
			p := resolve(t, w, "d/f")
			for range 5000 {
				f, err := w.Read(p, 0)
				if err == nil && string(f.Data) != "saved" {
					t.Errorf("read %q", f.Data)
				}
				if err != nil {
					t.Error(err)
					break
				}
			}
			close(stop)
			others.Wait()
		})
	}
}

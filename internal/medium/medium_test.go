package medium_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"assent/internal/medium"
)

func TestPlain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, gone := os.ReadFile(filepath.Join(dir, "gone"))
	folder := &fs.PathError{Op: "read", Path: dir, Err: syscall.EISDIR}
	denied := &fs.PathError{Op: "open", Path: dir, Err: fs.ErrPermission}
	other := errors.New("another")
	for _, c := range []struct {
		err  error
		want string
		is   error
	}{
		{gone, "there is no such file", fs.ErrNotExist},
		{fmt.Errorf("wrapped: %w", gone), "there is no such file", fs.ErrNotExist},
		{folder, "it is a folder", syscall.EISDIR},
		{denied, "permission denied", fs.ErrPermission},
		{other, "another", other},
	} {
		got := medium.Plain(c.err, "file")
		if got.Error() != c.want || !errors.Is(got, c.is) {
			t.Errorf("%v became %v", c.err, got)
		}
	}
}

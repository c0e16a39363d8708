package workspace_test

import (
	"testing"

	"golang.org/x/sys/unix"
)

// Who watches a folder sees nothing of a trial: programs that build again when
// a file was closed after writing would take it for a change, and no program
// can be started while its file is open for writing.
func TestATrialOpensNothingForWriting(t *testing.T) {
	t.Parallel()
	w, dir := open(t, map[string]string{"a": "one", "b": "two"})
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Skip(err)
	}
	defer unix.Close(fd)
	const changes = unix.IN_CLOSE_WRITE | unix.IN_MODIFY | unix.IN_ATTRIB | unix.IN_CREATE | unix.IN_DELETE | unix.IN_MOVE
	if _, err := unix.InotifyAddWatch(fd, dir, changes); err != nil {
		t.Skip(err)
	}
	for _, err := range []error{
		w.TryWrite(resolve(t, w, "a")), w.TryWrite(resolve(t, w, "new/er")), w.TryRemove(resolve(t, w, "b")),
		w.TryMove(resolve(t, w, "a"), resolve(t, w, "c/d")),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	seen := make([]byte, 4096)
	if n, err := unix.Read(fd, seen); n > 0 || err != unix.EAGAIN {
		t.Errorf("%d bytes of events (%v): %x", n, err, seen[:max(n, 0)])
	}
	write(t, w, "a", "new") // else the watch proves nothing
	if n, _ := unix.Read(fd, seen); n <= 0 {
		t.Error("a write was not seen")
	}
}

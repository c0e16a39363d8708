//go:build unix

// Package wholetest lends a test a disk that is full.
//
// It owns one limit of the system: how large a file this process may write. It
// knows nothing of what is written.
package wholetest

import (
	"os"
	"syscall"
	"testing"
)

// Full calls write while no file of this process can grow beyond a number of
// bytes, and takes the limit back afterwards. The limit holds for the whole
// process, so it needs one that is [Alone].
func Full(t *testing.T, room uint64, write func()) {
	t.Helper()
	if os.Getenv(alone) == "" {
		t.Fatal("the disk of other tests would be full as well: call Alone first")
	}
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	small := old
	small.Cur = room
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
			t.Fatal(err)
		}
	}()
	write()
}

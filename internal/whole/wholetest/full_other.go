//go:build !unix

// Package wholetest lends a test a disk that is full.
//
// It owns one limit of the system: how large a file this process may write. It
// knows nothing of what is written.
package wholetest

import "testing"

// Full skips the test: there is no such limit here.
func Full(t *testing.T, _ uint64, _ func()) {
	t.Helper()
	t.Skip("no limit on the size of files here")
}

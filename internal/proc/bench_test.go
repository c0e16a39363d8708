//go:build unix

package proc_test

import (
	"bytes"
	"testing"

	"assent/internal/proc"
)

// BenchmarkRun is what a command costs beside its own work.
func BenchmarkRun(b *testing.B) {
	for b.Loop() {
		if _, err := proc.Run(b.Context(), proc.Spec{Argv: []string{"/bin/sh", "-c", ":"}}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkClean is the cleaning of a coloured log.
func BenchmarkClean(b *testing.B) {
	text := bytes.Repeat([]byte("\x1b[32mok\x1b[0m  package/name\t0.01s\r\n"), 10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		proc.Clean(text)
	}
}

package session

import (
	"testing"
	"time"
)

// FuzzFileName: a name that is taken for a session's file has a time and an id,
// and is the name that they give.
func FuzzFileName(f *testing.F) {
	for _, s := range []string{"20260102T150405Z_abc.jsonl", "20260102T150405Z_.jsonl", "x_y.jsonl", ".jsonl", "20260102T150405.5Z_a_b.jsonl"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		at, id, ok := splitName(name)
		if !ok {
			return
		}
		if id == "" {
			t.Fatalf("%q has no id", name)
		}
		again, same, ok := splitName(fileName(id, at))
		if !ok || same != id || !again.Equal(at.Truncate(time.Second)) {
			t.Fatalf("%q is %v and %q, written %q", name, at, id, fileName(id, at))
		}
	})
}

package app

import (
	"fmt"
	"runtime"
	"testing"
)

// SRCH-10, SRCH-13, SRCH-14: a turn costs the same in a large folder that is no
// repository as in an empty one, also when it is the user's home: nothing is
// listed before somebody asks for it, and nothing at every turn. What is
// allocated tells, since a walk cannot do without.
func TestATurnScansNothing(t *testing.T) { // not parallel: it measures the process
	const files = 6000
	cost := func(w *world) uint64 {
		f := w.script(`{"text":"hello"}`, `{"text":"again"}`)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := range 2 {
			f.Continue = i > 0
			if code, err := w.run(f, "hi"); code != 0 || err != nil {
				t.Fatalf("code %d, %v, %s", code, err, &w.err)
			}
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	empty := newWorld(t)
	empty.env["HOME"] = empty.root
	cost(empty) // what is made once
	empty = newWorld(t)
	empty.env["HOME"] = empty.root
	large := newWorld(t)
	large.env["HOME"] = large.root
	for i := range files {
		large.write(fmt.Sprintf("d%d/e%d/f%d", i%7, i%90, i), "")
	}
	small, big := cost(empty), cost(large)
	if more := int64(big) - int64(small); more > files*100 { // a walk allocates twice that
		t.Errorf("%d files cost %d bytes more than none (%d)", files, more, small)
	}
}

package lock

import (
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// Lock files that are removed all the time never let two hold one name: nobody
// is inside while another one is, and no change of what the lock guards is lost.
// The takers look without a pause, so that they open files that are about to go.
func TestRemovedLockFilesLetNobodyIn(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "counter")
	var inside atomic.Int32
	var all sync.WaitGroup
	total := 0
	const workers, turns = 8, 400
	for range workers {
		all.Go(func() {
			for done := 0; done < turns; {
				mine, err := look(path)
				if err != nil {
					t.Error(err)
					return
				}
				if mine == nil {
					runtime.Gosched()
					continue
				}
				if n := inside.Add(1); n != 1 {
					t.Errorf("%d hold it", n)
				}
				runtime.Gosched()
				total++
				done++
				inside.Add(-1)
				end := mine.Remove
				if done%3 == 0 {
					end = mine.Release
				}
				if err := end(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if total != workers*turns {
		t.Errorf("counted %d", total)
	}
}

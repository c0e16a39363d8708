package late_test

import (
	"sync"
	"testing"

	"assent/internal/late"
)

func TestAPatternIsMadeOnceAndLate(t *testing.T) {
	t.Parallel()
	broken := late.Regexp("(") // not compiled, so no panic
	defer func() {
		if recover() == nil {
			t.Error("a broken pattern does not panic when it is used")
		}
	}()
	re := late.Regexp(`^a+$`)
	first := re()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if !re().MatchString("aa") || re() != first {
				t.Error("the pattern is not one")
			}
		})
	}
	all.Wait()
	broken()
}

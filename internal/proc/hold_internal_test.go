//go:build unix

package proc

import "testing"

// TestAHandleHoldsItsOutputOnce: what a command printed is held once, at most
// what is asked for, and not at all when it was dropped.
func TestAHandleHoldsItsOutputOnce(t *testing.T) {
	t.Parallel()
	for _, merged := range []bool{false, true} {
		h, err := Start(t.Context(), Spec{Argv: []string{"/bin/sh", "-c", "yes | head -c 3000000; echo end >&2"}, MaxOutput: 1000, Merged: merged})
		if err != nil {
			t.Skip(err)
		}
		r := h.Wait()
		if r.Truncated < 2_990_000 || len(r.Output) < 1000 || (len(r.Stdout) > 0) == merged || (len(r.Stderr) > 0) == merged {
			t.Errorf("merged %v: %d of both, %d, %d, cut %d", merged, len(r.Output), len(r.Stdout), len(r.Stderr), r.Truncated)
		}
		if h.result.Output != nil || h.result.Stdout != nil {
			t.Error("it is held twice")
		}
		_, next, _ := h.Output(0)
		h.Drop()
		if data, at, lost := h.Output(0); len(data) > 0 || at != next || lost != next {
			t.Errorf("after it was dropped there are %d bytes, %d of %d lost", len(data), lost, next)
		}
		for _, k := range []*keeper{h.out.all, h.out.kept[0], h.out.kept[1]} {
			if k != nil && cap(k.head)+cap(k.tail) > 0 {
				t.Error("it is still held")
			}
		}
	}
}

package proc

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// TestKeeperKeepsHeadAndTail compares with all that was written.
func TestKeeperKeepsHeadAndTail(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		half := rapid.IntRange(1, 40).Draw(t, "half")
		k := newKeeper(2 * half)
		var all []byte
		for _, p := range rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 60), 0, 12).Draw(t, "writes") {
			k.write(p)
			all = append(all, p...)
		}
		if len(all) <= 2*half {
			if !bytes.Equal(k.bytes(), all) || k.cut() != 0 {
				t.Fatalf("cut though it fits: %q", k.bytes())
			}
		} else if got := k.bytes(); !bytes.HasPrefix(got, all[:half]) || !bytes.HasSuffix(got, all[len(all)-half:]) ||
			k.cut() != int64(len(all)-2*half) {
			t.Fatalf("kept %q of %q, cut %d", got, all, k.cut())
		}
		from := rapid.Int64Range(-1, int64(len(all))+1).Draw(t, "from")
		kept, lost := k.since(from)
		from = min(max(from, 0), int64(len(all)))
		if int64(len(kept))+lost != int64(len(all))-from {
			t.Fatalf("since %d: %d kept, %d lost of %d", from, len(kept), lost, len(all))
		}
		if lost == 0 && !bytes.Equal(kept, all[from:]) {
			t.Fatalf("since %d: %q", from, kept)
		}
	})
}

package proc

import "fmt"

// defaultKeep is how many bytes of a stream are kept when the caller names no
// limit.
const defaultKeep = 1 << 20

// keeper holds the first and the last half of what is written to it.
type keeper struct {
	half  int
	head  []byte
	tail  []byte // a ring once it is full
	start int    // where the ring begins
	total int64
}

func newKeeper(limit int) *keeper {
	if limit <= 0 {
		limit = defaultKeep
	}
	return &keeper{half: max(limit/2, 1)}
}

func (k *keeper) write(p []byte) {
	k.total += int64(len(p))
	if room := k.half - len(k.head); room > 0 {
		n := min(room, len(p))
		k.head = append(k.head, p[:n]...)
		p = p[n:]
	}
	if len(p) > k.half {
		p = p[len(p)-k.half:]
	}
	if room := k.half - len(k.tail); room > 0 {
		n := min(room, len(p))
		k.tail = append(k.tail, p[:n]...)
		p = p[n:]
	}
	for len(p) > 0 {
		n := copy(k.tail[k.start:], p)
		k.start = (k.start + n) % k.half
		p = p[n:]
	}
}

// cut is the number of bytes between head and tail that were not kept.
func (k *keeper) cut() int64 {
	return k.total - int64(len(k.head)) - int64(len(k.tail))
}

// drop forgets everything but how much it was.
func (k *keeper) drop() { k.head, k.tail, k.start = nil, nil, 0 }

// last returns the tail in order.
func (k *keeper) last() []byte {
	out := make([]byte, 0, len(k.tail))
	out = append(out, k.tail[k.start:]...)
	return append(out, k.tail[:k.start]...)
}

// bytes returns all that was kept, with a line where bytes were cut.
func (k *keeper) bytes() []byte {
	out := append([]byte(nil), k.head...)
	if n := k.cut(); n > 0 {
		out = fmt.Appendf(out, "\n[%d bytes cut here]\n", n)
	}
	return append(out, k.last()...)
}

// since returns what was kept from an offset on, and how many bytes from
// there on were not kept.
func (k *keeper) since(offset int64) (kept []byte, lost int64) {
	offset = min(max(offset, 0), k.total)
	tailAt := k.total - int64(len(k.tail))
	if offset < int64(len(k.head)) {
		kept = append(kept, k.head[offset:]...)
		offset = int64(len(k.head))
	}
	if offset < tailAt {
		lost = tailAt - offset
		offset = tailAt
	}
	return append(kept, k.last()[offset-tailAt:]...), lost
}

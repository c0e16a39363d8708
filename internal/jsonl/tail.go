package jsonl

import (
	"bytes"
	"errors"
	"io"
)

// tailBlock is what one step backward reads at least.
const tailBlock = 16 << 10

// Tail reads lines backward from the end of a file, reading no more of it than
// the lines that are asked for.
type Tail struct {
	faults
	r io.ReaderAt
	// buf holds the file's bytes from offset lo on; the lines in buf[:end]
	// were not given yet, and buf[:end] holds no line end after searched.
	buf       []byte
	lo        int64
	end       int
	searched  int
	ended     bool // whether a line end follows buf[:end]
	skipped   int64
	skipping  bool
	first     bool
	exhausted bool
	err       error
}

// NewTail reads backward from size, which is the length of the file.
func NewTail(r io.ReaderAt, size int64) *Tail {
	return &Tail{r: r, lo: size, first: true}
}

// Next gives the line before the last one given. It is false at the beginning
// of the file or when the medium failed, which Err tells apart.
func (t *Tail) Next() (Line, bool) {
	for !t.exhausted {
		i := bytes.LastIndexByte(t.buf[:t.searched], '\n')
		if i < 0 && t.lo > 0 {
			if !t.grow() {
				break
			}
			continue
		}
		if i < 0 {
			t.exhausted = true
		}
		data, start, ended := t.buf[i+1:t.end], t.lo+int64(i+1), t.ended
		long, size := t.skipping, t.skipped+int64(len(data))
		t.end, t.searched, t.ended = max(i, 0), max(i, 0), true
		t.skipping, t.skipped = false, 0
		if t.first {
			// What follows the last line end is a line only when it is there.
			t.first = false
			if len(data) == 0 {
				continue
			}
		}
		if long || size > MaxLine {
			t.add(Fault{Offset: start, Bytes: size, Kind: TooLong})
			continue
		}
		if line, ok := trim(data, start == 0); ok {
			return Line{Offset: start, Data: line, Ended: ended}, true
		}
	}
	return Line{}, false
}

// Err is the error of the medium that ended the scan early, or nil.
func (t *Tail) Err() error { return t.err }

// grow reads the block before buf. A line over MaxLine is let go as it comes.
func (t *Tail) grow() bool {
	if t.end > MaxLine {
		t.skipping = true
		t.skipped += int64(t.end)
		t.end = 0
	}
	n := min(t.lo, int64(max(tailBlock, t.end)))
	buf := make([]byte, n+int64(t.end))
	got, err := t.r.ReadAt(buf[:n], t.lo-n)
	if int64(got) < n {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		t.err, t.exhausted = err, true
		return false
	}
	copy(buf[n:], t.buf[:t.end])
	t.buf, t.lo = buf, t.lo-n
	t.end += int(n)
	t.searched = int(n)
	return true
}

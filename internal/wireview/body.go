package wireview

import (
	"bytes"
	"io"
)

// Body is the body of one request: shared pieces in order. It is a value; it
// may be read any number of times, also after the view has moved on.
type Body struct {
	pieces [][]byte
	marks  []mark
}

// mark is a place for a cache mark: an offset in a piece.
type mark struct{ piece, offset int }

// Len returns the length in bytes.
func (b Body) Len() int64 {
	var n int64
	for _, p := range b.pieces {
		n += int64(len(p))
	}
	return n
}

// Reader returns a new reader from the beginning, so that a request can be
// sent again.
func (b Body) Reader() io.Reader { return &reader{rest: b.pieces} }

// Marked returns the same body with text spliced in at the ends of the last
// two batches that allow it. The bytes of the batches are shared, not copied.
func (b Body) Marked(text string) Body {
	places := b.marks[max(0, len(b.marks)-2):]
	if text == "" || len(places) == 0 {
		return b
	}
	pieces := make([][]byte, 0, len(b.pieces)+2*len(places))
	for i, p := range b.pieces {
		if len(places) > 0 && places[0].piece == i {
			pieces = append(pieces, p[:places[0].offset], []byte(text))
			p, places = p[places[0].offset:], places[1:]
		}
		pieces = append(pieces, p)
	}
	return Body{pieces: pieces}
}

// Bytes returns the body as one slice; it copies, so it is for a request that
// was refused, and for tests.
func (b Body) Bytes() []byte { return bytes.Join(b.pieces, nil) }

type reader struct {
	rest [][]byte
	off  int
}

// Read copies the next bytes.
func (r *reader) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) && len(r.rest) > 0 {
		m := copy(p[n:], r.rest[0][r.off:])
		n, r.off = n+m, r.off+m
		if r.off == len(r.rest[0]) {
			r.rest, r.off = r.rest[1:], 0
		}
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// WriteTo writes the pieces as they stand.
func (r *reader) WriteTo(w io.Writer) (int64, error) {
	var n int64
	for len(r.rest) > 0 {
		m, err := w.Write(r.rest[0][r.off:])
		n, r.off = n+int64(m), r.off+m
		if err != nil {
			return n, err
		}
		r.rest, r.off = r.rest[1:], 0
	}
	return n, nil
}

package session

import "io"

// inertWriter drops control characters other than tab and line end, so that
// what a model or a command once said cannot drive the terminal that a page is
// shown on. It also keeps them out of HTML, where they are not allowed.
type inertWriter struct {
	w io.Writer
	// half says that the last byte began a character that may be a control
	// character of two bytes.
	half bool
	buf  []byte
}

// firstByte begins the two bytes of U+0080 to U+00BF, the control characters
// U+0080 to U+009F among them.
const firstByte = 0xc2

// Write writes what is left of b.
func (i *inertWriter) Write(b []byte) (int, error) {
	i.buf = i.buf[:0]
	for _, c := range b {
		switch {
		case i.half:
			i.half = false
			if c >= 0x80 && c < 0xa0 {
				continue
			}
			i.buf = append(i.buf, firstByte, c)
		case c == firstByte:
			i.half = true
		case c >= ' ' && c != 0x7f, c == '\n', c == '\t':
			i.buf = append(i.buf, c)
		}
	}
	if _, err := i.w.Write(i.buf); err != nil {
		return 0, err
	}
	return len(b), nil
}

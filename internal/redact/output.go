package redact

import "strings"

// Output masks what a program prints to a terminal, as it comes. What paints
// and what shows nothing is left out first: a colour in the middle of a key
// would hide it from the masker and from nobody else. What moves within a line
// or erases it stays, for whoever draws it. It is used by one goroutine.
type Output struct {
	mask *Stream
	at   state
	held []byte // a sequence that has begun
}

// state is what the bytes that follow belong to.
type state int

const (
	plain    state = iota
	escape         // behind ESC
	control        // behind ESC [
	middle         // behind ESC and an intermediate
	sequence       // a text for the terminal, up to BEL, ESC \ or the end of the line
	ending         // ESC in such a text
	second         // behind the first byte of a control of two bytes
)

// longest bounds a sequence that is held back.
const longest = 64

// Output begins the masking of what a program prints.
func (m *Masker) Output() *Output { return &Output{mask: m.Stream()} }

// Write takes a chunk and returns what is sure of the text so far.
func (o *Output) Write(chunk string) string { return o.mask.Write(o.bare(chunk)) }

// Flush returns what was held back; the text ends here.
func (o *Output) Flush() string {
	o.at, o.held = plain, nil
	return o.mask.Flush()
}

// bare leaves out what paints and what shows nothing.
func (o *Output) bare(chunk string) string {
	if o.at == plain && visible(chunk) {
		return chunk
	}
	var out strings.Builder
	for i := range len(chunk) {
		o.take(chunk[i], &out)
	}
	return out.String()
}

// visible says whether nothing is left out of a text.
func visible(s string) bool {
	for i := range len(s) {
		if b := s[i]; b < ' ' && b != '\n' && b != '\t' || b == 0x7f || b == 0xc2 {
			return false
		}
	}
	return true
}

// take takes the next byte of the output.
func (o *Output) take(b byte, out *strings.Builder) {
	switch o.at {
	case plain:
		o.begin(b, out)
	case escape:
		o.introduce(b, out)
	case control:
		o.held = append(o.held, b)
		switch {
		case b >= '@' && b <= '~':
			if strings.IndexByte("CDGK", b) >= 0 {
				out.Write(o.held)
			}
			o.at = plain
		case b < ' ' || b > '~' || len(o.held) > longest: // broken off
			o.at = plain
			o.begin(b, out)
		}
	case middle:
		if b < ' ' || b > '/' {
			o.at = plain
		}
	case sequence:
		switch b {
		case 0x07:
			o.at = plain
		case 0x1b:
			o.at = ending
		case '\n':
			o.at = plain
			out.WriteByte(b)
		}
	case ending:
		if o.at = plain; b != '\\' {
			o.introduce(b, out)
		}
	case second:
		o.at = plain
		switch {
		case b == 0x9b:
			o.open()
		case b == 0x90, b == 0x98, b == 0x9d, b == 0x9e, b == 0x9f:
			o.at = sequence
		case b < 0x80 || b > 0x9f:
			out.WriteByte(0xc2)
			o.begin(b, out)
		}
	}
}

// begin takes a byte that stands in no sequence.
func (o *Output) begin(b byte, out *strings.Builder) {
	switch {
	case b == 0x1b:
		o.at = escape
	case b == 0xc2:
		o.at = second
	case b >= ' ' && b != 0x7f, b == '\n', b == '\t', b == '\r', b == '\b':
		out.WriteByte(b)
	}
}

// introduce takes the byte behind ESC.
func (o *Output) introduce(b byte, out *strings.Builder) {
	switch {
	case b == '[':
		o.open()
	case strings.IndexByte("]PX^_", b) >= 0:
		o.at = sequence
	case b >= ' ' && b <= '/':
		o.at = middle
	case b >= '0' && b <= '~':
		o.at = plain
	default:
		o.at = plain
		o.begin(b, out)
	}
}

func (o *Output) open() {
	o.at, o.held = control, append(o.held[:0], 0x1b, '[')
}

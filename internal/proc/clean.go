package proc

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Clean turns what a program printed into text for a model or a screen: valid
// UTF-8 without control characters but line feeds and tabs. Escape sequences
// go; carriage returns, backspaces and the sequences that move within a line
// or erase it are carried out, so that a progress bar is its last state.
// Each run of bytes that is not UTF-8 becomes one replacement character.
func Clean(b []byte) string {
	if plain(b) {
		return string(b)
	}
	c := cleaner{in: b}
	for len(c.in) > 0 {
		c.step()
	}
	c.flush()
	return c.out.String()
}

// plain reports whether nothing needs to be done.
func plain(b []byte) bool {
	for _, x := range b {
		if x < ' ' && x != '\n' && x != '\t' || x >= 0x7f {
			return false
		}
	}
	return true
}

// cleaner is a terminal of one line.
type cleaner struct {
	in   []byte
	out  strings.Builder
	line []rune
	at   int
	// noEnd says that no string terminator follows, so that hostile input is
	// not searched for one again and again.
	noEnd bool
	bad   bool // the last rune stood for bytes that are not UTF-8
}

// blank is a cell that nothing was written to.
const blank = rune(0)

func (c *cleaner) step() {
	r, n := utf8.DecodeRune(c.in)
	bad := r == utf8.RuneError && n == 1
	if bad && c.bad {
		c.in = c.in[1:]
		return
	}
	c.bad = bad
	switch {
	case r == '\n':
		c.in = c.in[1:]
		c.flush()
		c.out.WriteByte('\n')
	case r == '\r':
		c.in = c.in[1:]
		c.at = 0
	case r == '\b':
		c.in = c.in[1:]
		c.at = max(c.at-1, 0)
	case r == 0x1b:
		c.in = c.in[1:]
		c.escape()
	case r == 0x9b: // the same as ESC [
		c.in = c.in[n:]
		c.control()
	case r == 0x90, r == 0x98, r == 0x9d, r == 0x9e, r == 0x9f: // string openers, as after ESC
		c.in = c.in[n:]
		c.text(r == 0x9d)
	case r < ' ' && r != '\t', r >= 0x7f && r < 0xa0:
		c.in = c.in[n:]
	default:
		c.in = c.in[n:]
		c.put(r)
	}
}

func (c *cleaner) put(r rune) {
	if c.at < len(c.line) {
		c.line[c.at] = r
	} else {
		c.line = append(c.line, r)
	}
	c.at++
}

func (c *cleaner) flush() {
	for len(c.line) > 0 && c.line[len(c.line)-1] == blank {
		c.line = c.line[:len(c.line)-1]
	}
	for _, r := range c.line {
		if r == blank {
			r = ' '
		}
		c.out.WriteRune(r)
	}
	c.line, c.at = c.line[:0], 0
}

// escape reads what follows ESC.
func (c *cleaner) escape() {
	if len(c.in) == 0 {
		return
	}
	switch x := c.in[0]; {
	case x == '[':
		c.in = c.in[1:]
		c.control()
	case x == ']':
		c.in = c.in[1:]
		c.text(true)
	case x == 'P', x == 'X', x == '^', x == '_':
		c.in = c.in[1:]
		c.text(false)
	case x >= ' ' && x <= '/': // intermediates and one final, such as ESC ( B
		n := 1
		for n < len(c.in) && c.in[n] >= ' ' && c.in[n] <= '/' {
			n++
		}
		if n < len(c.in) && c.in[n] >= '0' && c.in[n] <= '~' {
			n++
		}
		c.in = c.in[n:]
	case x >= '0' && x <= '~':
		c.in = c.in[1:]
	}
}

// control reads a control sequence after its introducer and carries it out if
// it stays within the line.
func (c *cleaner) control() {
	n := 0
	for n < len(c.in) && c.in[n] >= '0' && c.in[n] <= '?' {
		n++
	}
	param := c.in[:n]
	for n < len(c.in) && c.in[n] >= ' ' && c.in[n] <= '/' {
		n++
	}
	if n == len(c.in) || c.in[n] < '@' || c.in[n] > '~' {
		c.in = c.in[n:] // broken off: what was of the sequence goes
		return
	}
	final := c.in[n]
	c.in = c.in[n+1:]
	arg, ok := number(param)
	if !ok {
		return
	}
	switch final {
	case 'C':
		c.move(c.at + max(arg, 1))
	case 'D':
		c.move(c.at - max(arg, 1))
	case 'G':
		c.move(max(arg, 1) - 1)
	case 'K':
		c.erase(arg)
	}
}

// farthest bounds a line that sequences lengthen.
const farthest = 1000

func (c *cleaner) move(to int) {
	to = max(to, 0)
	if to > len(c.line) {
		to = max(min(to, farthest), c.at)
		for len(c.line) < to {
			c.line = append(c.line, blank)
		}
	}
	c.at = to
}

// erase carries out "erase in line": 0 from here on, 1 up to here, 2 all.
func (c *cleaner) erase(what int) {
	at := min(c.at, len(c.line))
	switch what {
	case 0:
		c.line = c.line[:at]
	case 1:
		for i := range c.line[:at] {
			c.line[i] = blank
		}
	case 2:
		clear(c.line)
	}
}

// number reads the one decimal parameter of a sequence; none is zero.
func number(param []byte) (int, bool) {
	n := 0
	for _, x := range param {
		if x < '0' || x > '9' {
			return 0, false
		}
		n = min(n*10+int(x-'0'), farthest)
	}
	return n, true
}

// text drops a string sequence after its opener: up to its terminator; for an
// operating system command also up to BEL or the end of the line. Without a
// terminator only the opener is dropped, so that no output is hidden by it.
func (c *cleaner) text(command bool) {
	if command {
		i := bytes.IndexAny(c.in, "\x07\x1b\n\u009c")
		switch {
		case i < 0:
			c.in = nil
		case c.in[i] == '\n':
			c.in = c.in[i:]
		case c.in[i] == 0x07:
			c.in = c.in[i+1:]
		case c.in[i] == 0xc2:
			c.in = c.in[i+2:]
		default:
			c.in = c.in[i:] // ESC: a terminator, or another sequence that ends this one
			c.in = bytes.TrimPrefix(c.in, []byte("\x1b\\"))
		}
		return
	}
	if c.noEnd {
		return
	}
	i := bytes.Index(c.in, []byte("\x1b\\"))
	if i < 0 {
		c.noEnd = true
		return
	}
	c.in = c.in[i+2:]
}

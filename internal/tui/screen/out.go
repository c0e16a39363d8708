package screen

import (
	"slices"
	"strings"
)

// Bounds of what a state holds of the answer.
const (
	// tailLimit is the longest unfinished block in bytes. A longer one is
	// printed in pieces, so that a delta costs the same however long it grows.
	tailLimit = 32 << 10
	// copyLimit bounds what /copy can give: terminals take no more at once.
	copyLimit = 4 << 20
	// heldLimit is how many blocks wait for the end of a block of the answer.
	heldLimit = 100
)

// chain is a list of blocks, newest first, that grows without touching what
// an older state holds.
type chain struct {
	head *link
	n    int
}

type link struct {
	block Block
	next  *link
}

func (c chain) add(b Block) chain { return chain{&link{b, c.head}, c.n + 1} }

// list is the blocks, oldest first.
func (c chain) list() []Block {
	if c.n == 0 {
		return nil
	}
	list := make([]Block, 0, c.n)
	for l := c.head; l != nil; l = l.next {
		list = append(list, l.block)
	}
	slices.Reverse(list)
	return list
}

// answer is the source of the last response's text, for /copy.
type answer struct {
	pieces *piece
	size   int
	// again says that a new response began: its first text replaces this.
	again bool
	// cut says that it was too long to keep whole.
	cut bool
	// opener is how many bytes at the start of Tail repeat a fence that was cut
	// and are no part of the answer.
	opener int
}

type piece struct {
	text string
	next *piece
}

func (a answer) add(text string) answer {
	if a.size+len(text) > copyLimit {
		a.cut = true
		return a
	}
	a.pieces, a.size = &piece{text, a.pieces}, a.size+len(text)
	return a
}

func (a answer) text() string {
	var list []string
	for p := a.pieces; p != nil; p = p.next {
		list = append(list, p.text)
	}
	slices.Reverse(list)
	return strings.Join(list, "")
}

// Drain takes the finished blocks out of the state, in order.
func Drain(s State) (State, []Block) {
	list := s.out.list()
	s.out = chain{}
	return s, list
}

// Settle turns the first n bytes of Tail into a finished block: the caller
// knows where the last block of the Markdown begins.
func Settle(s State, n int) State {
	return s.settle(min(max(n, 0), len(s.Tail)), false)
}

func (s State) settle(n int, more bool) State {
	if n == 0 {
		return s
	}
	text, opener := s.Tail[:n], s.answer.opener
	s.answer = s.answer.add(text[min(opener, n):])
	s.answer.opener = max(opener-n, 0)
	s.Tail, s.TailMore = s.Tail[n:], more
	if n > opener && strings.TrimSpace(text) != "" {
		s.out = s.out.add(Answer{Markdown: text, More: more})
	}
	if more && !s.urgent {
		return s
	}
	return s.release()
}

// emit finishes a block: what was open before it is finished first.
func (s State) emit(b Block) State {
	s = s.flush()
	s.out = s.out.add(b)
	return s
}

// interject finishes a block that belongs to no place in the answer. While a
// block of the answer is open it waits for the end of that; what the user asked
// for waits for the next piece of it only.
func (s State) interject(b Block) State {
	if strings.TrimSpace(s.Tail) == "" || s.held.n >= heldLimit {
		return s.emit(b)
	}
	if _, calm := b.(Notice); !calm {
		s.urgent = true
	}
	s.held = s.held.add(b)
	return s
}

// flush finishes the open block of the answer.
func (s State) flush() State { return s.settle(len(s.Tail), false).release() }

// release lets out what waited for the end of a block.
func (s State) release() State {
	for _, b := range s.held.list() {
		s.out = s.out.add(b)
	}
	s.held, s.urgent = chain{}, false
	return s
}

// said adds a delta to the answer.
func (s State) said(text string) State {
	if s.answer.again {
		s.answer = answer{}
	}
	// A long delta is taken in pieces: what is kept of it stays small.
	for text != "" {
		part := clipHead(text, tailLimit)
		text = text[len(part):]
		s.Tail += part
		for len(s.Tail) > tailLimit {
			s = s.cutTail()
		}
	}
	return s
}

// cutTail prints most of a block that has grown too long. A code fence that is
// cut is opened again, so that the rest of it stays code.
func (s State) cutTail() State {
	n := strings.LastIndexByte(s.Tail[:tailLimit], '\n') + 1
	if n < tailLimit/2 {
		n = len(clipHead(s.Tail, tailLimit))
	}
	opener := openFence(s.Tail[:n])
	s = s.settle(n, true)
	if opener != "" {
		s.Tail = opener + s.Tail
		s.answer.opener = len(opener)
	}
	return s
}

// openFence is the line that opened the code fence in which the text ends,
// with its line end; empty when it ends outside of one.
func openFence(text string) string {
	const longest = 256
	open, mark := "", ""
	for line := range strings.Lines(text) {
		body := strings.TrimLeft(line, " \t>")
		run := len(body) - len(strings.TrimLeft(body, "`"))
		if run == 0 {
			run = len(body) - len(strings.TrimLeft(body, "~"))
		}
		switch {
		case run < 3:
		case open == "":
			if info := strings.TrimRight(body[run:], "\r\n"); len(line) <= longest && !strings.Contains(info, "`") {
				open, mark = strings.TrimRight(line, "\r\n")+"\n", body[:run]
			}
		case strings.HasPrefix(body[:run], mark) && strings.TrimSpace(body[run:]) == "":
			open, mark = "", ""
		}
	}
	return open
}

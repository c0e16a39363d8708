package tui

import (
	"bytes"
	"strings"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// input is one thing that the terminal sent: a pressed key, a pasted text, a
// change of focus, or an answer to a question.
type input struct {
	// name and text are those of a key; paste is a pasted text when pasted is
	// set.
	name, text string
	pasted     bool
	paste      string
	// focus is 1 when the terminal got the focus, -1 when it lost it.
	focus int
	// mode is a mode that the terminal told about, and known whether it has it.
	mode  ansi.Mode
	known bool
	// ground is 1 for a dark background, -1 for a light one.
	ground int
	// placed says that the cursor stands on this row of the screen, from 0;
	// size is that of the terminal, in columns and rows.
	placed bool
	row    int
	size   [2]int
}

// Bounds of what is read.
const (
	mostPaste    = 64 << 20 // bytes of one paste
	mostSequence = 4 << 10  // bytes of one escape sequence
	leastBurst   = 16       // bytes that come at once when they were not typed
)

// The marks around a pasted text.
const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// scanner makes inputs of the bytes that a terminal sends.
type scanner struct {
	dec     uv.EventDecoder
	buf     []byte
	pasting bool
	seen    int // how much of a paste holds no end
	// marks says that the terminal marks pasted texts.
	marks bool
}

// feed takes bytes in. Some of them may wait for more.
func (s *scanner) feed(b []byte) []input {
	if !s.pasting && len(s.buf) == 0 && s.burst(b) {
		return []input{{pasted: true, paste: string(b)}}
	}
	s.buf = append(s.buf, b...)
	return s.scan(false)
}

// expire gives what waits: no more came in time.
func (s *scanner) expire() []input { return s.scan(true) }

// waits reports whether bytes wait for more; then expire is to be called when
// nothing comes.
func (s *scanner) waits() bool { return len(s.buf) > 0 || s.pasting }

// burst reports whether bytes are a pasted text that the terminal did not
// mark: several lines at once, which nobody types. Enter alone at the end is
// none of it, so a line with enter behind it is sent.
func (s *scanner) burst(b []byte) bool {
	if s.marks || len(b) < leastBurst || bytes.IndexByte(b, ansi.ESC) >= 0 {
		return false
	}
	i := bytes.IndexAny(b, "\r\n")
	return i >= 0 && len(bytes.TrimRight(b[i:], "\r\n")) > 0
}

func (s *scanner) scan(expired bool) []input {
	var list []input
	for len(s.buf) > 0 {
		if s.pasting {
			paste, whole := s.pasteDone(expired)
			if !whole {
				break
			}
			list = append(list, paste)
			continue
		}
		if bytes.HasPrefix(s.buf, []byte(pasteStart)) {
			s.drop(len(pasteStart))
			s.pasting, s.seen, s.marks = true, 0, true
			continue
		}
		if b := s.buf[0]; b >= 0x80 && b < 0xa0 {
			// A control of one byte is read in its form of two, which the decoder
			// reads with more care.
			s.buf = append([]byte{ansi.ESC, b - 0x40}, s.buf[1:]...)
		}
		if !expired && s.partial() {
			break
		}
		n, e := s.decode()
		if _, unknown := e.(uv.UnknownEvent); unknown && !expired && s.buf[0] == ansi.ESC && len(s.buf) < mostSequence {
			break
		}
		s.drop(n)
		list = s.add(list, e)
	}
	if expired && s.pasting && len(s.buf) == 0 {
		s.pasting = false
	}
	return list
}

// decode reads the event that the buffer begins with. Bytes on which the decoder
// breaks down are dropped: no byte that a terminal sends may end the program.
func (s *scanner) decode() (n int, e uv.Event) {
	defer func() {
		if recover() != nil {
			n, e = 1, uv.UnknownEvent(s.buf[:1])
		}
	}()
	n, e = s.dec.Decode(s.buf)
	return max(n, 1), e
}

// partial reports whether the buffer begins with what may be the beginning of
// something longer.
func (s *scanner) partial() bool {
	if s.buf[0] != ansi.ESC {
		return !utf8.FullRune(s.buf)
	}
	return len(s.buf) == 1 || len(s.buf) == 2 && strings.IndexByte("[O]P_^X", s.buf[1]) >= 0
}

// pasteDone takes a paste out of the buffer when its end is there, or when
// nothing more came.
func (s *scanner) pasteDone(expired bool) (input, bool) {
	at := bytes.Index(s.buf[s.seen:], []byte(pasteEnd))
	switch {
	case at >= 0:
		text := string(s.buf[:s.seen+at])
		s.drop(s.seen + at + len(pasteEnd))
		s.pasting = false
		return input{pasted: true, paste: text}, true
	case expired || len(s.buf) > mostPaste:
		text := string(s.buf)
		s.drop(len(s.buf))
		// What still comes of it is pasted as well.
		s.pasting, s.seen = !expired, 0
		return input{pasted: true, paste: text}, true
	}
	s.seen = max(len(s.buf)-len(pasteEnd)+1, 0)
	return input{}, false
}

func (s *scanner) drop(n int) {
	s.buf = s.buf[min(n, len(s.buf)):]
	if len(s.buf) == 0 && cap(s.buf) > 1<<20 {
		s.buf = nil
	}
}

// add makes an input of what was decoded.
func (s *scanner) add(list []input, e uv.Event) []input {
	switch e := e.(type) {
	case uv.MultiEvent:
		for _, one := range e {
			// What may be a key as well is taken for an answer: no such key
			// means anything here.
			if at, ok := one.(uv.CursorPositionEvent); ok {
				return s.add(list, at)
			}
		}
		for _, one := range e {
			list = s.add(list, one)
		}
	case uv.CursorPositionEvent:
		list = append(list, input{placed: true, row: max(e.Y, 0)})
	case uv.WindowSizeEvent:
		list = append(list, input{size: [2]int{e.Width, e.Height}})
	case uv.KeyPressEvent:
		list = append(list, input{name: uv.Key(e).String(), text: e.Text})
	case uv.PasteEvent:
		list = append(list, input{pasted: true, paste: e.Content})
	case uv.FocusEvent:
		list = append(list, input{focus: 1})
	case uv.BlurEvent:
		list = append(list, input{focus: -1})
	case uv.ModeReportEvent:
		known := !e.Value.IsNotRecognized()
		if e.Mode == ansi.ModeBracketedPaste && known {
			s.marks = true
		}
		list = append(list, input{mode: e.Mode, known: known})
	case uv.BackgroundColorEvent:
		ground := -1
		if e.IsDark() {
			ground = 1
		}
		list = append(list, input{ground: ground})
	}
	return list
}

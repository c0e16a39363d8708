package openai

import "strings"

// The marks that models of local servers write around their thinking.
const (
	thinkOpen  = "<think>"
	thinkClose = "</think>"
)

// inlineThought takes thinking out of a text that begins with it, as servers
// send it that do not know the marks of the model they serve. Marks that stand
// anywhere else are text. The zero value is ready.
type inlineThought struct {
	state thoughtState
	held  string // may be a part of a mark
}

type thoughtState int

const (
	thoughtMay   thoughtState = iota // nothing but space has come
	thoughtOpen                      // within the marks
	thoughtShut                      // behind them, before any text
	thoughtNever                     // all that follows is text
)

// add takes in a piece of text and returns what is known of it by now.
func (t *inlineThought) add(s string) (thought, text string) {
	if t.state == thoughtNever {
		return "", s
	}
	t.held += s
	if t.state == thoughtMay {
		switch rest := strings.TrimLeft(t.held, " \t\r\n"); {
		case strings.HasPrefix(rest, thinkOpen):
			t.state, t.held = thoughtOpen, rest[len(thinkOpen):]
		case !strings.HasPrefix(thinkOpen, rest):
			t.state = thoughtNever
			return "", t.release()
		}
	}
	if t.state == thoughtOpen {
		before, after, closed := strings.Cut(t.held, thinkClose)
		if closed {
			thought, t.state, t.held = before, thoughtShut, after
		} else {
			keep := overlap(t.held, thinkClose)
			thought, t.held = t.held[:len(t.held)-keep], t.held[len(t.held)-keep:]
		}
	}
	if t.state == thoughtShut {
		if t.held = strings.TrimLeft(t.held, " \t\r\n"); t.held != "" {
			t.state, text = thoughtNever, t.release()
		}
	}
	return thought, text
}

// end returns what was held back at the end of the text.
func (t *inlineThought) end() (thought, text string) {
	if t.state == thoughtOpen {
		return t.release(), ""
	}
	return "", t.release()
}

func (t *inlineThought) release() string {
	held := t.held
	t.held = ""
	return held
}

// overlap is the length of the longest end of s with which mark begins.
func overlap(s, mark string) int {
	for n := min(len(s), len(mark)-1); n > 0; n-- {
		if strings.HasSuffix(s, mark[:n]) {
			return n
		}
	}
	return 0
}

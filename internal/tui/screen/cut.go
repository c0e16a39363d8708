package screen

// Cut is Settle for a block of Markdown that had to be cut: its first n bytes
// become a finished block that goes on in the next one when more is set, and
// reopen stands before the rest so that it stays what it was, as the line that
// opened a code fence does. Reopen is no part of the answer.
func Cut(s State, n int, reopen string, more bool) State {
	n = min(max(n, 0), len(s.Tail))
	if n == 0 {
		return s
	}
	s = s.settle(n, more)
	if reopen != "" {
		s.Tail = reopen + s.Tail[s.answer.opener:]
		s.answer.opener = len(reopen)
	}
	return s
}

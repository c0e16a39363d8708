package compress

import (
	"fmt"
	"unicode/utf8"
)

// longestBlock is how many lines a block that repeats may have.
const longestBlock = 4

// collapse puts a count in place of blocks that repeat one after another.
func collapse(lines []line) []line {
	out := make([]line, 0, len(lines))
	for i := 0; i < len(lines); {
		size, times := repeats(lines[i:])
		out = append(out, lines[i:i+size]...)
		if times > 1 {
			out[len(out)-1].count(size, times-1)
		}
		i += size * times
	}
	return out
}

// repeats finds the block at the beginning that saves most lines: its size and
// how often it comes. Fewer than three lines saved are not worth a note.
func repeats(lines []line) (size, times int) {
	size, times = 1, 1
	saved := 2
	for s := 1; s <= longestBlock && 2*s <= len(lines); s++ {
		n := s
		for n < len(lines) && lines[n].text == lines[n-s].text {
			n++
		}
		if t := n / s; (t-1)*s > saved {
			size, times, saved = s, t, (t-1)*s
		}
	}
	return size, times
}

// count adds a note to the last line of a block, so that the two are kept or
// cut together.
func (l *line) count(size, more int) {
	text := fmt.Sprintf("[the line above comes %d more times]", more)
	if size > 1 {
		text = fmt.Sprintf("[the %d lines above come %d more times]", size, more)
	}
	l.text += "\n" + text
	l.cost += utf8.RuneCountInString(text) + 1
	l.rows++
	l.stands += size * more
}

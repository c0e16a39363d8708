package edit

import "strings"

// ending is the line end at a place: of the first line that ends in it, else of
// the line that it stands in, else of the line before; "\n" when there is none.
func ending(content string, s span) string {
	if i := strings.IndexByte(content[s.start:], '\n'); i >= 0 {
		return endAt(content, s.start+i)
	}
	if i := strings.LastIndexByte(content[:s.start], '\n'); i >= 0 {
		return endAt(content, i)
	}
	return "\n"
}

// endAt is the line end whose line feed is at i.
func endAt(content string, i int) string {
	if i > 0 && content[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// fit gives new text the line ends of its place. Carriage returns that the
// edit names itself are meant: they stay, unless the old text had them too and
// the file does not.
func fit(text, old, tier, end string) string {
	switch {
	case strings.Contains(old, "\r\n"):
		if tier == Exact {
			return text
		}
		text = strings.ReplaceAll(text, "\r\n", "\n")
	case strings.Contains(text, "\r\n"):
		return text
	}
	return WithEnds(text, end)
}

// WithEnds gives every line of a text the line end "\n" or "\r\n".
func WithEnds(text, end string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if end == "\r\n" {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

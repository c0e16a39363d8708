package tool

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

// titleWidth is the most characters of a title.
const titleWidth = 120

// Title is the load-bearing argument of an input in one line, for people: the
// command, the path, the question. The input may be incomplete or no JSON at
// all; then the title is empty.
func (t Tool) Title(input string) string {
	if t.t == nil {
		return ""
	}
	var args map[string]any
	if json.Unmarshal([]byte(input), &args) != nil {
		return ""
	}
	return line(args[t.TitleArgument()])
}

// TitleArgument is the name of the load-bearing argument; empty when there is
// none.
func (t Tool) TitleArgument() string {
	if t.t == nil {
		return ""
	}
	if t.t.Definition.Title != "" {
		return t.t.Definition.Title
	}
	s, err := t.t.schema()
	if err != nil || s.root == nil || len(s.root.Required) == 0 {
		return ""
	}
	return s.root.Required[0]
}

// line writes a value in one line that is safe to draw.
func line(v any) string {
	var s string
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		s = v
	case []any:
		if len(v) == 0 {
			return ""
		}
		s = fmt.Sprintf("%d items", len(v))
	default:
		b, err := json.Marshal(v)
		if err != nil {
			return ""
		}
		s = string(b)
	}
	s, rest, more := strings.Cut(strings.TrimSpace(s), "\n")
	clean := []rune(strings.Map(func(r rune) rune {
		if r == '\t' {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s))
	if len(clean) >= titleWidth {
		return string(clean[:titleWidth-1]) + "…"
	}
	if more && strings.TrimSpace(rest) != "" {
		return string(clean) + " …"
	}
	return string(clean)
}

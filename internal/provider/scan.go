package provider

import (
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf8"
)

var errScan = errors.New("not a JSON object")

// Fields calls fn with the name and raw value of each member of a JSON object,
// in order, until fn returns false. It walks the text once and copies nothing:
// a stream of many small events is read at a small part of the cost of a full
// decoding. It checks only what it needs to find the members; names with
// escapes are given as written.
func Fields(doc []byte, fn func(name, value []byte) bool) error {
	i := space(doc, 0)
	if i >= len(doc) || doc[i] != '{' {
		return errScan
	}
	i = space(doc, i+1)
	if i < len(doc) && doc[i] == '}' {
		return nil
	}
	for i < len(doc) {
		end := skipString(doc, i)
		if end < 0 {
			return errScan
		}
		name := doc[i+1 : end-1]
		i = space(doc, end)
		if i >= len(doc) || doc[i] != ':' {
			return errScan
		}
		i = space(doc, i+1)
		if end = skipValue(doc, i); end < 0 {
			return errScan
		}
		if !fn(name, doc[i:end]) {
			return nil
		}
		if i = space(doc, end); i >= len(doc) {
			return errScan
		}
		switch doc[i] {
		case '}':
			return nil
		case ',':
			i = space(doc, i+1)
		default:
			return errScan
		}
	}
	return errScan
}

// space returns the index of the next byte that is no white space.
func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the index after the string that begins at i, -1 when
// there is none.
func skipString(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		return -1
	}
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// skipValue returns the index after the value that begins at i, -1 when there
// is none.
func skipValue(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		depth := 0
		for i < len(b) {
			switch b[i] {
			case '"':
				if i = skipString(b, i); i < 0 {
					return -1
				}
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
		return -1
	}
	start := i
	for i < len(b) && b[i] != ',' && b[i] != '}' && b[i] != ']' && b[i] > ' ' {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

// Unquote returns the text of a raw JSON string; anything else is empty.
func Unquote(raw []byte) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	in := raw[1 : len(raw)-1]
	for i := 0; i < len(in); i++ {
		if in[i] == '\\' {
			return unescape(raw)
		}
	}
	if !utf8.Valid(in) {
		return unescape(raw)
	}
	return string(in)
}

func unescape(raw []byte) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// Int returns a raw JSON number as an int; anything else is 0.
func Int(raw []byte) int {
	if n, err := strconv.Atoi(string(raw)); err == nil {
		return n
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f != f || f > 1e15 || f < -1e15 {
		return 0
	}
	return int(f)
}

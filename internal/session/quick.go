package session

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"assent/internal/llm"
)

// Results are nearly all of a long session's bytes. quickResult reads one that
// encode wrote about five times as fast as the JSON decoder; it gives up on
// anything that it does not know, and the decoder has the last word there.
func quickResult(line []byte) (r Result, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"type":"result",`))
	if !ok {
		return r, false
	}
	for {
		key, after, ok := quickString(rest)
		if !ok || len(after) == 0 || after[0] != ':' {
			return r, false
		}
		value, after, ok := quickString(after[1:])
		if !ok || len(after) == 0 {
			return r, false
		}
		switch key {
		case "id", "parent", "time":
		case "callId":
			r.CallID = value
		case "name":
			r.Name = value
		case "status":
			r.Status = llm.Status(value)
		case "output":
			r.Output = value
		case "artifact":
			r.Artifact = value
		case "summary":
			r.Summary = value
		case "diff":
			r.Diff = value
		default:
			return r, false
		}
		if after[0] == '}' && len(after) == 1 {
			return r, true
		}
		if n, found := quickDuration(after); found {
			r.DurationMS = n
			return r, true
		}
		if after[0] != ',' {
			return r, false
		}
		rest = after[1:]
	}
}

// quickDuration reads the duration, which is the last field where there is
// one.
func quickDuration(b []byte) (n int64, ok bool) {
	b, ok = bytes.CutPrefix(b, []byte(`,"durationMs":`))
	if !ok || len(b) < 2 || len(b) > 16 || b[0] == '0' || b[len(b)-1] != '}' {
		return 0, false
	}
	for _, c := range b[:len(b)-1] {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	return n, true
}

// quickString reads a JSON string with its quotes and gives what follows it.
func quickString(b []byte) (s string, rest []byte, ok bool) {
	if len(b) == 0 || b[0] != '"' {
		return "", nil, false
	}
	escapes := false
	for i := 1; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			lit := b[1:i]
			switch {
			case !utf8.Valid(lit):
				return "", nil, false
			case escapes:
				s, ok = unescape(lit)
			default:
				s, ok = string(lit), true
			}
			return s, b[i+1:], ok
		case c == '\\':
			escapes = true
			i++
		case c < ' ':
			return "", nil, false
		}
	}
	return "", nil, false
}

// simple are the escapes of one letter.
var simple = [256]byte{'n': '\n', 't': '\t', '"': '"', '\\': '\\', 'r': '\r', '/': '/', 'b': '\b', 'f': '\f'}

// unescape resolves the escapes of a string that is valid UTF-8; those by
// number go to the JSON decoder.
func unescape(lit []byte) (string, bool) {
	out := make([]byte, 0, len(lit))
	for {
		i := bytes.IndexByte(lit, '\\')
		if i < 0 {
			return string(append(out, lit...)), true
		}
		out = append(out, lit[:i]...)
		c := lit[i+1]
		if simple[c] != 0 {
			out, lit = append(out, simple[c]), lit[i+2:]
			continue
		}
		end := i
		for len(lit)-end >= 6 && lit[end] == '\\' && lit[end+1] == 'u' {
			end += 6
		}
		var s string
		if end == i || json.Unmarshal([]byte(`"`+string(lit[i:end])+`"`), &s) != nil {
			return "", false
		}
		out, lit = append(out, s...), lit[end:]
	}
}

package session

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"assent/internal/llm"
	"assent/internal/policy"
)

// Most lines of a long session hold a few strings and a number. The quick way
// reads those that encode wrote several times as fast as the JSON decoder; it
// gives up on anything that it does not know, and the decoder has the last word
// there.

// quickBody reads a record the quick way.
func quickBody(word string, line []byte) (Record, bool) {
	switch word {
	case "result":
		return record(quickResult(line))
	case "call":
		return record(quickCall(line))
	case "assistant":
		return record(quickAssistant(line))
	case "user":
		return record(quickUser(line))
	case "notice":
		return record(quickNotice(line))
	}
	return nil, false
}

// record forgets which type a record has.
func record[R Record](r R, is bool) (Record, bool) { return r, is }

// field takes a field that is no string, or one that is, and says whether it
// knows it.
type field struct {
	text   func(key []byte, value string) bool
	number func(key []byte, n int64) bool
	// other reads any other value and gives what follows it.
	other func(key, rest []byte) (after []byte, ok bool)
}

// quick reads the fields of a line behind its type.
func quick(line []byte, word string, f field) bool {
	rest, is := bytes.CutPrefix(line, []byte(`{"type":"`))
	if rest, is = lead(rest, is, word); !is {
		return false
	}
	if rest, is = lead(rest, is, `",`); !is {
		return false
	}
	return quickFields(rest, f)
}

func lead(b []byte, is bool, prefix string) ([]byte, bool) {
	if !is || len(b) < len(prefix) || string(b[:len(prefix)]) != prefix {
		return b, false
	}
	return b[len(prefix):], true
}

// quickFields reads fields up to the brace that ends the line.
func quickFields(rest []byte, f field) bool {
	for {
		after, is := quickField(rest, f)
		switch {
		case !is || len(after) == 0:
			return false
		case after[0] == '}':
			return len(after) == 1
		case after[0] != ',':
			return false
		}
		rest = after[1:]
	}
}

// quickField reads one field and gives what follows it.
func quickField(b []byte, f field) (after []byte, is bool) {
	key, rest, is := quickKey(b)
	if !is || len(rest) == 0 {
		return nil, false
	}
	switch c := rest[0]; {
	case c == '"' && inHead(key):
		return quickSkip(rest[1:])
	case c == '"':
		value, after, is := quickString(rest)
		return after, is && f.text(key, value)
	case c >= '0' && c <= '9' && f.number != nil:
		n, after, is := quickNumber(rest)
		return after, is && f.number(key, n)
	case f.other != nil:
		return f.other(key, rest)
	}
	return nil, false
}

// quickSkip passes over a string without escapes.
func quickSkip(b []byte) (after []byte, is bool) {
	for i, c := range b {
		switch {
		case c == '"':
			return b[i+1:], true
		case c < ' ', c == '\\', c >= utf8.RuneSelf:
			return nil, false
		}
	}
	return nil, false
}

// inHead says that a field is one that quickHead reads.
func inHead(key []byte) bool {
	switch string(key) {
	case "id", "parent", "time":
		return true
	}
	return false
}

// quickKey reads the name of a field and its colon.
func quickKey(b []byte) (key, rest []byte, is bool) {
	if len(b) == 0 || b[0] != '"' {
		return nil, nil, false
	}
	for i := 1; i < len(b)-1; i++ {
		switch c := b[i]; {
		case c == '"':
			return b[1:i], b[i+2:], b[i+1] == ':'
		case c < 'A' || c > 'z' || c == '\\':
			return nil, nil, false
		}
	}
	return nil, nil, false
}

// quickNumber reads a number that is whole, not negative and below 10^15.
func quickNumber(b []byte) (n int64, rest []byte, is bool) {
	i := 0
	for ; i < len(b) && b[i] >= '0' && b[i] <= '9'; i++ {
		n = 10*n + int64(b[i]-'0')
		if i == 15 {
			return 0, nil, false
		}
	}
	if i == 0 || b[0] == '0' && i > 1 || i < len(b) && b[i] != ',' && b[i] != '}' {
		return 0, nil, false
	}
	return n, b[i:], true
}

func quickResult(line []byte) (r Result, is bool) {
	is = quick(line, "result", field{
		text: func(key []byte, value string) bool {
			switch string(key) {
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
				return false
			}
			return true
		},
		number: func(key []byte, n int64) bool {
			r.DurationMS = n
			return string(key) == "durationMs"
		},
	})
	return r, is
}

func quickCall(line []byte) (r Call, is bool) {
	is = quick(line, "call", field{text: func(key []byte, value string) bool {
		switch string(key) {
		case "callId":
			r.CallID = value
		case "name":
			r.Name = value
		case "title":
			r.Title = value
		case "decision":
			r.Decide = policy.Verdict(value)
		case "by":
			r.By = policy.By(value)
		case "rule":
			r.Rule = value
		case "source":
			r.Source = value
		case "reason":
			r.Reason = value
		default:
			return false
		}
		return true
	}})
	return r, is
}

func quickUser(line []byte) (r User, is bool) {
	is = quick(line, "user", field{
		text: func(key []byte, value string) bool {
			switch string(key) {
			case "text":
				r.Text = value
			case "expanded":
				r.Expanded = value
			default:
				return false
			}
			return true
		},
		number: func(key []byte, n int64) bool {
			r.Turn = int(n)
			return string(key) == "turn" && n < 1<<31
		},
	})
	return r, is
}

func quickNotice(line []byte) (r Notice, is bool) {
	is = quick(line, "notice", field{text: func(key []byte, value string) bool {
		r.Text = value
		return string(key) == "text"
	}})
	return r, is
}

func quickAssistant(line []byte) (r Assistant, is bool) {
	is = quick(line, "assistant", field{
		text: func(key []byte, value string) bool {
			switch string(key) {
			case "text":
				r.Text = value
			case "stop":
				r.Stop = llm.Stop(value)
			case "provider":
				r.Provider = value
			case "model":
				r.Model = value
			default:
				return false
			}
			return true
		},
		other: func(key, rest []byte) (after []byte, is bool) {
			if string(key) != "calls" || r.Calls != nil {
				return nil, false
			}
			r.Calls, after, is = quickCalls(rest)
			return after, is
		},
	})
	return r, is
}

// quickCalls reads the list of an assistant record's calls.
func quickCalls(b []byte) (calls []SaidCall, rest []byte, is bool) {
	if len(b) == 0 || b[0] != '[' {
		return nil, nil, false
	}
	for rest = b[1:]; ; rest = rest[1:] {
		var c SaidCall
		if c, rest, is = quickSaid(rest); !is || len(rest) == 0 {
			return nil, nil, false
		}
		calls = append(calls, c)
		if rest[0] == ']' {
			return calls, rest[1:], true
		}
		if rest[0] != ',' {
			return nil, nil, false
		}
	}
}

// quickSaid reads one call as MarshalJSON writes it: id, name, input.
func quickSaid(b []byte) (c SaidCall, rest []byte, is bool) {
	if rest, is = lead(b, true, `{"id":`); !is {
		return c, nil, false
	}
	if c.ID, rest, is = quickString(rest); !is {
		return c, nil, false
	}
	if rest, is = lead(rest, is, `,"name":`); !is {
		return c, nil, false
	}
	if c.Name, rest, is = quickString(rest); !is {
		return c, nil, false
	}
	if rest, is = lead(rest, is, `,"input":{`); !is {
		return c, nil, false
	}
	// The object goes to the brace that closes it; that it is one is checked.
	raw := b[len(b)-len(rest)-1:]
	depth, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		switch ch := raw[i]; {
		case ch == '\\' && quoted:
			i++
		case ch == '"':
			quoted = !quoted
		case quoted:
		case ch == '{':
			depth++
		case ch == '}':
			if depth--; depth > 0 {
				continue
			}
			c.Input = bytes.Clone(raw[:i+1])
			rest, is = lead(raw[i+1:], json.Valid(c.Input), "}")
			return c, rest, is
		}
	}
	return c, nil, false
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

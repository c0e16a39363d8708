package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"assent/internal/jsonl"
)

// encode writes one line: the Meta first, so that listings find it without
// decoding the rest, then the fields of the record.
func encode(m Meta, r Record) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(256)
	b.WriteString(`{"type":"`)
	b.WriteString(r.Type())
	b.WriteString(`","id":`)
	b.Write(appendID(b.AvailableBuffer(), m.ID))
	if m.Parent != "" {
		b.WriteString(`,"parent":`)
		b.Write(appendID(b.AvailableBuffer(), m.Parent))
	}
	b.WriteString(`,"time":"`)
	b.WriteString(m.Time.UTC().Format(time.RFC3339Nano))
	b.WriteByte('"')
	at := b.Len()
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return nil, fmt.Errorf("encode %s record: %w", r.Type(), err)
	}
	line := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	if len(line) == at+2 { // "{}"
		return append(line[:at], '}'), nil
	}
	line[at] = ','
	return line, nil
}

// appendID adds an id as JSON. Those of ours need no escapes; another writer's
// may, as a parent, and must not make a line that nobody reads.
func appendID(b []byte, id string) []byte {
	if strings.ContainsFunc(id, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == utf8.RuneError }) {
		if quoted, err := json.Marshal(id); err == nil {
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), id...), '"')
}

// head is the part of a line that every type has.
type head struct {
	Meta
	Type string `json:"type"`
}

// decode reads one line. kind is empty when it is a record.
func decode(line []byte) (e Entry, kind jsonl.Kind) {
	h, ok := quickHead(line)
	if !ok {
		if err := json.Unmarshal(line, &h); err != nil {
			if json.Valid(line) && line[0] == '{' {
				return Entry{}, jsonl.Invalid
			}
			return Entry{}, jsonl.Malformed
		}
	}
	r, err := decodeBody(h.Type, line)
	if err != nil {
		if json.Valid(line) {
			return Entry{}, jsonl.Invalid
		}
		return Entry{}, jsonl.Malformed
	}
	if h.Type == "" || h.ID == "" || nameless(r) {
		return Entry{}, jsonl.Invalid
	}
	return Entry{Meta: h.Meta, Record: r}, ""
}

// nameless says that a record tells of a call and not of which: every call has an
// id when it is stored.
func nameless(r Record) bool {
	switch r := r.(type) {
	case Call:
		return r.CallID == ""
	case Result:
		return r.CallID == ""
	case Assistant:
		return slices.ContainsFunc(r.Calls, func(c SaidCall) bool { return c.ID == "" })
	default:
		return false
	}
}

// quickHead reads the head that encode wrote without a JSON decoder. It gives
// up on anything else; that the line as a whole is JSON is checked later.
func quickHead(line []byte) (h head, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"type":"`))
	if !ok {
		return h, false
	}
	var word, stamp []byte
	if word, rest, ok = plain(rest); !ok {
		return h, false
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(`,"id":"`)); !ok {
		return h, false
	}
	var id, parent []byte
	if id, rest, ok = plain(rest); !ok {
		return h, false
	}
	if r, has := bytes.CutPrefix(rest, []byte(`,"parent":"`)); has {
		if parent, rest, ok = plain(r); !ok {
			return h, false
		}
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(`,"time":"`)); !ok {
		return h, false
	}
	if stamp, _, ok = plain(rest); !ok {
		return h, false
	}
	t, err := time.Parse(time.RFC3339Nano, string(stamp))
	if err != nil || !utf8.Valid(id) || !utf8.Valid(parent) { // the decoder replaces what is no text
		return h, false
	}
	return head{Meta{string(id), string(parent), t}, string(word)}, true
}

// plain reads a string without escapes up to its closing quote.
func plain(b []byte) (s, rest []byte, ok bool) {
	i := bytes.IndexAny(b, "\"\\")
	if i < 0 || b[i] == '\\' {
		return nil, nil, false
	}
	return b[:i], b[i+1:], true
}

func decodeBody(word string, line []byte) (Record, error) {
	if r, ok := quickBody(word, line); ok {
		return r, nil
	}
	switch word {
	case "session":
		return as[Header](line)
	case "user":
		return as[User](line)
	case "steer":
		return as[Steer](line)
	case "withdrawn":
		return as[Withdrawn](line)
	case "assistant":
		return as[Assistant](line)
	case "call":
		return as[Call](line)
	case "result":
		return as[Result](line)
	case "ask":
		return as[Ask](line)
	case "ask_dismissed":
		return as[AskDismissed](line)
	case "summary":
		return as[Summary](line)
	case "todo":
		return as[Todo](line)
	case "agent":
		return as[Agent](line)
	case "model":
		return as[Model](line)
	case "undo":
		return as[Undo](line)
	case "label":
		return as[Label](line)
	case "usage":
		return as[Usage](line)
	case "timing":
		return as[Timing](line)
	case "title":
		return as[Title](line)
	case "notice":
		return as[Notice](line)
	}
	if !json.Valid(line) {
		return nil, fmt.Errorf("decode record: not JSON")
	}
	return Unknown{Word: word, Raw: bytes.Clone(line)}, nil
}

func as[R Record](line []byte) (Record, error) {
	var r R
	if err := json.Unmarshal(line, &r); err != nil {
		return nil, fmt.Errorf("decode record: %w", err)
	}
	return r, nil
}

// saidCall is the form of a SaidCall in the file.
type saidCall struct {
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input,omitempty"`
	Text  *string         `json:"inputText,omitempty"`
}

// MarshalJSON writes input that is not JSON as a string.
func (c SaidCall) MarshalJSON() ([]byte, error) {
	s := saidCall{ID: c.ID, Name: c.Name}
	if json.Valid(c.Input) {
		s.Input = c.Input
	} else {
		text := string(c.Input)
		s.Text = &text
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(s)
	return b.Bytes(), err
}

// UnmarshalJSON reads both forms of the input.
func (c *SaidCall) UnmarshalJSON(b []byte) error {
	var s saidCall
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	*c = SaidCall{ID: s.ID, Name: s.Name, Input: s.Input}
	if s.Text != nil {
		c.Input = json.RawMessage(*s.Text)
	}
	return nil
}

// MarshalJSON gives the raw line back.
func (u Unknown) MarshalJSON() ([]byte, error) { return u.Raw, nil }

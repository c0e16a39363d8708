package openai

import (
	"bytes"
	"encoding/json"
	"strings"

	"assent/internal/wireview"
)

// detail is one of reasoning_details while its pieces arrive. Servers send
// them like deltas: texts are to be joined, every other field stands as it
// came last; fields that are not known here are kept too.
type detail struct {
	key    string // what its pieces have in common
	order  []string
	fields map[string]json.RawMessage
	texts  map[string]*strings.Builder // fields whose pieces follow each other
}

// detailCost is what a detail counts for in bytes beside its fields: more than
// its maps hold, since there are few of them in a response.
const detailCost = 4 << 10

// addDetail takes in a piece. Encrypted ones come whole.
func addDetail(all []detail, raw json.RawMessage) []detail {
	var piece map[string]json.RawMessage
	if json.Unmarshal(raw, &piece) != nil || piece == nil {
		return all
	}
	key := string(piece["type"]) + "|" + string(piece["index"])
	if len(piece["index"]) == 0 {
		key += "|" + string(piece["id"])
	}
	if n := len(all); n == 0 || all[n-1].key != key || len(piece["data"]) > 0 {
		all = append(all, detail{key: key, fields: map[string]json.RawMessage{}, texts: map[string]*strings.Builder{}})
	}
	d := &all[len(all)-1]
	for _, name := range fieldOrder(raw) {
		d.set(name, piece[name])
	}
	return all
}

func (d *detail) set(name string, value json.RawMessage) {
	old, had := d.fields[name]
	if !had {
		d.order = append(d.order, name)
	}
	if had && string(value) == "null" && string(old) != "null" {
		return
	}
	d.fields[name] = value
	if name != "text" && name != "summary" {
		return
	}
	var s string
	if json.Unmarshal(value, &s) != nil {
		return
	}
	if d.texts[name] == nil {
		d.texts[name] = &strings.Builder{}
	}
	d.texts[name].WriteString(s)
}

// fieldOrder returns the names of an object in the order in which they stand.
func fieldOrder(raw json.RawMessage) []string {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		return nil
	}
	var names []string
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return names
		}
		s, _ := name.(string)
		names = append(names, s)
		var skip json.RawMessage
		if dec.Decode(&skip) != nil {
			return names
		}
	}
	return names
}

// joinDetails returns the assembled details.
func joinDetails(all []detail) []json.RawMessage {
	var out []json.RawMessage
	for _, d := range all {
		var b []byte
		for i, name := range d.order {
			b = append(b, "{,"[min(i, 1)])
			b = append(wireview.AppendString(b, name), ':')
			if text := d.texts[name]; text != nil {
				b = wireview.AppendString(b, text.String())
			} else {
				b = append(b, d.fields[name]...)
			}
		}
		if len(b) > 0 {
			out = append(out, append(b, '}'))
		}
	}
	return out
}

// detailText returns the readable text of a piece.
func detailText(raw json.RawMessage) string {
	var piece struct{ Text, Summary string }
	if json.Unmarshal(raw, &piece) != nil {
		return ""
	}
	return piece.Text + piece.Summary
}

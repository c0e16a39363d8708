package gate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Canonical returns the one spelling of a call's input: object keys sorted,
// the last of a repeated key, no white space, numbers as written. Empty input,
// white space and null are the empty object. What is judged, shown, compared
// and run is always this spelling, so that no reader can see another call in
// the same bytes.
func Canonical(input json.RawMessage) (json.RawMessage, error) {
	if len(bytes.TrimSpace(input)) == 0 {
		return json.RawMessage("{}"), nil
	}
	d := json.NewDecoder(bytes.NewReader(input))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("read call input: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("read call input: text after the JSON value")
	}
	if v == nil {
		return json.RawMessage("{}"), nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("write call input: %w", err)
	}
	return json.RawMessage(bytes.TrimRight(b.Bytes(), "\n")), nil
}

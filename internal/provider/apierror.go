package provider

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// APIError is a server's own error object, whatever its wire: the words that
// decide how a failure is classified.
type APIError struct {
	// Status is the HTTP status; 200 for an error inside a stream.
	Status int
	// Type, Code and Param are the vendor's words; each may be empty.
	Type, Code, Param string
	// Message is the vendor's text for people.
	Message string
	// RetryAfter is a wait that the object itself names (Gemini's RetryInfo).
	RetryAfter time.Duration
}

// Error joins the vendor's word and text.
func (e *APIError) Error() string {
	word := e.Type
	if word == "" {
		word = e.Code
	}
	switch {
	case word == "":
		return e.Message
	case e.Message == "":
		return word
	}
	return word + ": " + e.Message
}

// words is what classification looks at.
func (e *APIError) words() string {
	return strings.ToLower(e.Type + " " + e.Code + " " + e.Message)
}

// ParseError reads an error object out of a JSON document: {"error": {...}},
// {"error": "text"}, {"message": ...}, {"detail": ...}, {"errors": [...]}, or
// a list that begins with one of them. It returns nil when the document holds
// no error; a document of an ordinary event holds none.
func ParseError(doc []byte) *APIError {
	var list []json.RawMessage
	if json.Unmarshal(doc, &list) == nil {
		if len(list) == 0 {
			return nil
		}
		return ParseError(list[0])
	}
	// Every field is read by itself: one of another type than expected takes no
	// other with it.
	var top struct{ Type, Code, Message, Param, Error, Detail, Errors json.RawMessage }
	if json.Unmarshal(doc, &top) != nil {
		return nil //nolint:nilerr // what is no document holds no error object
	}
	if given(top.Error) {
		return parseObject(top.Error)
	}
	var errs []json.RawMessage
	if json.Unmarshal(top.Errors, &errs) == nil && len(errs) > 0 {
		return parseObject(errs[0])
	}
	text := scalar(top.Message)
	if text == "" {
		text = scalar(top.Detail)
	}
	if text == "" && given(top.Detail) {
		text = clip(string(top.Detail), 300)
	}
	if text == "" {
		return nil
	}
	return &APIError{Type: scalar(top.Type), Code: scalar(top.Code), Param: scalar(top.Param), Message: text}
}

// ErrorOf reads the error object of a document that is known to be an error;
// it is never nil.
func ErrorOf(doc []byte) *APIError {
	if e := ParseError(doc); e != nil {
		return e
	}
	return &APIError{Type: "error", Message: "the server reported an error without a text"}
}

// parseObject reads the error object itself, or a bare text.
func parseObject(raw json.RawMessage) *APIError {
	var o struct {
		Type, Status, Reason, Code, Param, Message json.RawMessage
		Metadata, Details                          json.RawMessage
	}
	if json.Unmarshal(raw, &o) != nil {
		return &APIError{Message: clip(scalarOr(raw), 500)}
	}
	var metadata struct {
		Raw          json.RawMessage
		ProviderName string `json:"provider_name"`
	}
	var details []struct{ Reason, RetryDelay string }
	_ = json.Unmarshal(o.Metadata, &metadata) // of another shape, they say nothing
	_ = json.Unmarshal(o.Details, &details)
	e := &APIError{
		Type: cmp.Or(scalar(o.Type), scalar(o.Status), scalar(o.Reason)),
		Code: scalar(o.Code), Param: scalar(o.Param), Message: scalarOr(o.Message),
	}
	for _, d := range details {
		if wait, err := time.ParseDuration(d.RetryDelay); err == nil && wait > 0 {
			e.RetryAfter = wait
		}
		if d.Reason != "" {
			e.Code = d.Reason
		}
	}
	if given(metadata.Raw) { // a gateway that quotes the vendor behind it
		e.Message += " (" + cmp.Or(metadata.ProviderName, "upstream") + ": " + clip(scalarOr(metadata.Raw), 500) + ")"
	}
	if e.Message == "" && e.Type == "" && e.Code == "" {
		e.Message = clip(string(raw), 300)
	}
	return e
}

// given says that a field is there and not null.
func given(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// scalar returns a JSON string or number as text, else nothing.
func scalar(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		return n.String()
	}
	return ""
}

// scalarOr returns a scalar, else the JSON itself.
func scalarOr(raw json.RawMessage) string {
	if !given(raw) {
		return ""
	}
	if s := scalar(raw); s != "" {
		return s
	}
	return strings.Trim(string(raw), `"`)
}

// number reads the code of an error as an HTTP status, 0 when it is none.
func (e *APIError) number() int {
	n, err := strconv.Atoi(e.Code)
	if err != nil || n < 400 || n > 599 {
		return 0
	}
	return n
}

package provider

import (
	"bytes"
	"errors"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// remember keeps a credential so that it can be masked.
func (e *Endpoint) remember(key string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(key) >= 6 && !slices.Contains(e.keys, key) {
		e.keys = append(e.keys, key)
	}
}

// Mask replaces every credential that was used by "[key]". A server may quote
// the key that it refuses.
func (e *Endpoint) Mask(text string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, key := range e.keys {
		text = strings.ReplaceAll(text, key, "[key]")
		if escaped := url.QueryEscape(key); escaped != key {
			text = strings.ReplaceAll(text, escaped, "[key]")
		}
	}
	return text
}

// maskedError has the text of its cause without a key; its chain is cut where
// the text would show one.
type maskedError struct{ text string }

func (e *maskedError) Error() string { return e.text }

// maskErr returns err, or a copy without keys of what it says.
func (e *Endpoint) maskErr(err error) error {
	if err == nil {
		return nil
	}
	var api *APIError
	if errors.As(err, &api) {
		c := *api
		c.Message, c.Type, c.Code, c.Param = e.Mask(api.Message), e.Mask(api.Type), e.Mask(api.Code), e.Mask(api.Param)
		return &c
	}
	text := err.Error()
	if masked := e.Mask(text); masked != text {
		return &maskedError{masked}
	}
	return err
}

// clip shortens a text to n bytes at a rune's border, on one line.
func clip(s string, n int) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if len(s) <= n {
		return s
	}
	s = s[:n]
	for len(s) > 0 {
		if r, size := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || size != 1 {
			break
		}
		s = s[:len(s)-1]
	}
	return s + "…"
}

// pageTitle returns the title of a web page, if it has one.
func pageTitle(page []byte) string {
	lower := bytes.ToLower(page)
	from := bytes.Index(lower, []byte("<title"))
	if from < 0 {
		return ""
	}
	open := bytes.IndexByte(lower[from:], '>')
	end := bytes.Index(lower[from:], []byte("</title"))
	if open < 0 || end < open || len(lower) != len(page) {
		return ""
	}
	return clip(string(page[from+open+1:from+end]), 80)
}

// quoted returns " “text”" or nothing.
func quoted(text string) string {
	if text == "" {
		return ""
	}
	return " (\"" + text + "\")"
}

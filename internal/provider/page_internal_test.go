package provider

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzPage: the title of a web page that came in the place of an answer is a
// short line of it, or none.
func FuzzPage(f *testing.F) {
	for _, s := range []string{
		"<html><head><title>502 Bad\nGateway</title>", "<TITLE lang=x>é</TITLE>", "<title", "<title></title", "</title><title>", "<title>\u212a</title>", "<title></title><title>x>",
		"<title>" + strings.Repeat("é", 60) + "</title>", "<title\xff>\xff</title>",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		title := pageTitle(page)
		if len(title) > 80+len("…") || strings.ContainsAny(title, "\n\r\t") || !utf8.ValidString(title) {
			t.Fatalf("%q has the title %q", page, title)
		}
		if title != "" && !strings.Contains(strings.ToLower(string(page)), "<title") {
			t.Fatalf("%q has the title %q", page, title)
		}
	})
}

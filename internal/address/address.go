// Package address owns what a user may write for the address of a server, in
// one rule for flags, environment, config and dialogs.
//
// It must never know which server it is for or what is asked there. Its law: a
// server of this machine needs no scheme; for any other none is guessed, as a key
// goes there.
package address

import (
	"net/url"
	"strings"
)

// Complete is an address as it was typed with the scheme that it may lack; ok is
// false for what is no address of an HTTP server.
func Complete(text string) (whole string, ok bool) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "://") {
		text = "http://" + text
		if u, err := url.Parse(text); err != nil || !loopback(u.Hostname()) {
			return "", false
		}
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" || strings.ContainsAny(text, " \t\n") {
		return "", false
	}
	return text, true
}

func loopback(name string) bool {
	return name == "localhost" || name == "::1" || strings.HasPrefix(name, "127.") && strings.Trim(name, "0123456789.") == ""
}

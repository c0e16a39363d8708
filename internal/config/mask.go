package config

import (
	"net/url"
	"strings"
)

// Mask shows no more of a key than tells it from another. Of a short one that
// would be too much of it.
func Mask(key string) string {
	if len(key) < 16 {
		return "****"
	}
	return key[:4] + "…" + key[len(key)-4:]
}

// Shown is the text of a field as it may be shown: a key masked, an address
// without its password.
func Shown(field, text string) string {
	switch field {
	case "apiKey":
		return Mask(text)
	case "proxy", "baseUrl", "registryUrl":
		return MaskAddress(text)
	}
	return text
}

// MaskAddress hides the password of an address, with or without a scheme; a
// name that stands alone before the host is hidden as well, and what is asked
// behind a "?", since they may be a token.
func MaskAddress(address string) string {
	before, user, rest, ok := cutUser(address)
	if !ok {
		rest = address
	}
	if i := strings.IndexByte(rest, '?'); i >= 0 && i+1 < len(rest) {
		rest = rest[:i] + "?****"
	}
	if !ok {
		return rest
	}
	if name, _, has := strings.Cut(user, ":"); has {
		return before + name + ":****@" + rest
	}
	return before + "****@" + rest
}

// Secrets are the spellings of what an address holds before its host, for who
// masks them wherever they appear.
func Secrets(address string) (list []string) {
	_, user, _, ok := cutUser(address)
	if !ok || user == "" {
		return nil
	}
	for _, s := range []string{user, user[strings.Index(user, ":")+1:]} {
		list = append(list, s)
		if plain, err := url.PathUnescape(s); err == nil && plain != s {
			list = append(list, plain)
		}
	}
	return list
}

// cutUser parts an address at the "@" before its host.
func cutUser(address string) (before, user, rest string, ok bool) {
	start := 0
	if i := strings.Index(address, "://"); i >= 0 {
		start = i + len("://")
	}
	end := len(address)
	if i := strings.IndexAny(address[start:], "/?#"); i >= 0 {
		end = start + i
	}
	at := strings.LastIndexByte(address[start:end], '@')
	if at < 0 {
		// A password with a slash in it is no address, and a password still.
		if at = strings.LastIndexByte(address[start:], '@'); at < 0 || !strings.Contains(address[start:start+at], ":") {
			return "", "", "", false
		}
	}
	return address[:start], address[start : start+at], address[start+at+1:], true
}

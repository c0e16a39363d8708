package policy

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// urlForms are the spellings of a URL. A rule that allows must match it with
// scheme and host in lower case and without user, default port and the dots
// that may end a host, so that a host cannot be put where only the eye reads
// it; rules that ask or deny also match it as it is written.
func urlForms(text string) forms {
	return forms{all: []string{plainURL(text)}, also: []string{text}}
}

func plainURL(text string) string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\\", "/"))
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		return text
	}
	scheme = strings.ToLower(scheme)
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	host, tail := rest[:end], rest[end:]
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	host = strings.ToLower(lettersOf(host))
	host, port := portOf(host)
	if port == "" || port == map[string]string{"https": "443", "http": "80"}[scheme] {
		port = ""
	} else {
		port = ":" + port
	}
	host = strings.TrimRight(host, ".") + port
	if tail == "" {
		tail = "/"
	}
	return scheme + "://" + host + tail
}

// portOf parts a host and the port behind it, which has no leading zeros then.
func portOf(host string) (name, port string) {
	at := strings.LastIndexByte(host, ':')
	if at < 0 || strings.Trim(host[at+1:], "0123456789") != "" {
		return host, ""
	}
	name, port = host[:at], host[at+1:]
	if number := strings.TrimLeft(port, "0"); number != "" || port == "" {
		port = number
	}
	return name, port
}

// lettersOf is a host with its letters of other scripts as they are: an address
// may write them by their bytes (%C3%A9), and no others.
func lettersOf(host string) string {
	var b strings.Builder
	for i := 0; i < len(host); i++ {
		if host[i] == '%' && i+2 < len(host) {
			if c, err := hex.DecodeString(host[i+1 : i+3]); err == nil && c[0] >= utf8.RuneSelf {
				b.WriteByte(c[0])
				i += 2
				continue
			}
		}
		b.WriteByte(host[i])
	}
	if whole := b.String(); utf8.ValidString(whole) {
		return whole
	}
	return host
}

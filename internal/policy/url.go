package policy

import "strings"

// urlForms are the spellings of a URL. A rule that allows must match it with
// scheme and host in lower case and without user, default port and the dot
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
	host = strings.ToLower(host)
	host = strings.TrimSuffix(host, map[string]string{"https": ":443", "http": ":80"}[scheme])
	host = strings.TrimSuffix(host, ".")
	if tail == "" {
		tail = "/"
	}
	return scheme + "://" + host + tail
}

package policy

import "strings"

// urlForms are the spellings of a URL. Rules that ask or deny also match it
// with scheme and host in lower case and without user, port and the dot that
// may end a host; a rule that allows must match that spelling as well, so that
// a host cannot be put where only the eye reads it.
func urlForms(text string) forms {
	plain := plainURL(text)
	if plain == text {
		return forms{all: []string{text}}
	}
	return forms{all: []string{text, plain}}
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

package provider

import (
	"fmt"
	"net"
	"net/url"
	"strings"
)

// parseBase reads a base URL.
func parseBase(name, text string) (*url.URL, error) {
	if strings.TrimSpace(text) == "" {
		return nil, fmt.Errorf("provider %s needs a base URL; set baseUrl, ASSENT_BASE_URL or --base-url", name)
	}
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("read the base URL of provider %s: write it as http://host:port or https://host/path", name)
	}
	if u.User != nil {
		return nil, fmt.Errorf("read the base URL of provider %s: a user name or password does not belong into it; use the key setting", name)
	}
	u.RawQuery, u.Fragment = "", ""
	return u, nil
}

// versioned tells a path that already names an API version: a segment such as
// v1, v4 or v1beta.
func versioned(path string) bool {
	for seg := range strings.SplitSeq(path, "/") {
		n, ok := strings.CutPrefix(seg, "v")
		if !ok || n == "" || n[0] < '0' || n[0] > '9' {
			continue
		}
		rest := strings.TrimLeft(n, "0123456789")
		for _, stage := range []string{"alpha", "beta"} {
			if after, ok := strings.CutPrefix(rest, stage); ok {
				rest = strings.TrimLeft(after, "0123456789")
			}
		}
		if rest == "" {
			return true
		}
	}
	return false
}

// URL returns the address of a resource: base, version, path. A base that
// names a version or the whole path already keeps what it names.
func (e *Endpoint) URL(version, path, query string) string {
	u := *e.base
	p := strings.TrimRight(u.Path, "/")
	p = strings.TrimSuffix(p, path)
	if version == "v1beta" { // one version carries what we send
		p = strings.TrimSuffix(strings.TrimSuffix(p, "/v1"), "/v1beta")
	}
	if !versioned(p) {
		p += "/" + version
	}
	u.Path, u.RawPath = p+path, ""
	u.RawQuery = query
	return u.String()
}

// loopback tells a host on this machine. The address of every interface is what
// a server listens on and what its variable may hold; dialled, it is this one.
func loopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return ip != nil && (ip.IsLoopback() || ip.IsUnspecified())
}

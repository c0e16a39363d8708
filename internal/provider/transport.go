package provider

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/net/http/httpproxy"
)

// TransportOptions says how to reach the outside. The zero value goes straight
// to every server and trusts what the system trusts.
type TransportOptions struct {
	// Env reads an environment variable; nil reads none. HTTPS_PROXY,
	// HTTP_PROXY, ALL_PROXY and NO_PROXY count in both cases, SSL_CERT_FILE
	// beside CAFile.
	Env func(string) string
	// Proxy is used for every server instead of the environment's; it may hold
	// a user and password. NO_PROXY still counts.
	Proxy string
	// CAFile is a PEM file with authorities to trust beyond the system's.
	CAFile string
}

// NewTransport builds the transport that all endpoints of a process share.
// Servers on this machine are never reached through a proxy.
func NewTransport(o TransportOptions) (*http.Transport, error) {
	proxy, err := proxyFunc(o)
	if err != nil {
		return nil, err
	}
	t := &http.Transport{
		Proxy:               proxy,
		DialContext:         (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:   true,
		TLSHandshakeTimeout: 30 * time.Second,
		IdleConnTimeout:     90 * time.Second,
		MaxIdleConnsPerHost: 8,
		DisableCompression:  true, // a compressed stream arrives in lumps
		// A connection that a laptop's sleep or a router's table has killed says
		// nothing: without a ping it would be found out by the stream's limits, and
		// every request of minutes would be sent into it.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 15 * time.Second},
		OnProxyConnectResponse: func(_ context.Context, _ *url.URL, _ *http.Request, resp *http.Response) error {
			if resp.StatusCode != http.StatusOK {
				return &proxyError{resp.StatusCode}
			}
			return nil
		},
	}
	pool, err := authorities(o)
	if err != nil {
		return nil, err
	}
	if pool != nil {
		t.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	return t, nil
}

// proxyError is a proxy's answer to CONNECT other than success.
type proxyError struct{ status int }

func (e *proxyError) Error() string {
	return fmt.Sprintf("proxy answered %d %s", e.status, http.StatusText(e.status))
}

// authorities returns the system's authorities and those of the files that
// name more, nil when there are no more.
func authorities(o TransportOptions) (*x509.CertPool, error) {
	files := [][2]string{{"caFile", o.CAFile}}
	if o.Env != nil {
		files = append(files, [2]string{"SSL_CERT_FILE", o.Env("SSL_CERT_FILE")})
	}
	var pool *x509.CertPool
	for _, f := range files {
		from, name := f[0], f[1]
		if name == "" {
			continue
		}
		pem, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read the extra certificate authorities (%s): %w", from, err)
		}
		if pool == nil {
			if pool, err = x509.SystemCertPool(); err != nil {
				pool = x509.NewCertPool() // a system without any
			}
		}
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("read the extra certificate authorities (%s): %s holds no certificate in PEM form", from, name)
		}
	}
	return pool, nil
}

// proxyFunc decides which proxy a request takes.
func proxyFunc(o TransportOptions) (func(*http.Request) (*url.URL, error), error) {
	env := func(names ...string) (value, from string) {
		for _, name := range names {
			if o.Env != nil && o.Env(name) != "" {
				return o.Env(name), name
			}
		}
		return "", ""
	}
	cfg := httpproxy.Config{HTTPProxy: o.Proxy, HTTPSProxy: o.Proxy}
	cfg.NoProxy, _ = env("NO_PROXY", "no_proxy")
	if err := CheckProxy(o.Proxy); err != nil {
		return nil, err
	}
	if o.Proxy == "" {
		var from [2]string
		cfg.HTTPSProxy, from[0] = env("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")
		cfg.HTTPProxy, from[1] = env("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")
		for i, value := range []string{cfg.HTTPSProxy, cfg.HTTPProxy} {
			if fault := proxyFault(value); fault != "" {
				return nil, fmt.Errorf("read the proxy of %s: %s, or unset it", from[i], fault)
			}
		}
	}
	choose := cfg.ProxyFunc()
	return func(r *http.Request) (*url.URL, error) {
		if loopback(r.URL.Hostname()) {
			return nil, nil
		}
		return choose(r.URL)
	}, nil
}

// CheckProxy says what is wrong with the address of a proxy, which would be
// ignored silently; empty is none. It never quotes the value, which may hold a
// password.
func CheckProxy(text string) error {
	if fault := proxyFault(text); fault != "" {
		return fmt.Errorf("read the proxy setting: %s", fault)
	}
	return nil
}

// proxyFault is what is wrong with the address of a proxy, and what to write;
// empty when nothing is. A word without scheme, port or domain is hardly one.
func proxyFault(text string) string {
	const none = "it is not an address; write http://host:port, socks5://host:port or http://user:password@host:port"
	if text == "" {
		return ""
	}
	if text != "localhost" && !strings.ContainsAny(text, ":./") {
		return none
	}
	u, err := url.Parse(text)
	if (err != nil || u.Host == "") && !strings.Contains(text, "://") {
		u, err = url.Parse("http://" + text)
	}
	if err != nil || u.Host == "" {
		return none
	}
	switch u.Scheme {
	case "http", "https", "socks5", "socks5h":
		return ""
	}
	return fmt.Sprintf("scheme %q is not known; use http, https or socks5", u.Scheme)
}

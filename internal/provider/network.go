package provider

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"

	"assent/internal/llm"
)

// broken turns an error of the transport into a failure. cause is the limit
// that ended the request, nil when none did.
func (e *Endpoint) broken(err, cause error) *llm.Failure {
	text, retry := e.explain(err, cause)
	kind := llm.KindNetwork
	var junk *garbageError
	var proxy *proxyError
	switch {
	case errors.As(err, &junk), errors.Is(err, errTooLarge):
		kind = llm.KindProvider
	case errors.As(err, &proxy) && proxy.status == http.StatusProxyAuthRequired:
		kind = llm.KindAuth
	}
	f := e.failure(kind, text, err)
	f.Retryable = retry
	if proxy != nil {
		f.Status = proxy.status
	}
	return f
}

// explain says what happened on the way to the server and what to do about
// it, and whether the same may succeed later.
func (e *Endpoint) explain(err, cause error) (text string, retry bool) {
	host := e.base.Host
	switch {
	case errors.Is(cause, errFirstByte):
		return fmt.Sprintf("%s sent nothing within %v", host, e.limits.FirstByte), true
	case errors.Is(cause, errIdle):
		return fmt.Sprintf("the stream from %s fell silent for %v", host, e.limits.Idle), true
	case errors.Is(cause, errQuiet), errors.Is(err, errQuiet):
		return fmt.Sprintf("%s sent only keep-alives for %v", host, e.limits.Quiet), true
	case errors.Is(err, errTooLarge):
		return fmt.Sprintf("%s sent more than is taken (%d MiB an event, %d MiB a response)", host, e.limits.Event>>20, e.limits.Total>>20), false
	}
	var junk *garbageError
	if errors.As(err, &junk) {
		if junk.html {
			return fmt.Sprintf("%s answered with a web page%s instead of a response; check the base URL", host, quoted(junk.text)), false
		}
		return fmt.Sprintf("%s answered with something that is no response (it begins with %q); check the base URL and the provider", host, junk.text), false
	}
	if text, retry, ok := explainProxy(err); ok {
		return text, retry
	}
	if text, ok := explainTLS(err, host); ok {
		return text, false
	}
	return explainDial(err, host)
}

// explainProxy names failures on the way through a proxy.
func explainProxy(err error) (text string, retry, ok bool) {
	var refused *proxyError
	if errors.As(err, &refused) {
		if refused.status == http.StatusProxyAuthRequired {
			return "the proxy wants a user name and password (407); put them into its URL (http://user:password@host:port)", false, true
		}
		return fmt.Sprintf("the proxy refused the connection (%d); check its rules, or name the server in NO_PROXY", refused.status), refused.status >= 500, true
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "proxyconnect" {
		text, retry = explainProxyDial(op.Err)
		return text, retry, true
	}
	return "", false, false
}

// explainProxyDial names failures to connect to a proxy. It is the proxy that
// is to be looked at, not the server behind it.
func explainProxyDial(err error) (text string, retry bool) {
	proxy := "the proxy"
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Addr != nil {
		proxy += " " + dial.Addr.String()
	}
	if text, ok := explainTLS(err, proxy); ok {
		return "cannot reach the proxy: " + strings.ReplaceAll(text, "the base URL", "the URL of the proxy"), false
	}
	const next = "check HTTPS_PROXY and the proxy setting"
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns):
		return fmt.Sprintf("cannot find the proxy %s; %s", dns.Name, next), !dns.IsNotFound
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Sprintf("cannot reach %s: nothing listens there; start it, or %s", proxy, next), true
	}
	inner, retry := explainDial(err, proxy)
	inner, _, _ = strings.Cut(inner, ";")
	return inner + "; " + next, retry
}

// explainTLS names failures to trust a server.
func explainTLS(err error, host string) (string, bool) {
	var (
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
		invalid x509.CertificateInvalidError
		verify  *tls.CertificateVerificationError
		record  tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &unknown):
		return fmt.Sprintf("the certificate of %s is signed by an authority that this system does not know; "+
			"where a firewall inspects TLS, set caFile in the config (or SSL_CERT_FILE) to its CA certificate", host), true
	case errors.As(err, &name):
		return fmt.Sprintf("the certificate of %s is for another name; check the base URL", host), true
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fmt.Sprintf("the certificate of %s has expired or is not valid yet; check this machine's clock", host), true
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return fmt.Sprintf("%s does not speak TLS; use http:// in the base URL if that is meant", host), true
	case errors.As(err, &verify), errors.As(err, &invalid):
		return fmt.Sprintf("the certificate of %s is not valid: %v", host, err), true
	}
	return "", false
}

// explainDial names failures to connect, and the rest.
func explainDial(err error, host string) (string, bool) {
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case errors.As(err, &dns):
		return fmt.Sprintf("cannot find %s; check the network, the base URL and the proxy setting", cmp.Or(dns.Name, host)), !dns.IsNotFound
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Sprintf("nothing listens at %s; start the server or check the base URL", host), true
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return fmt.Sprintf("%s reset the connection", host), true
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		return fmt.Sprintf("no route to %s; check the network", host), true
	case errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Sprintf("connecting to %s took too long; check the network and the proxy setting", host), true
	}
	return explainHTTP2(innermost(err), host), true
}

// explainHTTP2 names what ends a connection or one answer on it in HTTP/2, and
// whatever else there is.
func explainHTTP2(text, host string) string {
	if rest, ok := strings.CutPrefix(text, "stream error: stream ID "); ok {
		_, rest, _ = strings.Cut(rest, "; ")
		code, _, _ := strings.Cut(rest, ";")
		return fmt.Sprintf("%s broke the answer off (HTTP/2: %s)", host, code)
	}
	switch {
	case strings.Contains(text, "client connection lost"):
		return fmt.Sprintf("the connection to %s died: it answers no ping", host)
	case strings.Contains(text, "GOAWAY"):
		_, rest, _ := strings.Cut(text, "ErrCode=")
		code, _, _ := strings.Cut(rest, ",")
		return fmt.Sprintf("%s closed the connection (HTTP/2: %s)", host, cmp.Or(code, "GOAWAY"))
	}
	return fmt.Sprintf("the connection to %s broke: %s", host, strings.TrimPrefix(text, "http2: "))
}

// innermost returns the text of the deepest error, which names no URL.
func innermost(err error) string {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err.Error()
		}
		err = next
	}
}

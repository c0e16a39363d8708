package provider_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assent/internal/llm"
	"assent/internal/provider"
)

// authority is a certificate authority of the test's own.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t, key: newKey(t)}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &a.key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	a.file = filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(a.file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return a
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// serve runs a TLS server whose certificate is for one name, until a time.
func (a *authority) serve(h http.Handler, name string, until time.Time) *httptest.Server {
	a.t.Helper()
	key := newKey(a.t)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: until, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &key.PublicKey, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	s.StartTLS()
	a.t.Cleanup(s.Close)
	return s
}

// named is the address of a server of this machine by its name.
func named(s *httptest.Server) string {
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		return err.Error()
	}
	return "https://localhost:" + port
}

// PROV-31: a proxy that is reached over TLS is checked by its own name, and the
// server behind it by its own.
func TestProxyOverTLS(t *testing.T) {
	t.Parallel()
	ca := newAuthority(t)
	target := ca.serve(http.HandlerFunc(model), "model.test", time.Now().Add(time.Hour))
	through := &tunnel{to: target.Listener.Addr().String()}
	right := ca.serve(through, "localhost", time.Now().Add(time.Hour))
	wrong := ca.serve(through, "model.test", time.Now().Add(time.Hour))
	o := provider.Options{BaseURL: "https://model.test"}
	got, err := post(t, o, provider.TransportOptions{CAFile: ca.file, Proxy: named(right)})
	if err != nil || got != `model.test{"a":1}` {
		t.Errorf("got %q, %v", got, err)
	}
	_, err = post(t, o, provider.TransportOptions{CAFile: ca.file, Proxy: named(wrong)})
	fails(t, err, llm.KindNetwork, "proxy", "another name")
	_, err = post(t, o, provider.TransportOptions{Proxy: named(right)})
	fails(t, err, llm.KindNetwork, "proxy", "caFile")
}

// PROV-30: authorities of the config and of SSL_CERT_FILE count beside the
// system's.
func TestAuthorities(t *testing.T) {
	t.Parallel()
	one, two := newAuthority(t), newAuthority(t)
	hour := time.Now().Add(time.Hour)
	first, second := one.serve(http.HandlerFunc(model), "localhost", hour), two.serve(http.HandlerFunc(model), "localhost", hour)
	both := provider.TransportOptions{CAFile: one.file, Env: env(map[string]string{"SSL_CERT_FILE": two.file})}
	for _, s := range []*httptest.Server{first, second} {
		if _, err := post(t, provider.Options{BaseURL: named(s)}, both); err != nil {
			t.Error(err)
		}
	}
	_, err := post(t, provider.Options{BaseURL: named(second)}, provider.TransportOptions{CAFile: one.file})
	fails(t, err, llm.KindNetwork, "authority", "SSL_CERT_FILE", "caFile")
	if _, err := provider.NewTransport(provider.TransportOptions{Env: env(map[string]string{"SSL_CERT_FILE": one.file + ".no"})}); err == nil || !strings.Contains(err.Error(), "SSL_CERT_FILE") {
		t.Errorf("error is %v", err)
	}
	_, err = post(t, provider.Options{BaseURL: strings.Replace(named(first), "localhost", "127.0.0.1", 1)}, both)
	fails(t, err, llm.KindNetwork, "another name", "base URL")
	_, err = post(t, provider.Options{BaseURL: named(one.serve(http.HandlerFunc(model), "localhost", time.Now().Add(-time.Minute)))}, both)
	fails(t, err, llm.KindNetwork, "expired", "clock")
	plain := httptest.NewServer(http.HandlerFunc(model))
	t.Cleanup(plain.Close)
	_, err = post(t, provider.Options{BaseURL: strings.Replace(plain.URL, "http", "https", 1)}, both)
	fails(t, err, llm.KindNetwork, "does not speak TLS", "http://")
}

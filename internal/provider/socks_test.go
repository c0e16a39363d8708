package provider_test

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"assent/internal/provider"
)

// socks is a SOCKS5 proxy on this machine that leads every name to one server
// (RFC 1928, with the user and password of RFC 1929).
type socks struct {
	net.Listener
	to string

	mu    sync.Mutex
	asked []string // name, user and password of each connection
	wg    sync.WaitGroup
}

func newSocks(t *testing.T, to string) *socks {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &socks{Listener: l, to: to}
	s.wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.wg.Go(func() {
				defer c.Close()
				_ = s.serve(c) // the client says what went wrong
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		s.wg.Wait()
	})
	return s
}

// part reads a field that its length in one byte precedes.
func part(c io.Reader) ([]byte, error) {
	var n [1]byte
	if _, err := io.ReadFull(c, n[:]); err != nil {
		return nil, err
	}
	b := make([]byte, n[0])
	_, err := io.ReadFull(c, b)
	return b, err
}

func (s *socks) serve(c net.Conn) error {
	var head [1]byte
	if _, err := io.ReadFull(c, head[:]); err != nil || head[0] != 5 {
		return errors.Join(err, errors.New("not SOCKS5"))
	}
	methods, err := part(c)
	if err != nil {
		return err
	}
	who := ""
	method := byte(0)
	if slices.Contains(methods, 2) {
		method = 2
	}
	if _, err := c.Write([]byte{5, method}); err != nil {
		return err
	}
	if method == 2 {
		if _, err := io.ReadFull(c, head[:]); err != nil {
			return err
		}
		user, err := part(c)
		if err != nil {
			return err
		}
		password, err := part(c)
		if err != nil {
			return err
		}
		who = " " + string(user) + " " + string(password)
		if _, err := c.Write([]byte{1, 0}); err != nil {
			return err
		}
	}
	var ask [4]byte // version, connect, reserved, kind of address: 3 is a name
	if _, err := io.ReadFull(c, ask[:]); err != nil || ask[3] != 3 {
		return errors.Join(err, errors.New("the name was looked up here"))
	}
	name, err := part(c)
	if err != nil {
		return err
	}
	var port uint16
	if err := binary.Read(c, binary.BigEndian, &port); err != nil {
		return err
	}
	s.mu.Lock()
	s.asked = append(s.asked, string(name)+who)
	s.mu.Unlock()
	if _, err := c.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0}); err != nil {
		return err
	}
	server, err := net.Dial("tcp", s.to)
	if err != nil {
		return err
	}
	defer server.Close()
	s.wg.Go(func() {
		_, _ = io.Copy(server, c)
		_ = server.Close()
	})
	_, err = io.Copy(c, server)
	return err
}

// TestSOCKS5 checks that a SOCKS5 proxy is taken from the config as from the
// environment, gets the name and not an address, and its user's password.
func TestSOCKS5(t *testing.T) {
	t.Parallel()
	secret := "hunter" + "2"
	for _, c := range []struct {
		name, scheme, user, want string
		config                   bool
	}{
		{"config", "socks5", "", "model.test", true},
		{"environment", "socks5", "", "model.test", false},
		{"socks5h", "socks5h", "", "model.test", true},
		{"with a password", "socks5", "me:" + secret + "@", "model.test me " + secret, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(http.HandlerFunc(model))
			t.Cleanup(srv.Close)
			p := newSocks(t, srv.Listener.Addr().String())
			address := c.scheme + "://" + c.user + p.Addr().String()
			if err := provider.CheckProxy(address); err != nil {
				t.Fatal(err)
			}
			o := provider.TransportOptions{Proxy: address}
			if !c.config {
				o = provider.TransportOptions{Env: env(map[string]string{"all_proxy": address})}
			}
			got, err := post(t, provider.Options{BaseURL: "http://model.test"}, o)
			if err != nil || got != `model.test{"a":1}` {
				t.Fatalf("got %q, %v", got, err)
			}
			p.mu.Lock()
			defer p.mu.Unlock()
			if !slices.Equal(p.asked, []string{c.want}) {
				t.Errorf("the proxy was asked for %q", p.asked)
			}
		})
	}
}

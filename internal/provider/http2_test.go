package provider_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"assent/internal/llm"
	"assent/internal/provider"
)

// wire is a network without sockets: it carries HTTP/2 between a client and
// what serves each of its connections, until it is dead.
type wire struct {
	serve func(net.Conn)
	dials atomic.Int32
	dead  atomic.Bool // it carries nothing more, and nobody is told

	mu   sync.Mutex
	ends []net.Conn
}

// cut ends all that is left of it.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.ends {
		_ = c.Close()
	}
}

// transport is the transport that is in use, over the wire.
func (w *wire) transport(t *testing.T) *http.Transport {
	t.Helper()
	tr, err := provider.NewTransport(provider.TransportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	tr.Protocols = new(http.Protocols)
	tr.Protocols.SetUnencryptedHTTP2(true)
	tr.DialContext = func(context.Context, string, string) (net.Conn, error) {
		w.dials.Add(1)
		client, near := net.Pipe()
		far, server := net.Pipe()
		w.mu.Lock()
		w.ends = append(w.ends, client, server)
		w.mu.Unlock()
		go w.carry(near, far)
		go w.carry(far, near)
		go w.serve(server)
		return client, nil
	}
	return tr
}

// carry hands on what arrives from one side; what a dead wire is given is lost.
func (w *wire) carry(to, from net.Conn) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			_ = to.Close()
			return
		}
		if w.dead.Load() {
			continue
		}
		if _, err := to.Write(buf[:n]); err != nil {
			_ = from.Close()
			return
		}
	}
}

// pipes is a listener of connections that are handed to it.
type pipes struct {
	conns chan net.Conn
	once  sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	c, ok := <-p.conns
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.conns) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// served is a wire to a server of net/http.
func served(t *testing.T, h http.HandlerFunc) *wire {
	t.Helper()
	l := &pipes{conns: make(chan net.Conn)}
	s := &http.Server{Handler: h, Protocols: new(http.Protocols)}
	s.Protocols.SetUnencryptedHTTP2(true)
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	return &wire{serve: func(c net.Conn) { l.conns <- c }}
}

// stream asks a server over a wire once and joins what it says.
func stream(t *testing.T, e *provider.Endpoint) (string, error) {
	t.Helper()
	s, err := e.Post(t.Context(), provider.Request{Version: "v1", Path: "/x", Body: text(`{"a":1}`)})
	if err != nil {
		return "", err
	}
	var all strings.Builder
	for ev, err := range s.Events() {
		if err != nil {
			return all.String(), err
		}
		all.Write(ev.Data)
	}
	return all.String(), nil
}

func endpoint(t *testing.T, tr *http.Transport) *provider.Endpoint {
	t.Helper()
	e, err := provider.NewEndpoint(provider.Options{Name: "vendor", BaseURL: "http://model.test", HTTP: &http.Client{Transport: tr}}, provider.Bearer)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A connection that died without a word is found out by a ping, long before the
// stream's own limits, and the next request takes another one. One that lives
// may think for as long as it likes.
func TestADeadConnectionIsFoundOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		said string
		dies bool
	}{"before the answer": {"", true}, "within the answer": {"one", true}, "it only thinks": {"", false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var w *wire
				w = served(t, func(rw http.ResponseWriter, r *http.Request) {
					if c.said != "" {
						_, _ = fmt.Fprintf(rw, "data: %s\n\n", c.said)
						_ = http.NewResponseController(rw).Flush()
						time.Sleep(time.Second) // so that it arrives
					}
					if w.dials.Load() == 1 {
						w.dead.Store(c.dies)
						select {
						case <-time.After(4 * time.Minute):
						case <-r.Context().Done():
						}
					}
					_, _ = io.WriteString(rw, "data: two\n\n")
				})
				tr := w.transport(t)
				defer w.cut()
				e, begun := endpoint(t, tr), time.Now()
				got, err := stream(t, e)
				if !c.dies {
					if err != nil || got != "two" || w.dials.Load() != 1 {
						t.Errorf("got %q, %v over %d connections", got, err, w.dials.Load())
					}
					return
				}
				var f *llm.Failure
				if !errors.As(err, &f) || f.Kind != llm.KindNetwork || !f.Retryable || got != c.said {
					t.Fatalf("got %q, %v", got, err)
				}
				if strings.Contains(f.Message, "http2") || !strings.Contains(f.Message, "model.test") {
					t.Errorf("the message is not for people: %s", f.Message)
				}
				if took := time.Since(begun); took > 35*time.Second {
					t.Errorf("found out after %v", took)
				}
				w.dead.Store(false)
				if got, err := stream(t, e); err != nil || got != c.said+"two" || w.dials.Load() != 2 {
					t.Errorf("then got %q, %v over %d connections", got, err, w.dials.Load())
				}
			})
		})
	}
}

// frames is one connection of a server whose every frame is written by hand.
type frames struct {
	*http2.Framer
	buf strings.Builder
}

// handshake begins HTTP/2 on a connection.
func handshake(c net.Conn) *frames {
	if _, err := io.ReadFull(c, make([]byte, len(http2.ClientPreface))); err != nil {
		return nil
	}
	f := &frames{Framer: http2.NewFramer(c, c)}
	if f.WriteSettings() != nil {
		return nil
	}
	return f
}

// request reads on until a request is whole and returns its stream, 0 when the
// connection ended.
func (f *frames) request() uint32 {
	for {
		frame, err := f.ReadFrame()
		if err != nil {
			return 0
		}
		if h := frame.Header(); (h.Type == http2.FrameData || h.Type == http2.FrameHeaders) && h.Flags.Has(http2.FlagDataEndStream) {
			return h.StreamID
		}
	}
}

// head begins an answer.
func (f *frames) head(stream uint32, status string) {
	f.buf.Reset()
	_ = hpack.NewEncoder(&f.buf).WriteField(hpack.HeaderField{Name: ":status", Value: status})
	_ = f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: []byte(f.buf.String()), EndHeaders: true})
}

// What HTTP/2 alone can do to a request: another connection takes it where the
// server never looked at it, and what broke within an answer is the loop's to
// try again.
func TestHTTP2Faults(t *testing.T) {
	t.Parallel()
	say := func(f *frames, id uint32, text string, end bool) {
		f.head(id, "200")
		_ = f.WriteData(id, end, []byte("data: "+text+"\n\n"))
	}
	for _, c := range []struct {
		name  string
		first func(f *frames, id uint32) // what the first connection does with the request
		got   string
		fails bool
		dials int32
	}{
		{"goaway before the request counts", func(f *frames, _ uint32) { _ = f.WriteGoAway(0, http2.ErrCodeNo, nil) }, "fine", false, 2},
		{"goaway after the request, which is answered", func(f *frames, id uint32) {
			_ = f.WriteGoAway(id, http2.ErrCodeNo, nil)
			say(f, id, "late", true)
		}, "late", false, 1},
		{"goaway within the answer, which goes on", func(f *frames, id uint32) {
			say(f, id, "one", false)
			_ = f.WriteGoAway(id, http2.ErrCodeNo, nil)
			_ = f.WriteData(id, true, []byte("data: two\n\n"))
		}, "onetwo", false, 1},
		{"refused stream", func(f *frames, id uint32) { _ = f.WriteRSTStream(id, http2.ErrCodeRefusedStream) }, "fine", false, 1},
		{"reset before the answer", func(f *frames, id uint32) { _ = f.WriteRSTStream(id, http2.ErrCodeInternal) }, "", true, 1},
		{"reset within the answer", func(f *frames, id uint32) {
			say(f, id, "one", false)
			_ = f.WriteRSTStream(id, http2.ErrCodeInternal)
		}, "one", true, 1},
		{"wants HTTP/1.1", func(f *frames, id uint32) { _ = f.WriteRSTStream(id, http2.ErrCodeHTTP11Required) }, "", true, 1},
		{"flow control", func(f *frames, id uint32) { _ = f.WriteRSTStream(id, http2.ErrCodeEnhanceYourCalm) }, "", true, 1},
		{"rubbish in place of a frame", func(f *frames, id uint32) { _ = f.WriteRawFrame(http2.FrameData, 0, id+2, []byte("x")) }, "", true, 1},
		{"goaway for misbehaviour", func(f *frames, id uint32) {
			_ = f.WriteGoAway(id, http2.ErrCodeEnhanceYourCalm, []byte("too many pings"))
			_ = f.WriteRSTStream(id, http2.ErrCodeEnhanceYourCalm)
		}, "", true, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var asked atomic.Int32
				w := &wire{serve: func(conn net.Conn) {
					defer conn.Close()
					f := handshake(conn)
					for f != nil {
						id := f.request()
						if id == 0 {
							return
						}
						if asked.Add(1) == 1 {
							c.first(f, id)
							continue
						}
						say(f, id, "fine", true)
					}
				}}
				tr := w.transport(t)
				e := endpoint(t, tr)
				got, err := stream(t, e)
				var f *llm.Failure
				if c.fails && (!errors.As(err, &f) || f.Kind != llm.KindNetwork || !f.Retryable) || !c.fails && err != nil || got != c.got {
					t.Errorf("got %q, %v", got, err)
				}
				if f != nil && (strings.Contains(strings.ToLower(f.Message), "stream") || !strings.Contains(f.Message, "model.test")) {
					t.Errorf("the message is not for people: %s", f.Message)
				}
				if n := w.dials.Load(); n != c.dials {
					t.Errorf("%d connections, want %d", n, c.dials)
				}
				w.cut()
			})
		})
	}
}

// A refused credential is renewed on the connection that is there.
func TestRefreshedOnOneConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		old, fresh := "old-"+"credential", "new-"+"credential"
		w := served(t, func(rw http.ResponseWriter, r *http.Request) {
			if r.ProtoMajor != 2 {
				t.Errorf("it speaks %s", r.Proto)
			}
			if strings.HasSuffix(r.Header.Get("Authorization"), old) {
				rw.WriteHeader(http.StatusUnauthorized)
				return
			}
			_, _ = io.WriteString(rw, "data: fine\n\n")
		})
		e, err := provider.NewEndpoint(provider.Options{
			Name: "vendor", BaseURL: "http://model.test", HTTP: &http.Client{Transport: w.transport(t)},
			Key: func(_ context.Context, refresh bool) (string, error) {
				if refresh {
					return fresh, nil
				}
				return old, nil
			},
		}, provider.Bearer)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := stream(t, e); err != nil || got != "fine" || w.dials.Load() != 1 {
			t.Errorf("got %q, %v over %d connections", got, err, w.dials.Load())
		}
		w.cut()
	})
}

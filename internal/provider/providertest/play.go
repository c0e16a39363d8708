package providertest

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"
)

// usage is what a response reports.
type usage struct{ in, out, read, write, reasoning int }

// player plays one response to one request.
type player struct {
	server *Server
	wire   wire
	w      http.ResponseWriter
	r      *http.Request
	body   []byte

	enc     encoder
	begun   bool
	chunk   int
	limit   int // bytes of body until the connection ends, -1: none
	usage   usage
	stop    string
	id      string // of the next call
	index   string
	offered bool // the next call may name any tool
	calls   int
	ended   bool
}

// errGone ends a response early; the connection is in the state it should be.
type errGone struct{}

// play runs the steps.
func (p *player) play(r Response) {
	defer func() {
		if e := recover(); e != nil {
			if _, ours := e.(errGone); !ours {
				panic(e) // http.ErrAbortHandler too: it cuts the connection
			}
		}
	}()
	p.usage = usage{in: 10, out: 5}
	if text, ok := r.find("usage"); ok {
		p.usage = usage{number(text, 0), number(text, 1), number(text, 2), number(text, 3), number(text, 4)}
	}
	p.stop, _ = r.find("stop")
	if text, ok := r.find("cut"); ok && text != "" {
		p.limit = number(text, 0)
	}
	if p.document(r) {
		return
	}
	keepOpen := false
	for _, s := range r.steps {
		if s.verb == "open" {
			keepOpen = true
			continue
		}
		p.step(s)
		if p.ended {
			return
		}
	}
	p.start()
	p.send(p.enc.end(p.stopWord(), p.usage))
	if keepOpen {
		<-p.r.Context().Done()
	}
}

// document answers with something that is no stream; true when it did.
func (p *player) document(r Response) bool {
	if want, ok := r.find("expect"); ok && !bytes.Contains(p.body, []byte(want)) {
		refuse(p.w, p.wire, http.StatusTeapot, "invalid_request_error", fmt.Sprintf("the request does not contain %q", want))
		return true
	}
	if _, ok := r.find("html"); ok {
		p.w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(p.w, "<!doctype html><html><head><title>Sign in</title></head><body>hello</body></html>")
		return true
	}
	if text, ok := r.find("garbage"); ok {
		_, _ = fmt.Fprintln(p.w, text) // the client may be gone
		return true
	}
	if _, ok := r.find("empty"); ok {
		p.w.Header().Set("Content-Type", "text/event-stream")
		return true
	}
	if _, ok := r.find("json"); ok {
		p.whole(r)
		return true
	}
	text, ok := r.find("status")
	if !ok {
		return false
	}
	for _, s := range r.steps {
		if name, value, ok := strings.Cut(s.text, ":"); ok && s.verb == "header" {
			p.w.Header().Set(strings.TrimSpace(name), strings.TrimSpace(value))
		}
	}
	if body, ok := r.find("body"); ok {
		p.w.WriteHeader(number(text, 0))
		_, _ = fmt.Fprint(p.w, body)
		return true
	}
	kindWord := "api_error"
	if kind, _, ok := strings.Cut(text, " "); ok {
		kindWord = strings.TrimPrefix(text, kind+" ")
	}
	refuse(p.w, p.wire, number(text, 0), kindWord, "scripted refusal")
	return true
}

// step plays one step.
func (p *player) step(s step) {
	switch s.verb {
	case "chunk":
		p.chunk = max(number(s.text, 0), 1)
	case "id":
		p.id = s.text
	case "index":
		p.index = s.text
	case "unoffered":
		p.offered = true
	case "text":
		p.pieces(s.text, p.encoder().text)
	case "flood":
		p.chunk = max(number(s.text, 1), 1)
		p.pieces(strings.Repeat("all work and no play ", number(s.text, 0)/21+1)[:number(s.text, 0)], p.encoder().text)
	case "think":
		p.pieces(s.text, p.encoder().think)
		p.send(p.enc.sign(p.server.sign(p, s.text)))
	case "redacted":
		p.send(p.encoder().redacted(p.server.sign(p, "")))
	case "call":
		name, args, _ := strings.Cut(s.text, " ")
		p.call(s, name, args)
	case "bigcall":
		name, n, _ := strings.Cut(s.text, " ")
		p.chunk = 64 << 10
		p.call(s, name, `{"text":"`+strings.Repeat("x", number(n, 0))+`"}`)
	case "event":
		name, data, _ := strings.Cut(s.text, " ")
		p.start()
		p.send(event(name, data))
	case "error":
		kind, text, _ := strings.Cut(s.text, " ")
		p.start()
		p.send(p.enc.fault(kind, text))
		p.ended = true
	default:
		p.hold(s)
	}
}

// hold plays the steps that are about time and the connection.
func (p *player) hold(s step) {
	switch s.verb {
	case "wait":
		p.start()
		select {
		case <-p.server.gate(s.text):
		case <-p.r.Context().Done():
			panic(errGone{})
		}
	case "pause":
		d, err := time.ParseDuration(s.text)
		if err != nil {
			panic(fmt.Sprintf("script line %d: %v", s.line, err))
		}
		p.start()
		select {
		case <-time.After(d):
		case <-p.r.Context().Done():
			panic(errGone{})
		}
	case "ping":
		p.start()
		for n := 0; s.text == "" || n < number(s.text, 0); n++ {
			if p.send([]byte(": keep-alive\n\n")); n%2 == 0 {
				p.send(p.enc.alive())
			}
			if s.text == "" {
				p.hold(step{s.line, "pause", "5ms"})
			}
		}
	case "stall":
		if s.text == "header" {
			p.w.Header().Set("Content-Type", "text/event-stream")
			_ = http.NewResponseController(p.w).Flush() // the client may be gone
		}
		<-p.r.Context().Done()
		panic(errGone{})
	case "hang":
		p.start()
		<-p.r.Context().Done()
		panic(errGone{})
	case "cut":
		if s.text == "" {
			p.start()
			p.ended = true
		}
	case "reset":
		p.start()
		p.reset()
	}
}

// reset ends the connection so that the client sees a reset.
func (p *player) reset() {
	conn, _, err := http.NewResponseController(p.w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // makes Close send a reset
	}
	_ = conn.Close()
	panic(errGone{})
}

// call plays a call.
func (p *player) call(s step, name, args string) {
	if !p.offered && !bytes.Contains(p.body, fmt.Appendf(nil, `"name":%q`, name)) {
		p.start()
		p.send(p.enc.fault("invalid_request_error", fmt.Sprintf("script line %d calls %s, which the request does not offer", s.line, name)))
		panic(errGone{})
	}
	id := p.id
	switch id {
	case "":
		id = p.server.callID()
	case "-":
		id = ""
	}
	index := p.calls
	if p.index != "" {
		index = number(p.index, 0)
	}
	p.calls++
	p.id, p.index, p.offered = "", "", false
	enc := p.encoder()
	p.send(enc.call(id, name, index))
	p.pieces(args, func(piece string) []byte { return enc.args(index, piece) })
	p.send(enc.callEnd(index))
}

// encoder begins the answer if it has not begun.
func (p *player) encoder() encoder {
	p.start()
	return p.enc
}

func (p *player) start() {
	if p.begun {
		return
	}
	p.begun = true
	p.enc = p.wire.encoder(p)
	p.w.Header().Set("Content-Type", "text/event-stream")
	p.w.WriteHeader(http.StatusOK)
	p.send(p.enc.begin(p.usage))
}

// pieces sends a text in pieces that end at a rune's border.
func (p *player) pieces(text string, encode func(string) []byte) {
	for text != "" {
		n := min(p.chunk, len(text))
		for n < len(text) && !utf8.RuneStart(text[n]) {
			n++
		}
		p.send(encode(text[:n]))
		text = text[n:]
	}
}

// send writes bytes at once, and ends the connection at the limit.
func (p *player) send(b []byte) {
	if len(b) == 0 {
		return
	}
	cut := p.limit >= 0 && len(b) >= p.limit
	if cut {
		b = b[:p.limit]
	}
	_, err := p.w.Write(b)
	_ = http.NewResponseController(p.w).Flush()
	if err != nil {
		panic(errGone{})
	}
	if cut {
		panic(http.ErrAbortHandler)
	}
	if p.limit >= 0 {
		p.limit -= len(b)
	}
}

// stopWord is the script's word, or the natural one.
func (p *player) stopWord() string {
	switch {
	case p.stop != "":
		return p.stop
	case p.calls > 0:
		return "calls"
	}
	return "end"
}

// event is one server-sent event.
func event(name, data string) []byte {
	if name == "" || name == "-" {
		return []byte("data: " + data + "\n\n")
	}
	return []byte("event: " + name + "\ndata: " + data + "\n\n")
}

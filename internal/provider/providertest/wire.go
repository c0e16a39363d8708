package providertest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// wire is one protocol: it reads requests strictly and writes answers.
type wire interface {
	// entries reads a request into a flat list; the error says why a vendor
	// would refuse its form.
	entries(path string, body []byte) (history, error)
	// encoder writes one answer.
	encoder(p *player) encoder
	// whole is an answer as one document.
	whole(said []piece, stop string, u usage) string
	// fault is an error object as the body of a refusal.
	fault(status int, kind, text string) []byte
}

// encoder writes the pieces of one answer; empty bytes write nothing.
type encoder interface {
	begin(u usage) []byte
	// alive is what the vendor sends so that the connection stays open.
	alive() []byte
	text(s string) []byte
	think(s string) []byte
	sign(signature string) []byte
	redacted(signature string) []byte
	call(id, name string, index int) []byte
	args(index int, s string) []byte
	callEnd(index int) []byte
	fault(kind, text string) []byte
	end(stop string, u usage) []byte
}

// wireOf tells the protocol by the path.
func wireOf(path string) wire {
	switch {
	case strings.HasSuffix(path, "/messages"):
		return messages{}
	case strings.HasSuffix(path, "/chat/completions"):
		return chat{}
	case strings.HasSuffix(path, "/responses"):
		return responses{}
	case strings.HasSuffix(path, ":streamGenerateContent"):
		return gemini{}
	}
	return nil
}

// history is a request in a form that all wires share.
type history struct {
	head    string // digest of system text and tools
	tools   bool
	entries []entry
	// needsUser: the first entry must be the user's, the last must not be the
	// assistant's.
	needsUser bool
}

// entry is one piece of a conversation.
type entry struct {
	message int    // number of the message that holds it
	role    string // user or assistant
	kind    string // text image think call result
	id      string
	text    string
	sig     string // signature of thinking
	raw     string // canonical form, cache marks left out
}

// check says why a vendor would refuse a request; empty when it would not.
func (s *Server) check(w wire, path string, body []byte) string {
	if !json.Valid(body) {
		return "the body is not JSON"
	}
	h, err := w.entries(path, body)
	if err != nil {
		return err.Error()
	}
	if problem := h.pairing(); problem != "" {
		return problem
	}
	if problem := s.signatures(h); problem != "" {
		return problem
	}
	if s.Prefix {
		return s.extends(w, h)
	}
	return ""
}

// pairing checks that calls and results match and nothing is empty.
func (h history) pairing() string {
	if len(h.entries) == 0 {
		return "messages: at least one message is required"
	}
	if h.needsUser && h.entries[0].role != "user" {
		return "messages: first message must use the \"user\" role"
	}
	if last := h.entries[len(h.entries)-1]; h.needsUser && last.role == "assistant" {
		return "messages: the conversation must end with a user message"
	}
	var open []string
	at := -1 // message of the open calls
	seen := map[string]bool{}
	for i, e := range h.entries {
		where := fmt.Sprintf("messages.%d", e.message)
		switch {
		case e.kind == "text" && strings.TrimSpace(e.text) == "":
			return where + ": text content must be non-empty"
		case e.kind == "call":
			if !h.tools {
				return where + ": requests which include calls must define tools"
			}
			if len(open) > 0 && e.message != at {
				return where + ": calls without results: " + strings.Join(open, ", ")
			}
			if e.id != "" && seen[e.id] {
				return where + ": call ids must be unique: " + e.id
			}
			seen[e.id] = true
			open, at = append(open, e.id), e.message
		case e.kind == "result":
			if len(open) == 0 || open[0] != e.id && e.id != "" {
				return fmt.Sprintf("%s: result %q does not answer the next open call %v", where, e.id, open)
			}
			open = open[1:]
		case len(open) > 0 && e.message != at:
			return where + ": calls without results directly after them: " + strings.Join(open, ", ")
		}
		if i > 0 && e.role == "assistant" && h.entries[i-1].role == "assistant" && h.entries[i-1].message != e.message {
			return where + ": two assistant messages in a row"
		}
	}
	if len(open) > 0 {
		return "messages: calls without results: " + strings.Join(open, ", ")
	}
	return ""
}

// signatures checks that thinking comes back as it was signed, after the same
// conversation.
func (s *Server) signatures(h history) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, e := range h.entries {
		if e.kind != "think" {
			continue
		}
		where := fmt.Sprintf("messages.%d", e.message)
		sig, ok := s.signed[e.sig]
		switch {
		case e.sig == "":
			continue
		case !ok || sig.text != e.text:
			return where + ": Invalid `signature` in `thinking` block"
		case sig.prefix != digest(h.head, h.entries[:i], e.message):
			return where + ": thinking block is bound to a different conversation"
		}
	}
	return ""
}

// sign makes a signature over thinking that is about to be said.
func (s *Server) sign(p *player, text string) string {
	h, err := p.wire.entries(p.r.URL.Path, p.body)
	if err != nil {
		return ""
	}
	prefix := digest(h.head, h.entries, -1)
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := sha256.Sum256(fmt.Appendf(nil, "%s|%s|%d", prefix, text, len(s.signed)))
	sig := "sig_" + hex.EncodeToString(sum[:12]) + "+/=="
	s.signed[sig] = signature{text: text, prefix: prefix}
	return sig
}

// digest is a digest of a prefix, the message that is being said left out.
func digest(head string, entries []entry, message int) string {
	h := sha256.New()
	h.Write([]byte(head + "\n"))
	for _, e := range entries {
		if e.message != message {
			h.Write([]byte(e.role + " " + e.raw + "\n"))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// extends checks the prefix contract against the request before.
func (s *Server) extends(w wire, h history) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.requests) - 1; i >= 0; i-- {
		r := s.requests[i]
		if r.Problem != "" || r.Method != http.MethodPost || wireOf(r.Path) != w {
			continue
		}
		before, err := w.entries(r.Path, r.Body)
		switch {
		case err != nil:
			return err.Error()
		case before.head != h.head:
			return "prefix: system text or tools changed"
		case len(before.entries) > len(h.entries):
			return "prefix: the conversation became shorter"
		}
		for i, e := range before.entries {
			if e.raw != h.entries[i].raw || e.role != h.entries[i].role {
				return fmt.Sprintf("prefix: messages.%d changed", e.message)
			}
		}
		return ""
	}
	return ""
}

// canonical is JSON without cache marks, its keys in order.
func canonical(v any) string {
	if m, ok := v.(map[string]any); ok {
		delete(m, "cache_control")
	}
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// str returns a field as text.
func str(m map[string]any, key string) string {
	s, ok := m[key].(string)
	if !ok {
		return ""
	}
	return s
}

// list returns a field as a list of objects.
func list(m map[string]any, key string) []map[string]any {
	raw, ok := m[key].([]any)
	if !ok {
		return nil
	}
	var all []map[string]any
	for _, v := range raw {
		if o, ok := v.(map[string]any); ok {
			all = append(all, o)
		}
	}
	return all
}

// js is a value as JSON.
func js(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(b)
}

// word is the wire's word for one of the script's, or the word itself.
func word(ours string, words map[string]string) string {
	if w, ok := words[ours]; ok {
		return w
	}
	return ours
}

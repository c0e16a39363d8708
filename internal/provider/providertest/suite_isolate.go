package providertest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/provider"
)

// picture is an image that the scripted server takes.
func picture(name string) llm.Image {
	return llm.Image{MIME: "image/png", Data: []byte("\x89PNG\r\n\x1a\n" + name), Name: name}
}

func encoded(img llm.Image) string { return base64.StdEncoding.EncodeToString(img.Data) }

// facts opens a conversation whose model is described.
func (s *suite) facts(t *testing.T, server *Server, f provider.Facts) Model {
	t.Helper()
	return s.with(t, provider.Options{Name: "vendor", BaseURL: server.URL(), Facts: func(string) provider.Facts { return f }})
}

// ask1 asks once and returns what was told.
func ask1(t *testing.T, m Model, req llm.Request) run {
	t.Helper()
	var r run
	r.reply, r.err = m.Stream(t.Context(), req, func(c llm.Chunk) { r.chunks = append(r.chunks, c) })
	return r
}

// seen is a history with an image of the user's and one of a result.
func (s *suite) seen(mine, found llm.Image) []llm.Item {
	return []llm.Item{
		llm.User{Text: "look", Images: []llm.Image{mine}},
		llm.Assistant{Provider: "vendor", Model: s.model(), Stop: llm.StopCalls, Parts: []llm.Part{
			llm.Call{ID: "c1", Name: "read_file", Input: json.RawMessage(`{"path":"b.png"}`)},
		}},
		llm.Result{CallID: "c1", Name: "read_file", Status: llm.StatusOK, Output: "an image", Images: []llm.Image{found}},
	}
}

// images checks that images reach the model, or a note in their place where it
// sees none.
func (s *suite) images(t *testing.T) {
	t.Parallel()
	mine, found := picture("a.png"), picture("b.png")
	for _, c := range []struct {
		name  string
		facts provider.Facts
		seen  bool
	}{
		{"seen", provider.Facts{Known: true, Images: true}, true},
		{"nothing known of the model", provider.Facts{}, true},
		{"a model that sees none", provider.Facts{Known: true}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server := s.start(t, "text fine")
			ask1(t, s.facts(t, server, c.facts), s.ask(s.seen(mine, found)...)).ok(t)
			body := server.Requests()[0].Body
			for _, img := range []llm.Image{mine, found} {
				if bytes.Contains(body, []byte(encoded(img))) != c.seen {
					t.Errorf("%s is sent: %v", img.Name, !c.seen)
				}
				if !c.seen && !bytes.Contains(body, []byte(img.Name+", but this model cannot see images")) {
					t.Errorf("nothing stands for %s", img.Name)
				}
			}
		})
	}
}

// refusal is a response to every request that contains a text: what the vendor
// of the wire says of it.
func (s *suite) refusal(contains, param, message string) string {
	w := map[provider.Wire]wire{
		provider.WireAnthropic: messages{}, provider.WireOpenAI: chat{}, provider.WireResponses: responses{}, provider.WireGemini: gemini{},
	}[s.wire]
	body := string(w.fault(400, "invalid_request_error", message))
	if s.wire == provider.WireOpenAI || s.wire == provider.WireResponses {
		body = js(map[string]any{"error": map[string]any{"message": message, "type": "invalid_request_error", "param": param, "code": "invalid_value"}})
	}
	return fmt.Sprintf("match %q\nrepeat\nstatus 400\nbody %s\n---\n", contains, body)
}

// quarantine checks that one bad image or tool is named and left out, and that
// the session goes on.
func (s *suite) quarantine(t *testing.T) {
	t.Parallel()
	good, bad := picture("good.png"), picture("bad.png")
	imageWords := map[provider.Wire]string{
		provider.WireAnthropic: "messages.2.content.0.tool_result.content.1.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes",
		provider.WireOpenAI:    "You uploaded an unsupported image. Please make sure your image is valid.",
		provider.WireResponses: "The image data you provided does not represent a valid image.",
		provider.WireGemini:    "Unable to process input image. Please retry or report.",
	}[s.wire]
	t.Run("an image", func(t *testing.T) {
		t.Parallel()
		server := s.start(t, s.refusal(encoded(bad), "input", imageWords)+"text first\n---\ntext second\n---\ntext third")
		m := s.open(t, server, provider.Limits{})
		items := s.seen(good, bad)
		ask1(t, m, s.ask(items[:1]...)).ok(t)
		r := ask1(t, m, s.ask(items...))
		items = answer(items, llm.Reply{Parts: r.ok(t).Parts, Provider: r.reply.Provider, Model: r.reply.Model})
		if w := r.warnings(); !strings.Contains(w, "bad.png") || strings.Contains(w, "good.png") {
			t.Errorf("told %q", w)
		}
		if !r.rebuilt() {
			t.Error("it is not told that what was sent goes out anew")
		}
		r = ask1(t, m, s.ask(append(items, llm.User{Text: "and now"})...))
		if r.rebuilt() {
			t.Error("the next request is told to go out anew")
		}
		if r.ok(t); r.warnings() != "" || len(server.Requests()) != 4 {
			t.Errorf("told %q after %d requests: the image was tried again", r.warnings(), len(server.Requests()))
		}
		last := server.Requests()[3].Body
		if !bytes.Contains(last, []byte(encoded(good))) || bytes.Contains(last, []byte(encoded(bad))) || !bytes.Contains(last, []byte("bad.png is left out")) {
			t.Error("the last request does not hold the good image alone")
		}
	})
	t.Run("one of two new images", func(t *testing.T) {
		t.Parallel()
		server := s.start(t, s.refusal(encoded(bad), "input", imageWords)+"text first\n---\ntext second")
		m := s.open(t, server, provider.Limits{})
		items := s.seen(good, bad)
		r := ask1(t, m, s.ask(items...))
		items = answer(items, llm.Reply{Parts: r.ok(t).Parts, Provider: r.reply.Provider, Model: r.reply.Model})
		want := 3 // with both, without one, without the other
		if s.wire == provider.WireAnthropic {
			want = 2 // it names the place
		}
		if n := len(server.Requests()); n != want || !strings.Contains(r.warnings(), "bad.png") {
			t.Errorf("told %q, %d requests, want %d", r.warnings(), n, want)
		}
		if r.rebuilt() {
			t.Error("a conversation that the server never took goes out anew")
		}
		ask1(t, m, s.ask(append(items, llm.User{Text: "and now"})...)).ok(t)
		last := server.Requests()[want].Body
		if !bytes.Contains(last, []byte(encoded(good))) || bytes.Contains(last, []byte(encoded(bad))) || !bytes.Contains(last, []byte("bad.png is left out")) {
			t.Error("the last request does not hold the good image alone")
		}
	})
	t.Run("a tool (MCP-05)", func(t *testing.T) {
		t.Parallel()
		toolWords := map[provider.Wire]string{
			provider.WireAnthropic: "tools.1.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12",
			provider.WireOpenAI:    "Invalid schema for function 'mcp_bad': 'tuple' is not valid under any of the given schemas",
			provider.WireResponses: "Invalid schema for function 'mcp_bad': 'tuple' is not valid under any of the given schemas",
			provider.WireGemini:    "* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[x].type: must be one of the known values",
		}[s.wire]
		server := s.start(t, s.refusal("mcp_bad", "tools[1].parameters", toolWords)+"call list {}\n---\ntext second")
		m := s.open(t, server, provider.Limits{})
		req := s.ask()
		req.Tools = []llm.Spec{tools[0], {Name: "mcp_bad", Description: "x", Schema: json.RawMessage(`{"type":"object","properties":{"x":{"type":"tuple"}}}`)}, tools[1]}
		r := ask1(t, m, req)
		if r.ok(t); !strings.Contains(r.warnings(), "mcp_bad") {
			t.Errorf("told %q", r.warnings())
		}
		req.Items = answer(req.Items, r.reply)
		r = ask1(t, m, req)
		if r.ok(t); r.warnings() != "" || len(server.Requests()) != 3 {
			t.Errorf("told %q after %d requests: the tool was offered again", r.warnings(), len(server.Requests()))
		}
		if body := server.Requests()[2].Body; !bytes.Contains(body, []byte(`"name":"list"`)) {
			t.Error("the good tools are gone too")
		}
	})
	t.Run("a schema that is no JSON", func(t *testing.T) {
		t.Parallel()
		req := s.ask()
		req.Tools = append([]llm.Spec{{Name: "broken", Description: "x", Schema: json.RawMessage(`{"type":`)}, {Name: "none", Description: "x"}}, tools...)
		server := s.start(t, "text fine")
		ask1(t, s.open(t, server, provider.Limits{}), req).ok(t)
	})
}

// effort checks that a refused word for effort makes the nearest be sent, once,
// and that then the parameter is left out.
func (s *suite) effort(t *testing.T) {
	t.Parallel()
	sent := func(word string) string {
		switch s.wire {
		case provider.WireAnthropic, provider.WireResponses:
			return `"effort":"` + word + `"`
		case provider.WireOpenAI, provider.WireScript:
		case provider.WireGemini:
			return `"thinkingLevel":"` + strings.ToUpper(word) + `"`
		}
		return `"reasoning_effort":"` + word + `"`
	}
	param := map[provider.Wire]string{provider.WireOpenAI: "reasoning_effort", provider.WireResponses: "reasoning.effort"}[s.wire]
	facts := provider.Facts{Known: true, Thinking: true, Efforts: []string{"low", "medium", "high", "max"}}
	refused := func(word, left string) string {
		return s.refusal(sent(word), param, "Unsupported value for thinking effort: '"+word+"' is not supported with this model."+left)
	}
	for _, c := range []struct {
		name, script, want string
		requests           int
	}{
		{"words are named", refused("max", " Supported values are: 'low', and 'medium'."), sent("medium"), 2},
		{"no words are named", refused("max", ""), sent("high"), 2},
		{"the nearest is refused too", refused("max", "") + refused("high", ""), "", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server := s.start(t, c.script+"text one\n---\ntext two")
			m := s.facts(t, server, facts)
			req := s.ask()
			req.Level = llm.LevelMax
			r := ask1(t, m, req)
			if r.ok(t); !strings.Contains(r.warnings(), "max") {
				t.Errorf("told %q", r.warnings())
			}
			req.Items = append(req.Items, said(r.reply), llm.User{Text: "more"})
			ask1(t, m, req).ok(t)
			reqs := server.Requests()
			if len(reqs) != c.requests+1 {
				t.Fatalf("%d requests, want %d", len(reqs), c.requests+1)
			}
			body := reqs[len(reqs)-1].Body
			if c.want != "" && !bytes.Contains(body, []byte(c.want)) {
				t.Errorf("the request does not hold %s", c.want)
			}
			for _, w := range []string{"max", "high"} {
				if s := sent(w); s != c.want && bytes.Contains(body, []byte(s)) {
					t.Errorf("the request still holds %s", s)
				}
			}
		})
	}
}

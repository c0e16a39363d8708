package providertest

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/provider"
)

// calls checks calls in the forms in which servers send them.
func (s *suite) calls(t *testing.T) {
	t.Parallel()
	t.Run("odd indexes", func(t *testing.T) {
		t.Parallel()
		a := s.play(t, "index 7\ncall list {}\nindex 3\ncall read_file {\"path\":\"b\"}", provider.Limits{}).ok(t)
		if c := a.Calls(); len(c) != 2 || c[0].Name != "list" || string(c[1].Input) != `{"path":"b"}` {
			t.Errorf("calls are %+v", c)
		}
	})
	t.Run("no arguments (PROV-10)", func(t *testing.T) {
		t.Parallel()
		if c := s.play(t, "call list", provider.Limits{}).ok(t).Calls(); len(c) != 1 || string(c[0].Input) != "{}" {
			t.Errorf("calls are %+v", c)
		}
	})
	t.Run("ids missing or repeated (PROV-06)", func(t *testing.T) {
		t.Parallel()
		s.repeatedIDs(t)
	})
	t.Run("ten megabytes", func(t *testing.T) {
		t.Parallel()
		a := s.play(t, "bigcall read_file 10485760", provider.Limits{}).ok(t)
		if c := a.Calls(); len(c) != 1 || len(c[0].Input) < 10<<20 || !json.Valid(c[0].Input) {
			t.Error("the argument did not arrive whole")
		}
	})
	if s.wire == provider.WireGemini {
		return // its arguments are an object, never text
	}
	t.Run("arguments that are not JSON", func(t *testing.T) {
		t.Parallel()
		r := s.play(t, "call read_file {\"path\": oops\n---\ntext sorry", provider.Limits{})
		a := r.ok(t)
		if c := a.Calls(); len(c) != 1 || string(c[0].Input) != `{"path": oops` {
			t.Fatalf("calls are %+v", c)
		}
	})
}

// repeatedIDs checks that ids are unique in a conversation and go back to
// their calls.
func (s *suite) repeatedIDs(t *testing.T) {
	t.Helper()
	server := s.start(t, "id -\ncall list {}\nid -\ncall list {}\n---\nid same\ncall list {}\n---\nid same\ncall list {}\n---\ntext done")
	m := s.open(t, server, provider.Limits{})
	items, seen := []llm.Item{llm.User{Text: "hello"}}, map[string]bool{}
	for range 4 {
		reply, err := m.Stream(t.Context(), s.ask(items...), func(llm.Chunk) {})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range said(reply).Calls() {
			if c.ID == "" || seen[c.ID] {
				t.Errorf("id %q is empty or repeats", c.ID)
			}
			seen[c.ID] = true
		}
		items = answer(items, reply)
	}
}

// answer appends a reply and a result for each of its calls.
func answer(items []llm.Item, reply llm.Reply) []llm.Item {
	a := said(reply)
	items = append(items, a)
	for i, c := range a.Calls() {
		r := llm.Result{CallID: c.ID, Name: c.Name, Status: llm.StatusOK, Output: "result of " + c.ID}
		if i == 1 {
			r.Status, r.Output = llm.StatusError, ""
		}
		items = append(items, r)
	}
	return items
}

// history checks that no history makes a request that a vendor refuses.
func (s *suite) history(t *testing.T) {
	t.Parallel()
	foreign := llm.Opaque{Provider: "elsewhere", Model: "other", Data: []byte(`{"secret":"foreign-data"}`)}
	call := func(id string) llm.Call {
		return llm.Call{ID: id, Name: "read_file", Input: json.RawMessage(`{"path":"a"}`)}
	}
	pixel := llm.Image{MIME: "image/png", Data: []byte("\x89PNG\r\n\x1a\n"), Name: "a.png"}
	for _, c := range []struct {
		name  string
		items []llm.Item
	}{
		{"foreign items (CTX-10, PROV-05)", []llm.Item{
			llm.User{Text: "go"},
			llm.Assistant{Provider: "elsewhere", Model: "other", Stop: llm.StopCalls, Parts: []llm.Part{
				llm.Reasoning{Text: "foreign-thought", Opaque: foreign},
				llm.Text{Text: "I look.", Opaque: foreign},
				llm.Call{ID: "call|with:odd/characters.and-a-very-long-identifier-that-goes-beyond-sixty-four-bytes", Name: "read_file", Input: json.RawMessage(`{"path":"a"}`), Opaque: foreign},
			}},
			llm.Result{CallID: "call|with:odd/characters.and-a-very-long-identifier-that-goes-beyond-sixty-four-bytes", Name: "read_file", Status: llm.StatusOK, Output: "text"},
		}},
		{"resumed, without reasoning (CTX-13, PROV-02, PROV-04)", []llm.Item{
			llm.User{Text: "go"},
			llm.Assistant{Provider: "vendor", Model: s.model(), Stop: llm.StopCalls, Parts: []llm.Part{call("c1"), call("c2")}},
			llm.Result{CallID: "c1", Name: "read_file", Status: llm.StatusOK, Output: "one"},
			llm.Result{CallID: "c2", Name: "read_file", Status: llm.StatusError, Output: "two"},
			llm.Assistant{Provider: "vendor", Model: s.model(), Stop: llm.StopEnd, Parts: []llm.Part{llm.Text{Text: "done"}}},
			llm.User{Text: "more"},
		}},
		{"calls without results (CTX-01, CTX-02, CTX-04, CTX-05)", []llm.Item{
			llm.User{Text: "go"},
			llm.Assistant{Provider: "vendor", Model: s.model(), Parts: []llm.Part{call("c1"), call("c2"), llm.Text{Text: " "}}},
			llm.Result{CallID: "c2", Name: "read_file", Status: llm.StatusOK, Output: "two"},
			llm.User{Text: "stop"},
			llm.Assistant{Provider: "vendor", Model: s.model(), Parts: []llm.Part{call("c3")}},
		}},
		{"empty things", []llm.Item{
			llm.User{Text: "go"},
			llm.Note{Text: ""},
			llm.Assistant{Provider: "vendor", Model: s.model(), Parts: []llm.Part{llm.Text{Text: ""}}},
			llm.Assistant{Provider: "vendor", Model: s.model(), Parts: []llm.Part{call("c1")}},
			llm.Result{CallID: "c1", Name: "read_file", Status: llm.StatusOK},
			llm.Result{CallID: "nobody", Name: "read_file", Status: llm.StatusOK, Output: "lost"},
			llm.Note{Text: "go on"},
		}},
		{"images and broken input", []llm.Item{
			llm.User{Text: "look", Images: []llm.Image{pixel}},
			llm.Assistant{Provider: "vendor", Model: s.model(), Parts: []llm.Part{llm.Call{ID: "c1", Name: "read file!", Input: json.RawMessage(`{"pa`)}}},
			llm.Result{CallID: "c1", Name: "read file!", Status: llm.StatusOK, Output: "seen", Images: []llm.Image{pixel}},
		}},
		{"several voices", []llm.Item{
			llm.User{Text: "one"}, llm.User{Text: "two"}, llm.Note{Text: "three \xff\x00"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server := s.start(t, "expect go\ntext fine")
			if c.name == "images and broken input" || c.name == "several voices" {
				server = s.start(t, "text fine")
			}
			m := s.open(t, server, provider.Limits{})
			req := s.ask(c.items...)
			req.Epoch, req.Reason = 1, "resume"
			reply, err := m.Stream(t.Context(), req, func(llm.Chunk) {})
			if err != nil || text(reply.Parts) != "fine" {
				t.Fatalf("reply %q, error %v", text(reply.Parts), err)
			}
			body := server.Requests()[0].Body
			for _, secret := range []string{"foreign-data", "foreign-thought"} {
				if bytes.Contains(body, []byte(secret)) {
					t.Errorf("the request holds %q", secret)
				}
			}
		})
	}
}

// prefix checks that requests only grow, thinking included.
func (s *suite) prefix(t *testing.T) {
	t.Parallel()
	const steps = 6
	var script strings.Builder
	for n := range steps {
		script.WriteString("think step " + itoa(n) + " \n")
		if n%2 == 1 {
			script.WriteString("redacted\n")
		}
		script.WriteString("text Step " + itoa(n) + ".\ncall read_file {\"path\":\"f" + itoa(n) + "\"}\ncall list {}\n---\n")
	}
	script.WriteString("text done")
	server := s.start(t, script.String())
	server.Prefix = true
	m := s.open(t, server, provider.Limits{})
	items := []llm.Item{llm.User{Text: "hello"}}
	for n := range steps + 1 {
		var told run
		reply, err := m.Stream(t.Context(), s.ask(items...), func(c llm.Chunk) { told.chunks = append(told.chunks, c) })
		if err != nil {
			t.Fatalf("step %d: %v", n, err)
		}
		if w := told.warnings(); w != "" && n > 0 {
			t.Errorf("step %d: warnings: %s", n, w)
		}
		items = answer(items, reply)
		if n == 3 {
			items = append(items, llm.Note{Text: "a note"}, llm.User{Text: "and this"})
		}
	}
	reqs := server.Requests()
	for i := 1; i < len(reqs); i++ {
		before, now := unmarked(reqs[i-1].Body), unmarked(reqs[i].Body)
		shared := 0
		for shared < min(len(before), len(now)) && before[shared] == now[shared] {
			shared++
		}
		if rest := len(before) - shared; rest > 400 {
			t.Errorf("request %d shares %d of %d bytes with the one before", i, shared, len(before))
		}
	}
}

// unmarked leaves cache marks out.
func unmarked(body []byte) []byte {
	return bytes.ReplaceAll(body, []byte(`,"cache_control":{"type":"ephemeral"}`), nil)
}

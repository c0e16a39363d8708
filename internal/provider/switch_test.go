package provider_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/provider/anthropic"
	"assent/internal/provider/gemini"
	"assent/internal/provider/openai"
	"assent/internal/provider/providertest"
)

// side is a provider that a session may be switched to.
type side struct {
	name  string
	model string
	open  func(o provider.Options) (providertest.Model, error)
}

func openAI(wires ...provider.Wire) func(o provider.Options) (providertest.Model, error) {
	return func(o provider.Options) (providertest.Model, error) {
		c, err := openai.New(o, wires...)
		if err != nil {
			return nil, err
		}
		return c.Conversation(), nil
	}
}

// sides are the four wires, one of them twice: another model of the same
// provider is a switch as well.
func sides() []side {
	messages := func(o provider.Options) (providertest.Model, error) {
		c, err := anthropic.New(o)
		if err != nil {
			return nil, err
		}
		return c.Conversation(), nil
	}
	return []side{
		{"messages", "claude-opus-4-8", messages},
		{"messages-other", "claude-sonnet-4-5", messages},
		{"chat", "deepseek-chat", openAI(provider.WireOpenAI)},
		{"responses", "gpt-5.2", openAI(provider.WireResponses)},
		{"chain", "gpt-5.2", openAI(provider.WireResponses, provider.WireOpenAI)},
		{"gemini", "gemini-3-pro-preview", func(o provider.Options) (providertest.Model, error) {
			c, err := gemini.New(o)
			if err != nil {
				return nil, err
			}
			return c.Conversation(), nil
		}},
	}
}

// visit is one stay at a provider: three steps with thinking, calls, odd ids
// and images.
const visit = `
think Let me look at %[1]s.
redacted
text I look (%[1]s).
call read_file {"path":"%[1]s"}
call list {}
---
id same
think And again (%[1]s).
call read_file {"path":"second"}
---
think Enough of %[1]s.
text Done with %[1]s.
---
`

// session is a conversation that outlives its provider.
type session struct {
	t     *testing.T
	items []llm.Item
	epoch int
}

// stay makes a conversation with a provider and takes a visit there.
func (s *session) stay(at side, server *providertest.Server, mark string) {
	s.t.Helper()
	if err := server.Add(fmt.Sprintf(visit, mark)); err != nil {
		s.t.Fatal(err)
	}
	m, err := at.open(provider.Options{Name: at.name, BaseURL: server.URL()})
	if err != nil {
		s.t.Fatal(err)
	}
	s.epoch++
	picture := llm.Image{MIME: "image/png", Data: []byte("\x89PNG\r\n\x1a\n" + mark), Name: mark + ".png"}
	s.items = append(s.items, llm.User{Text: "look at " + mark, Images: []llm.Image{picture}}, llm.Note{Text: "note of " + mark})
	for step := range 3 {
		reply, err := m.Stream(s.t.Context(), llm.Request{
			Model: at.model, System: "Be brief.", Items: s.items, Level: llm.LevelHigh, Session: "s", Epoch: s.epoch, Reason: "switch",
			Tools: []llm.Spec{
				{Name: "read_file", Description: "Read.", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}}}`)},
				{Name: "list", Description: "List.", Schema: json.RawMessage(`{"type":"object"}`)},
			},
		}, nil)
		if err != nil {
			s.t.Fatalf("%s, step %d: %v", mark, step, err)
		}
		a := llm.Assistant{Parts: reply.Parts, Provider: reply.Provider, Model: reply.Model, Stop: reply.Stop}
		s.items = append(s.items, a)
		for i, c := range a.Calls() {
			r := llm.Result{CallID: c.ID, Name: c.Name, Status: llm.StatusOK, Output: "result", Images: []llm.Image{picture}}
			if i == 1 {
				r = llm.Result{CallID: c.ID, Name: c.Name, Status: llm.StatusCancelled}
			}
			s.items = append(s.items, r)
		}
	}
}

// trouble is what a killed process and a clumsy model leave in a history.
func (s *session) trouble() {
	foreign := llm.Opaque{Provider: "gone", Model: "gone", Data: []byte(`{"type":"reasoning","secret":"foreign-data"}`)}
	s.items = append(
		s.items,
		llm.User{Text: "go on"},
		llm.Assistant{Provider: "gone", Model: "gone", Stop: llm.StopLength, Parts: []llm.Part{
			llm.Reasoning{Text: "foreign-thought", Opaque: foreign},
			llm.Text{Text: "  "},
			llm.Call{ID: "odd|id/with:marks", Name: "read file!", Input: json.RawMessage(`{"pa`), Opaque: foreign},
			llm.Call{ID: "never-answered", Name: "list"},
		}},
		llm.Result{CallID: "odd|id/with:marks", Name: "read file!", Status: llm.StatusError, Output: "cut"},
		llm.Assistant{Provider: "gone", Model: "gone"},
	)
}

// TestSwitching goes from each provider to each other and back, with a history
// full of trouble: the servers, which know what they signed, never complain
// (CTX-10, CTX-12, PROV-04, PROV-05).
func TestSwitching(t *testing.T) {
	t.Parallel()
	for _, from := range sides() {
		for _, to := range sides() {
			if from.name == to.name {
				continue
			}
			t.Run(from.name+" to "+to.name, func(t *testing.T) {
				t.Parallel()
				first, second := providertest.Start(t, ""), providertest.Start(t, "")
				s := &session{t: t}
				s.stay(from, first, "one")
				s.trouble()
				s.stay(to, second, "two")
				s.stay(from, first, "three")
				for _, server := range []*providertest.Server{first, second} {
					if p := server.Problems(); len(p) > 0 {
						t.Errorf("a server refused: %q", p)
					}
					for _, r := range server.Requests() {
						if bytes.Contains(r.Body, []byte("foreign-")) {
							t.Error("foreign data was sent")
						}
					}
				}
				last := first.Requests()[len(first.Requests())-1].Body
				for _, said := range []string{"Done with one.", "Done with two.", "look at one", "note of two"} {
					if !bytes.Contains(last, []byte(said)) {
						t.Errorf("the last request lost %q", said)
					}
				}
			})
		}
	}
}

package app

import (
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/provider/providertest"
)

// heard reads events up to the one that tells an agent, and returns the notices.
func heard(t *testing.T, c *event.Cursor, agent string) string {
	t.Helper()
	var all strings.Builder
	for {
		list, err := c.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			switch e := e.(type) {
			case event.Notice:
				all.WriteString(e.Text + "\n")
			case event.State:
				if e.Agent == agent {
					return all.String()
				}
			default:
			}
		}
	}
}

// A model that is typed and that the vendor's list lacks is asked about, with
// those that are near; typed again it is taken.
func TestAnUnknownModelIsAskedAbout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env["ANTHROPIC_API_KEY"] = "k"
	h := w.open(Flags{Dir: w.root})
	use := func(model string) string {
		t.Helper()
		if err := h.Do(t.Context(), host.Use{Model: model}); err != nil {
			return err.Error()
		}
		return ""
	}
	known := use("claude-sonnet-4-5-20250929") + use("claude-sonnet-4-5") // with a date, and without
	if known != "" {
		t.Error(known)
	}
	for _, c := range []struct{ model, want string }{
		{"nope", `"nope" is not among the `},
		{"claude-sonet-4-5", "; near it: claude-sonnet-"},
		{"claude-opus", "; near it: claude-opus-"}, // so that "nope" is not the last one
	} {
		model, want := c.model, c.want
		if got := use(model); !strings.Contains(got, want) || !strings.HasSuffix(got, "/model "+model+" again takes it all the same") {
			t.Errorf("%s: %q", model, got)
		}
	}
	if got := use("nope"); !strings.Contains(got, "/models lists what the endpoint offers") {
		t.Errorf("after another one: %q", got)
	}
	if got := use("nope"); got != "" {
		t.Errorf("said twice: %q", got)
	}
	if got := use("nope"); got != "" {
		t.Errorf("the one that is used: %q", got)
	}
}

// A model of the flag is told of, and used.
func TestAnUnknownModelOfTheFlagIsToldOf(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env["ANTHROPIC_API_KEY"] = "k"
	for model, told := range map[string]bool{"claude-sonet-4-5": true, "claude-sonnet-4-5": false} {
		h := w.open(Flags{Dir: w.root, Model: model})
		c := h.Events()
		if err := h.Do(t.Context(), host.Use{Agent: "plan"}); err != nil {
			t.Fatal(err)
		}
		if got := heard(t, c, "plan"); strings.Contains(got, "near it: claude-sonnet-") != told {
			t.Errorf("%s: %q", model, got)
		}
		c.Close()
	}
	w.config(`{"model":"claude-sonet-4-5"}`) // who wrote it down was told, or knows
	h := w.open(Flags{Dir: w.root})
	c := h.Events()
	defer c.Close()
	if err := h.Do(t.Context(), host.Use{Agent: "plan"}); err != nil {
		t.Fatal(err)
	}
	if got := heard(t, c, "plan"); strings.Contains(got, "near it") {
		t.Errorf("of the config: %q", got)
	}
}

// A server of the user's may take what it does not list: that is told where its
// list is known, and used. Where none is known nothing is said.
func TestAnotherServersModelIsUsed(t *testing.T) {
	t.Parallel()
	s := providertest.Start(t, "text hello\nrepeat")
	w := newWorld(t)
	h := w.open(Flags{Provider: "custom-openai", Model: "any", BaseURL: s.URL(), Dir: w.root})
	c := h.Events()
	defer c.Close()
	do := func(cmd host.Use) {
		t.Helper()
		if err := h.Do(t.Context(), cmd); err != nil {
			t.Fatal(err)
		}
	}
	do(host.Use{Model: "model-c"})
	do(host.Use{Agent: "plan"})
	if got := heard(t, c, "plan"); strings.Contains(got, "is not among") {
		t.Errorf("without a list: %q", got)
	}
	if _, err := h.Ask(t.Context(), host.Models{}); err != nil {
		t.Fatal(err)
	}
	do(host.Use{Model: "model-a"})
	do(host.Use{Model: "model-c"})
	do(host.Use{Agent: "deep"})
	if got := heard(t, c, "deep"); !strings.Contains(got, `"model-c" is not among the 2 models that custom-openai offers; near it: model-a, model-b. It is used as it is.`) || strings.Contains(got, `"model-a"`) {
		t.Errorf("with a list: %q", got)
	}
}

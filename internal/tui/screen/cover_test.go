package screen_test

import (
	"strings"
	"testing"

	"assent/internal/host"
	"assent/internal/tui/screen"
)

// A key that is typed or pasted where a name or an address is asked for is not
// shown; names and addresses are.
func TestAKeyAtTheWrongFieldIsCovered(t *testing.T) {
	t.Parallel()
	shaped := "ghp_" + strings.Repeat("a1B2", 9)
	loose := strings.Join([]string{"good", "key", "123456789012"}, "-")
	for _, key := range []string{shaped, loose} {
		u := setup(t, true)
		u.keys(strings.Split(key, "")...)
		if p := panel(u); p.Covered(p.Filter).Text != strings.Repeat("•", 16) {
			t.Errorf("the filter shows %q", p.Covered(p.Filter).Text)
		}
		u = setup(t, true)
		u.paste(key)
		if p := panel(u); u.text != "" || !strings.Contains(p.Note, "looks like a key") {
			t.Errorf("the prompt holds %q, panel %+v", u.text, p)
		}
		u = ownEndpoint(t)
		u.paste(key)
		if p := panel(u); strings.Contains(p.Covered(p.URL).Text, key[:4]) {
			t.Errorf("the address shows %q", p.Covered(p.URL).Text)
		}
		u.keys("enter")
		if p := panel(u); !strings.Contains(p.Note, "looks like a key") {
			t.Errorf("panel %+v", p)
		}
	}
	u := setup(t, true)
	u.keys("enter")
	u.answer(host.Models{Provider: "openai", Setup: true}, host.ModelList{Models: []host.Model{{Provider: "openai", ID: "one"}}})
	u.paste(shaped)
	if p := panel(u); p.Covered(p.Filter).Text != strings.Repeat("•", 16) {
		t.Errorf("the model shows %q", p.Covered(p.Filter).Text)
	}
	for _, name := range []string{"custom-responses", "https://ai.example/v1/a23456789", "claude-sonnet-4-5-20250929", "qwen2.5-coder:32b-instruct-q4_K_M"} {
		if got := (screen.Setup{Step: screen.SetupModel}).Covered(screen.NewLine(name)); got.Text != name {
			t.Errorf("%s is shown as %q", name, got.Text)
		}
	}
}

// A model that the endpoint does not list is asked about; a command is none, and
// an exact name wins over those that only begin with it.
func TestAModelThatIsNotListed(t *testing.T) {
	t.Parallel()
	u := setup(t, true)
	u.keys("enter")
	u.answer(host.Models{Provider: "openai", Setup: true}, host.ModelList{Models: []host.Model{{Provider: "openai", ID: "one-large"}, {Provider: "openai", ID: "one"}}})
	u.paste("/model")
	want(t, u.keys("enter"))
	if p := panel(u); !strings.Contains(p.Note, "/model is a command") {
		t.Errorf("panel %+v", p)
	}
	u.keys("ctrl+u", "other")
	want(t, u.keys("enter"))
	if p := panel(u); !strings.Contains(p.Note, "openai does not list other") {
		t.Errorf("panel %+v", p)
	}
	u.keys("s", "backspace")
	want(t, u.keys("enter"))
	want(t, u.keys("enter"), configure("provider", "openai"))
	want(t, u.answer(host.Configure{Field: "provider", Value: "openai"}, host.Page{}), configure("model", "other"))

	u = setup(t, true)
	u.keys("enter")
	u.answer(host.Models{Provider: "openai", Setup: true}, host.ModelList{Models: []host.Model{{Provider: "openai", ID: "one-large"}, {Provider: "openai", ID: "one"}}})
	u.keys("one", "enter")
	want(t, u.answer(host.Configure{Field: "provider", Value: "openai"}, host.Page{}), configure("model", "one"))
}

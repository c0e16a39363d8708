package screen_test

import (
	"fmt"
	"strings"
	"testing"

	"assent/internal/host"
	"assent/internal/llm"
	"assent/internal/tui/screen"
)

// ownEndpoint is a set-up that asks for an address.
func ownEndpoint(t *testing.T) *ui {
	t.Helper()
	u := setup(t, false)
	u.keys("up", "enter")
	return u
}

// What is no address is said where it is typed, before anything is asked or
// stored; a server of this machine needs no scheme.
func TestAddressOfAnEndpoint(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"https://ai.example/v1", "https://ai.example/v1"},
		{" http://10.0.0.7:8080/ ", "http://10.0.0.7:8080/"},
		{"localhost:1234", "http://localhost:1234"},
		{"127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"},
		{"[::1]:8080", "http://[::1]:8080"},
		{"localhost", "http://localhost"},
		{"good", ""},
		{"ai.example/v1", ""},
		{"10.0.0.7:8080", ""},
		{"ftp://ai.example", ""},
		{"https://", ""},
		{"https:// ai.example", ""},
		{"localhost.evil.example", ""},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			t.Parallel()
			u := ownEndpoint(t)
			u.paste(tt.text)
			want(t, u.keys("enter"))
			p := panel(u)
			if tt.want == "" {
				if p.Step != screen.SetupURL || !strings.Contains(p.Note, "https:// or http://") {
					t.Errorf("panel %+v", p)
				}
				u.keys("x")
				if p := panel(u); p.Note != "" {
					t.Errorf("the note stays: %q", p.Note)
				}
				return
			}
			if p.Step != screen.SetupKey || p.URL.Text != tt.want || !strings.Contains(u.s.Hint(), "or leave it empty") {
				t.Errorf("panel %+v", p)
			}
		})
	}
}

// An endpoint that is set up already keeps its address.
func TestAddressThatIsKnown(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.take(screen.StartSetup(u.s, false))
	u.answer(host.Providers{}, host.ProviderList{Providers: []host.Provider{{Name: "custom", NeedsURL: true, BaseURL: "http://localhost:1/", KeyFrom: "keys.json"}}})
	u.keys("enter")
	if p := panel(u); p.Step != screen.SetupURL || p.URL.Text != "http://localhost:1/" {
		t.Fatalf("panel %+v", p)
	}
	u.keys("enter", "enter")
	if p := panel(u); p.Step != screen.SetupModel || p.Loading == "" {
		t.Errorf("panel %+v", p)
	}
}

// What the endpoint refuses is asked for again: the key, also one that was
// found, or the address.
func TestSetupAsksAgainForWhatDidNotWork(t *testing.T) {
	t.Parallel()
	u := setup(t, false)
	u.keys("enter")
	refused := fmt.Errorf("list: %w", &llm.Failure{Kind: llm.KindAuth, Message: "refused"})
	u.take(screen.Answered(u.s, host.Models{Provider: "openai", Setup: true}, nil, refused))
	if p := panel(u); p.Step != screen.SetupKey || p.Note == "" {
		t.Errorf("panel %+v", p)
	}

	u = ownEndpoint(t)
	u.paste("localhost:1")
	u.keys("enter", "enter")
	silent := fmt.Errorf("list: %w", &llm.Failure{Kind: llm.KindNetwork, Message: "nothing listens"})
	u.take(screen.Answered(u.s, host.Models{Provider: "custom", BaseURL: "http://localhost:1", Setup: true}, nil, silent))
	if p := panel(u); p.Step != screen.SetupURL || p.Note == "" || p.URL.Text != "http://localhost:1" {
		t.Errorf("panel %+v", p)
	}
}

package gate_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"assent/internal/gate"
	"assent/internal/policy"
)

// hops is a host that redirects along a list.
type hops struct{ reached []string }

func (f *hops) Fetch(_ context.Context, address string, _ int, allow func(string) error) (gate.Page, error) {
	f.reached = append(f.reached, address)
	for _, to := range strings.Split(address, " ")[1:] {
		if err := allow(to); err != nil {
			return gate.Page{}, err
		}
		f.reached = append(f.reached, to)
	}
	return gate.Page{Body: []byte("ok")}, nil
}

func fetching(address string) gate.Request {
	r := gate.Request{Tool: "web_fetch", Effect: policy.Net}
	r.Plan.Subjects = []policy.Subject{{Kind: policy.KindURL, Text: address}}
	return r
}

func TestFetch(t *testing.T) {
	t.Parallel()
	ws, _ := open(t, nil)
	cases := []struct {
		address string // and where it redirects to
		yolo    bool
		fails   string
	}{
		{"https://a.example/", false, ""},
		{"https://a.example/ https://a.example/x", false, ""},
		{"http://a.example/ https://A.example/x", false, ""},
		{"https://a.example/ https://ok.example/x", false, ""},
		{"https://a.example/ http://a.example/x", false, "was not asked about"},
		{"https://a.example/ https://a.example:8443/x", false, "was not asked about"},
		{"https://a.example/ https://b.example/x", false, "was not asked about"},
		{"https://a.example/ https://b.example/x", true, ""},
		{"https://a.example/ https://no.example/x", true, "no.example"},
		{"https://a.example/ https://a.example/secret", false, "secret"},
		{"https://a.example/ ://", false, "was not asked about"},
	}
	for _, c := range cases {
		f := &hops{}
		g := gate.New(gate.Options{
			Workspace: ws, Fetch: f, Yolo: c.yolo, Asker: &user{answer: gate.Answer{Choice: gate.Once}},
			Rules: rules(t, "allow web_fetch(https://ok.example/*)", "deny web_fetch(https://no.example/*)", "deny web_fetch(https://a.example/secret)"),
		})
		h := granted(t, g, fetching(c.address))
		page, err := h.Fetch(t.Context(), c.address, 100)
		if c.fails == "" != (err == nil) || err == nil && string(page.Body) != "ok" || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%s: %v", c.address, err)
		}
		if _, err := h.Fetch(t.Context(), "https://other.example/", 100); !errors.Is(err, gate.ErrNotPlanned) {
			t.Errorf("another address: %v", err)
		}
		h.Close()
		if _, err := h.Fetch(t.Context(), c.address, 100); !errors.Is(err, gate.ErrClosed) {
			t.Errorf("got %v", err)
		}
	}
	g := gate.New(gate.Options{Workspace: ws, Yolo: true})
	if _, err := granted(t, g, fetching("https://a.example/")).Fetch(t.Context(), "https://a.example/", 1); err == nil {
		t.Error("fetched without a fetcher")
	}
	r := fetching("https://a.example/")
	r.Effect = policy.Read
	if _, err := granted(t, g, r).Fetch(t.Context(), "https://a.example/", 1); !errors.Is(err, gate.ErrNotPlanned) {
		t.Errorf("got %v", err)
	}
}

// ending is a fetcher under which the hands end before it is redirected.
type ending struct{ end func() }

func (f *ending) Fetch(_ context.Context, address string, _ int, allow func(string) error) (gate.Page, error) {
	f.end()
	return gate.Page{}, allow(address)
}

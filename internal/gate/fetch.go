package gate

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"assent/internal/policy"
)

// Page is what an address answered.
type Page struct {
	// URL is the last address, after redirects; Type the media type as told.
	URL, Type string
	Body      []byte
	// Truncated says that the answer was longer than what was asked for.
	Truncated bool
}

// Fetcher reaches public hosts. It checks addresses when it connects, and asks
// allow before it goes to the target of a redirect.
type Fetcher interface {
	// Fetch reads at most so many bytes of an address.
	Fetch(ctx context.Context, address string, most int, allow func(address string) error) (Page, error)
}

// Fetch reads a planned address. A redirect to another host goes only where
// the rules would have let the call itself go: a host that redirects for
// everybody must not become a way around them.
func (h Hands) Fetch(ctx context.Context, address string, most int) (Page, error) {
	if err := h.live(); err != nil {
		return Page{}, err
	}
	planned := false
	for _, s := range h.s.request.Plan.Subjects {
		planned = planned || s.Kind == policy.KindURL && s.Text == address
	}
	if !planned || h.s.request.Effect != policy.Net {
		return Page{}, fmt.Errorf("fetch %s: %w", address, ErrNotPlanned)
	}
	fetcher := h.s.gate.options.Fetch
	if fetcher == nil {
		return Page{}, errors.New("fetch an address: this program opens no connections")
	}
	return fetcher.Fetch(ctx, address, most, func(to string) error { return h.s.hop(address, to) })
}

// hop judges the target of a redirect.
func (s *span) hop(from, to string) error {
	if s.closed.Load() {
		return ErrClosed
	}
	d := s.gate.current().Decide(policy.Call{Tool: s.request.Tool, Effect: policy.Net, Plan: policy.Plan{
		Subjects: []policy.Subject{{Kind: policy.KindURL, Text: to}},
	}}, nil)
	switch {
	case d.Verdict == policy.Allow, d.Verdict == policy.Ask && (s.gate.options.Yolo || sameHost(from, to)):
		return nil
	case d.Verdict == policy.Ask:
		return fmt.Errorf("it redirects to %s, which was not asked about; fetch that address itself", to)
	}
	return fmt.Errorf("it redirects to %s: %s", to, d.Reason)
}

// sameHost says whether two addresses lead to one host by one scheme, or from
// http to https of it.
func sameHost(a, b string) bool {
	x, err := url.Parse(a)
	if err != nil {
		return false
	}
	y, err := url.Parse(b)
	return err == nil && strings.EqualFold(x.Hostname(), y.Hostname()) &&
		(x.Scheme == y.Scheme && x.Port() == y.Port() || x.Scheme == "http" && y.Scheme == "https")
}

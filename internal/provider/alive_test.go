package provider_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/provider/providertest"
)

// What only keeps a connection open never counts as an answer, in whatever form
// it comes; an event that is not known does.
func TestKeepAlives(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		real bool
	}{
		{": hello\n\n", false},
		{"event: ping\ndata: {\"type\": \"ping\"}\n\n", false},
		{"event: keepalive\ndata: {\"type\":\"keepalive\",\"sequence_number\":7}\n\n", false},
		{"event: heartbeat\ndata: {}\n\n", false},
		{"data: {\"type\":\"ping\"}\n\n", false},
		{"data: {\"type\": \"keepalive\", \"sequence_number\": 7}\n\n", false},
		{"data:\n\n", false},
		{"event: message\n\n", false},
		{"\n\n", false},
		{"event: response.in_progress\ndata: {\"type\":\"response.in_progress\"}\n\n", true},
		{"data: {\"type\":\"text\",\"text\":\"ping\"}\n\n", true},
		{"data: {\"choices\":[{\"delta\":{\"content\":\"ping\"}}]}\n\n", true},
	} {
		t.Run(strings.TrimSpace(c.text), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				pieces := []string{": begun\n\n"}
				for range 100 {
					pieces = append(pieces, c.text)
				}
				e, err := provider.NewEndpoint(provider.Options{
					Name: "vendor", BaseURL: "http://model.test", Limits: provider.Limits{Idle: 30 * time.Second, Quiet: time.Minute},
					HTTP: &http.Client{Transport: providertest.Paced{Pieces: pieces, Pause: 10 * time.Second}},
				}, provider.Bearer)
				if err != nil {
					t.Fatal(err)
				}
				begun := time.Now()
				_, err = stream(t, e)
				took := time.Since(begun)
				if c.real {
					if err != nil {
						t.Errorf("ended after %v: %v", took, err)
					}
					return
				}
				var f *llm.Failure
				if !errors.As(err, &f) || !strings.Contains(f.Message, "keep-alives") || took > 80*time.Second {
					t.Errorf("ended after %v: %v", took, err)
				}
			})
		})
	}
}

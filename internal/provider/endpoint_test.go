package provider_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"assent/internal/llm"
	"assent/internal/provider"
)

// A server that is not there is named, and what to do.
func TestServerThatIsNotThere(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	_, err := post(t, provider.Options{BaseURL: gone.URL}, provider.TransportOptions{})
	if f := fails(t, err, llm.KindNetwork, "nothing listens at "+strings.TrimPrefix(gone.URL, "http://"), "base URL"); !f.Retryable {
		t.Errorf("it is not tried again: %s", f.Message)
	}
}

func TestRefusalsSayWhatToDo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		kind   llm.Kind
		words  string
	}{
		{http.StatusUnauthorized, llm.KindAuth, "set V_KEY"},
		{http.StatusForbidden, llm.KindAuth, "set V_KEY"},
		{http.StatusProxyAuthRequired, llm.KindAuth, "user:password"},
		{http.StatusPaymentRequired, llm.KindProvider, "credit"},
		{http.StatusNotFound, llm.KindProvider, "assent models"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(c.status) }))
		t.Cleanup(s.Close)
		_, err := post(t, provider.Options{BaseURL: s.URL, KeyHint: "set V_KEY"}, provider.TransportOptions{})
		fails(t, err, c.kind, c.words)
	}
}

// Answers of one moment that refuse the same credential renew it once.
func TestRenewedOnceForAll(t *testing.T) {
	t.Parallel()
	const n = 8
	var refused sync.WaitGroup // until each has been refused
	refused.Add(n)
	old, fresh := "old-"+"credential", "new-"+"credential"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.Header.Get("Authorization"), old) {
			refused.Done()
			refused.Wait()
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		model(w, r)
	}))
	t.Cleanup(s.Close)
	var mu sync.Mutex
	now, renewals := old, 0
	e, err := provider.NewEndpoint(provider.Options{Name: "v", BaseURL: s.URL, Key: func(_ context.Context, refresh bool) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if refresh {
			now, renewals = fresh, renewals+1
		}
		return now, nil
	}}, provider.Bearer)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			stream, err := e.Post(t.Context(), provider.Request{Version: "v1", Path: "/x", Body: text("{}")})
			if err != nil {
				t.Error(err)
				return
			}
			stream.Close()
		})
	}
	wg.Wait()
	if renewals != 1 {
		t.Errorf("renewed %d times", renewals)
	}
}

// TestBodyIsSentAgain checks that a request survives a connection that the
// server closed between two requests.
func TestBodyIsSentAgain(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(model))
	t.Cleanup(srv.Close)
	e, err := provider.NewEndpoint(provider.Options{Name: "v", BaseURL: srv.URL, Key: func(context.Context, bool) (string, error) { return "", nil }}, provider.Bearer)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		s, err := e.Post(t.Context(), provider.Request{Version: "v1", Path: "/x", Body: text("{}")})
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range s.Events() {
			if err != nil {
				t.Fatal(err)
			}
		}
		srv.CloseClientConnections()
	}
}

func TestCredentialThatCannotBeHad(t *testing.T) {
	t.Parallel()
	e, err := provider.NewEndpoint(provider.Options{Name: "v", BaseURL: "http://127.0.0.1:1", KeyHint: "set V_KEY", Key: func(context.Context, bool) (string, error) {
		return "", errors.New("the command failed")
	}}, provider.Bearer)
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Get(t.Context(), provider.Request{Version: "v1", Path: "/models"})
	var f *llm.Failure
	if !errors.As(err, &f) || f.Kind != llm.KindAuth || !strings.Contains(f.Message, "the command failed") || !strings.Contains(f.Message, "V_KEY") {
		t.Errorf("error is %v", err)
	}
}

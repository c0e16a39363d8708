package app

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/host"
)

// A refused key is told with the place that it came from.
func TestTheHintNamesWhereTheKeyCameFrom(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":{"message":"no"}}`, http.StatusUnauthorized)
	}))
	t.Cleanup(s.Close)
	url := `{"provider":"custom-openai","model":"m","baseUrl":"` + s.URL + `"`
	for _, c := range []struct{ name, config, env, want, never string }{
		{"environment", url + `}`, "wrong", "the key comes from ASSENT_API_KEY: set it to a valid one", "in the config"},
		{"config", url + ",\n\"apiKey\":\"wrong\"}", "", "the key comes from apiKey (CONFIG:2): put a valid one there", "ASSENT_API_KEY"},
		{"command", url + ",\n\n\"credential\":\"echo wrong\"}", "", "the key comes from credential (CONFIG:3)", "ASSENT_API_KEY"},
		{"a command that fails", url + ",\n\"credential\":\"echo no login >&2; exit 3\"}", "", "failed with exit code 3: no login; the key comes from credential (CONFIG:2)", "ASSENT_API_KEY"},
		{"none", url + `}`, "", "no key was sent: set ASSENT_API_KEY or apiKey in the config", "comes from"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.config(c.config)
			if c.env != "" {
				w.env["ASSENT_API_KEY"] = c.env
			}
			if _, err := w.run(Flags{}, "hi"); err != nil {
				t.Fatal(err)
			}
			got := strings.ReplaceAll(w.err.String(), w.home+"/config.json", "CONFIG")
			if !strings.Contains(got, c.want) || strings.Contains(got, c.never) {
				t.Errorf("got %s\nwant %s", got, c.want)
			}
		})
	}
	t.Run("typed", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		h := w.open(w.script(`{"text":"x"}`))
		_, err := h.Ask(t.Context(), host.Models{Provider: "custom-openai", BaseURL: s.URL, Key: "wrong"})
		if err == nil || strings.Contains(err.Error(), "config") || strings.Contains(err.Error(), "/provider") {
			t.Errorf("the error is %v", err)
		}
	})
}

// A stored key that is refused is named. How another one is stored is said where
// no dialog is open that asks for it.
func TestAStoredKeyThatIsRefused(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":{"message":"no"}}`, http.StatusUnauthorized)
	}))
	t.Cleanup(s.Close)
	w := newWorld(t)
	w.config(`{"provider":"custom-openai","model":"m","baseUrl":"` + s.URL + `"}`)
	put(t, filepath.Join(w.home, "keys.json"), `{"custom-openai":"wrong-word"}`)
	h := w.open(Flags{Dir: w.root})
	for _, c := range []struct {
		query   host.Models
		advised bool
	}{{host.Models{}, true}, {host.Models{Provider: "custom-openai"}, true}, {host.Models{Provider: "custom-openai", Setup: true}, false}} {
		_, err := h.Ask(t.Context(), c.query)
		if err == nil || !strings.Contains(err.Error(), "keys.json was the one refused") || strings.Contains(err.Error(), "/provider") != c.advised {
			t.Errorf("%+v: %v", c.query, err)
		}
	}
}

// A credential command that takes its time is waited for with a word.
func TestACommandForAKeyThatTakesItsTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.config(`{"provider":"custom-openai","model":"m","baseUrl":"http://127.0.0.1:1","credential":"sleep 60"}`)
	h := w.open(Flags{Dir: w.root})
	c := h.Events()
	defer c.Close()
	if err := h.Do(t.Context(), host.Submit{Text: "hi"}); err != nil {
		t.Fatal(err)
	}
	for {
		list, err := c.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			if n, ok := e.(event.Notice); ok && strings.Contains(n.Text, "waiting for the key; the key comes from credential") {
				if err := h.Do(t.Context(), host.Cancel{}); err != nil {
					t.Error(err)
				}
				return
			}
		}
	}
}

// /config says what answers now, after /model too.
func TestConfigNamesTheModelInUse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.open(w.script(`{"text":"x"}`))
	if page := ask[host.Page](t, h, host.Report{Name: "config"}); strings.Contains(page.Markdown, "In use now") {
		t.Errorf("said of the model of the start: %s", page.Markdown)
	}
	w.env["OPENAI_API_KEY"] = "k"
	if err := h.Do(t.Context(), host.Use{Provider: "openai", Model: "m-2"}); err != nil {
		t.Fatal(err)
	}
	if page := ask[host.Page](t, h, host.Report{Name: "config"}); !strings.Contains(page.Markdown, "In use now: model `m-2` of openai.") {
		t.Errorf("got %s", page.Markdown)
	}
}

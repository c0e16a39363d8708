//go:build unix

package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/provider/providertest"
)

// endpoint is a model server on loopback that wants a key, or none.
func endpoint(t *testing.T, key string) string {
	t.Helper()
	model, err := providertest.NewServer("text Set up well.\nrepeat\n")
	if err != nil {
		t.Fatal(err)
	}
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if key != "" && r.Header.Get("Authorization") != "Bearer "+key {
			http.Error(w, `{"error":{"message":"that key is not known here"}}`, http.StatusUnauthorized)
			return
		}
		model.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { served.CloseClientConnections(); served.Close() })
	return served.URL
}

// bare is a world in which nothing is set up but what env says.
func bare(t *testing.T, env ...string) *world {
	t.Helper()
	w := newWorld(t)
	var own []string
	for _, v := range w.env {
		if !strings.HasPrefix(v, "ANTHROPIC_API_KEY=") {
			own = append(own, v)
		}
	}
	w.env = append(append(own, terminal...), env...)
	return w
}

// config makes the user's config, readable for all as an editor leaves it.
func (w *world) config(text string) string {
	w.t.Helper()
	file := filepath.Join(w.home, "config.json")
	check(w.t, os.MkdirAll(w.home, 0o700))
	check(w.t, os.WriteFile(file, []byte(text), 0o644))
	return file
}

// key builds a key that no file holds.
func key(word string) string { return "sk-" + strings.Repeat(word, 8) }

// The first run, step by step: the list, the address, a key that is refused and
// typed again, the endpoint's models, and then the prompt that was given at the
// start.
func TestFirstRunToTheFirstAnswer(t *testing.T) {
	t.Parallel()
	good, bad := key("good"), key("evil")
	url := endpoint(t, good)
	w := bare(t)
	file := w.config("{\n  // keep this remark\n  \"thinking\": \"off\",\n}\n")
	g := behind(t, w.command("hello there"), 100, 40)
	g.see("Choose a provider", "❯ anthropic", "demo", "needs a key", "your own endpoint, needs an address")
	g.keys("custom-openai")
	g.see("❯ custom-openai")
	g.keys(keyEnter)
	g.see("type the address")
	g.keys(url + keyEnter)
	g.see("paste the key")
	g.keys("\x1b[200~" + bad + "\x1b[201~" + keyEnter)
	g.see("that key is not known here", "paste the key")
	// Nothing is stored before a model is chosen, and no refused key ever.
	check(t, filepath.Walk(w.home, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), bad) || strings.Contains(string(text), "custom-openai") {
			t.Errorf("%s holds %s", path, text)
		}
		return err
	}))
	g.keys(good + keyEnter)
	g.see("❯ model-a", "model-b")
	g.keys("model-b")
	g.see("❯ model-b")
	g.keys(keyEnter)
	g.see("◆ assent", "> hello there", "Set up well.", "default · model-b")
	if code := g.leave(); code != 0 {
		t.Errorf("exit %d", code)
	}
	raw := g.Written()
	for _, secret := range []string{good, bad, "goodgood", "evilevil"} {
		if strings.Contains(raw, secret) {
			t.Errorf("%q was written to the terminal", secret)
		}
	}
	text, err := os.ReadFile(file)
	check(t, err)
	for _, want := range []string{"// keep this remark", `"thinking": "off"`, `"custom-openai"`, url, `"model-b"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the config lacks %s:\n%s", want, text)
		}
	}
	if strings.Contains(string(text), "good") {
		t.Errorf("the config holds the key:\n%s", text)
	}
	w.private()
	// The next start needs no set-up.
	g = behind(t, w.command("and again"), 100, 40)
	g.see("> and again", "Set up well.", "default · model-b")
	g.leave()
}

// private fails when anybody else may read a file of the program's.
func (w *world) private() {
	w.t.Helper()
	check(w.t, filepath.Walk(w.home, func(path string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			w.t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	}))
}

// A start without a usable model opens the set-up and says what is missing; what
// is chosen there stands over what led nowhere.
func TestASetUpThatLacksItsModelIsOpenedAgain(t *testing.T) {
	t.Parallel()
	url := endpoint(t, "")
	for _, config := range []string{`{"provider":"custom-openai","baseUrl":"` + url + `"}`, `{"provider":"custom-openai"}`} {
		w := bare(t)
		file := w.config(config)
		g := behind(t, w.command("--provider", "openai", "hello there"), 100, 40)
		g.see("no key for openai", "Choose a provider")
		g.keys("\x03")
		g.keys("\x03")
		g.exit()
		g = behind(t, w.command("hello there"), 100, 40)
		g.see("Choose a provider", "custom-openai")
		if strings.Contains(config, url) {
			g.see("no model is set for custom-openai")
		} else {
			g.see("the provider custom-openai needs an address")
		}
		g.keys("custom-openai")
		g.see("❯ custom-openai")
		g.keys(keyEnter)
		g.see("type the address")
		if !strings.Contains(config, url) {
			g.keys(url)
		}
		g.keys(keyEnter)
		g.see("leave it empty")
		g.keys(keyEnter)
		g.see("❯ model-a")
		g.keys(keyEnter)
		g.see("> hello there", "Set up well.")
		g.leave()
		text, err := os.ReadFile(file)
		check(t, err)
		if !strings.Contains(string(text), `"model-a"`) {
			t.Errorf("the config is %s", text)
		}
	}
}

// esc goes a step back and never out of the first run; the demo needs nothing.
func TestFirstRunToTheDemo(t *testing.T) {
	t.Parallel()
	w := bare(t)
	g := behind(t, w.command(), 100, 40)
	g.see("Choose a provider", "❯ anthropic")
	g.keys(keyEnter)
	g.see("paste the key")
	g.keys("half a key")
	g.see("••••")
	g.keys(keyEsc)
	g.see("Choose a provider")
	g.lose("paste the key")
	g.keys(keyEsc)
	g.keys("demo")
	g.see("❯ demo")
	g.keys(keyEnter)
	g.see("The model of this demo is scripted", "> The tests fail.")
	g.answer("y", "sh test.sh")
	g.answer("y", "allow edit_file")
	g.answer("y", "sh test.sh")
	g.see("a total of exactly 100 now gets the discount", "done")
	if code := g.leave(); code != 0 {
		t.Errorf("exit %d", code)
	}
	if all := g.all(); strings.Contains(all, "assent -c") || strings.Contains(g.Written(), "half a key") {
		t.Errorf("a way back to what is gone, or a key that is seen:\n%s", all)
	}
}

// /provider lists what works at once first: keys that were found, servers that
// run; a provider with a key needs no step but its model.
func TestProviderListsWhatWorksFirst(t *testing.T) {
	t.Parallel()
	url := endpoint(t, "")
	w := bare(t, "GROQ_API_KEY="+key("groq"))
	w.config(`{"provider":"lmstudio","baseUrl":"` + url + `","model":"model-a"}`)
	g := behind(t, w.command(), 100, 40)
	g.ready()
	g.keys("/provider\r")
	g.see("key found in GROQ_API_KEY", "running at "+url)
	rows := strings.Split(g.last("Choose a provider"), "\n")
	order := ""
	for _, r := range rows {
		for _, name := range []string{"groq", "demo", "lmstudio", "anthropic", "custom-openai"} {
			if strings.HasPrefix(strings.TrimLeft(r, "❯ "), name+" ") {
				order += name + " "
			}
		}
	}
	if !strings.HasPrefix(order, "groq demo lmstudio anthropic ") {
		t.Errorf("the order is %q:\n%s", order, strings.Join(rows, "\n"))
	}
	g.keys("lmst")
	g.see("❯ lmstudio")
	g.keys(keyEnter)
	g.see("❯ model-a", "model-b")
	g.keys(keyDown)
	g.see("❯ model-b")
	g.keys(keyEnter)
	g.see("default · model-b")
	g.keys("hello\r")
	g.see("Set up well.")
	g.leave()
}

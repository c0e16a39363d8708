//go:build unix

package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/provider/providertest"
)

func TestJourneyFirstRun(t *testing.T) {
	x := open(t)
	x.run("")
	x.see("Choose a provider", "anthropic", "needs a key")
	x.keys("Down") // the demo is the second
	x.see("❯ demo")
	x.keys("Enter")
	x.see("◆ assent", "script", "allow bash?", "sh test.sh") // the demo asks as any session does
	x.answerable()
	x.keys("Escape")
	x.see("cancelled")
	x.text("/exit")
	x.keys("Enter")
	if all := x.see("exit=0", "begins in a project of yours"); strings.Contains(all, "assent -c") {
		t.Errorf("the demo cannot go on, and says that it can:\n%s", all)
	}
}

// The set-up keeps a key out of sight and comments in the config, and the first
// prompt is sent after it.
func TestJourneySetUpWithAKey(t *testing.T) {
	x := open(t)
	model, err := providertest.NewServer("text Set up well.\n")
	if err != nil {
		t.Fatal(err)
	}
	served := httptest.NewServer(model)
	t.Cleanup(func() { served.CloseClientConnections(); served.Close() })
	dir := filepath.Join(x.home, ".config", "assent")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "config.json")
	if err := os.WriteFile(file, []byte("{\n  // keep this remark\n  \"thinking\": \"off\",\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	key := strings.Repeat("k3y", 12)
	x.run("", "hello there")
	x.see("Choose a provider")
	x.text("custom-openai")
	x.see("❯ custom-openai")
	x.keys("Enter")
	x.see("type the address")
	x.text(served.URL)
	x.keys("Enter")
	x.see("paste the key")
	x.paste(key)
	x.keys("Enter")
	x.see("to name a model")
	x.text("some-model")
	x.keys("Enter")
	x.see("does not list some-model") // and is asked about
	x.keys("Enter")
	all := x.see("◆ assent", "Set up well.", "> hello there")
	if strings.Contains(all, "k3y") {
		t.Errorf("the key is on the screen:\n%s", all)
	}
	x.exit()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"// keep this remark", `"custom-openai"`, served.URL} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the config lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(string(text), key) {
		t.Errorf("the key is in the config:\n%s", text)
	}
	kept := filepath.Join(x.home, ".local", "state", "assent", "keys.json")
	if info, err := os.Stat(kept); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key is not kept for the user alone: %v, %v", info, err)
	}
}

// Before a terminal a project is trusted when all that it brings was shown, a
// page at a time.
func TestJourneyTrustInPages(t *testing.T) {
	x := open(t)
	file := filepath.Join(x.work, ".assent", "config.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	text := "{\n" + strings.Repeat("// padding\n", 60) + `"permission": {"bash": {"hidden *": "allow"}}` + "\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	x.run("", "trust")
	if all := x.see("enter shows more"); strings.Contains(all, "hidden") {
		t.Fatalf("it did not wait:\n%s", all)
	}
	x.keys("C-c")
	x.see("exit=130")
	x.run("", "trust")
	x.settle()
	x.text("q")
	x.keys("Enter")
	x.see("nothing is trusted", "exit=1\n")
	x.run("", "trust")
	for range 2 {
		x.settle()
		x.keys("Enter")
	}
	x.see("hidden", "state:  trusted", "exit=0")
}

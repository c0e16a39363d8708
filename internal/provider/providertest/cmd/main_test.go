package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestServe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script, record := filepath.Join(dir, "s.txt"), filepath.Join(dir, "r.jsonl")
	if err := os.WriteFile(script, []byte("text hello there\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	stdin, end := io.Pipe()
	out, stdout := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- serve([]string{"-script", script, "-record", record}, stdin, stdout) }()
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	body := `{"model":"m","messages":[{"role":"user","content":"hi"}]}`
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, strings.TrimSpace(url)+"/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(resp.Body)
	if err != nil || !strings.Contains(string(answer), "hello th") || !strings.Contains(string(answer), "[DONE]") {
		t.Errorf("answer is %s, %v", answer, err)
	}
	if err := end.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if saved, err := os.ReadFile(record); err != nil || !strings.Contains(string(saved), `\"content\":\"hi\"`) {
		t.Errorf("recorded %s, %v", saved, err)
	}
}

func TestServeRefuses(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "s.txt")
	if err := os.WriteFile(script, []byte("sing\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"unknown step": {"-script", script}, "read script": {}, "this machine": {"-script", os.DevNull, "-addr", "0.0.0.0:0"},
	} {
		if err := serve(args, strings.NewReader(""), io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v gives %v, want %q", args, err, want)
		}
	}
}

package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/host"
)

// An image that is dropped may lie anywhere; nothing but an image is taken.
func TestADroppedImage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	elsewhere := t.TempDir()
	put := func(name, text string) string {
		file := filepath.Join(elsewhere, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	w.write("in.png", bigPicture(t))
	w.write("words.png", "no image")
	out, text := put("my shot.png", bigPicture(t)), put("text.png", "not an image")
	s := newChatServer(t)
	h := w.open(Flags{Provider: "custom-openai", BaseURL: s.URL, Model: "m", Dir: w.root})
	for _, file := range []string{out, "./in.png", filepath.Join(w.root, "in.png")} {
		e := ask[host.Expansion](t, h, host.Picture{Path: file})
		if !e.OK || len(e.Images) != 1 || !strings.Contains(e.Text, "2000×600") {
			t.Errorf("%s: %v, %q, %d images", file, e.OK, e.Text, len(e.Images))
		}
	}
	for _, file := range []string{text, elsewhere, filepath.Join(elsewhere, "none.png"), "./words.png"} {
		if e, err := h.Ask(t.Context(), host.Picture{Path: file}); err != nil || e.(host.Expansion).OK {
			t.Errorf("%s: %+v, %v", file, e, err)
		}
	}
}

// A model that is known to see no images is named.
func TestADroppedImageForABlindModel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("in.png", bigPicture(t))
	w.config(`{"models": {"m": {"images": false, "contextWindow": 1000}}}`)
	s := newChatServer(t)
	h := w.open(Flags{Provider: "custom-openai", BaseURL: s.URL, Model: "m", Dir: w.root})
	if _, err := h.Ask(t.Context(), host.Picture{Path: "./in.png"}); err == nil || !strings.Contains(err.Error(), "m sees no images") {
		t.Errorf("%v", err)
	}
}

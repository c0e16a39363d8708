package app

import (
	"context"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"assent/internal/host"
)

// The list of "#" names what "#name" finds, and nothing else.
func TestFragments(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secret := "sk-" + "ant-" + "api03-" + strings.Repeat("aB3", 12)
	w.write(".assent/context/house.md", "\n# House rules\n\nbe brief\n")
	w.write(".assent/context/key.md", secret+"\n")
	w.write(".assent/context/diff.md", "what #diff already is\n")
	w.write(".assent/context/two words.md", "cannot be typed\n")
	w.write(".assent/context/42.md", "is an issue\n")
	w.write(".assent/context/huge.md", strings.Repeat("x", maxFragment+1))
	w.write(".assent/context/other.txt", "no Markdown\n")
	put(t, filepath.Join(w.home, "context", "house.md"), "the project's comes first\n")
	put(t, filepath.Join(w.home, "context", "me.md"), "- who I am\x1b[31m\n")
	h := w.open(w.script(`{"text":"never"}`))
	a, err := h.Ask(context.Background(), host.Fragments{})
	if err != nil {
		t.Fatal(err)
	}
	list := a.(host.FragmentList).Fragments
	for i, f := range list {
		if strings.Contains(f.About, secret) {
			t.Errorf("%s shows a key", f.Name)
		}
		if f.Name == "key" {
			list[i].About = ""
		}
	}
	want := []host.Fragment{{Name: "house", About: "House rules", From: "project"}, {Name: "key", From: "project"}, {Name: "me", About: "who I am [31m", From: "user"}}
	if !reflect.DeepEqual(list, want) {
		t.Errorf("got  %+v\nwant %+v", list, want)
	}
	for _, f := range list {
		x, err := h.Ask(context.Background(), host.Expand{Word: "#" + f.Name})
		if err != nil || !x.(host.Expansion).OK {
			t.Errorf("#%s is offered and means nothing: %+v, %v", f.Name, x, err)
		}
	}
}

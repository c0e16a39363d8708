package app

import (
	"context"
	"os"
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

// A text that a repository brings is read as "@" reads a file: not one that a
// link fetches from outside, not a secret, and nothing that a rule denies. The
// user's own lies in its folder.
func TestFragmentsAreReadThroughTheGate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	outside := filepath.Join(t.TempDir(), "credentials")
	put(t, outside, "token hunter2\n")
	w.write(".env", "TOKEN=hunter2\n")
	w.write("notes/plain.md", "in the project\n")
	w.write(".assent/context/denied.md", "hunter2\n")
	w.config(`{"permission":{"read_file":{".assent/context/denied.md":"deny"}}}`)
	put(t, filepath.Join(w.home, "context", "own.md"), "mine\n")
	put(t, filepath.Join(w.home, "context", ".env"), "hunter2\n")
	put(t, filepath.Join(w.home, "context", "inside.txt"), "mine too\n")
	folder, own := filepath.Join(w.root, ".assent", "context"), filepath.Join(w.home, "context")
	for file, to := range map[string]string{
		filepath.Join(folder, "review.md"): outside,
		filepath.Join(folder, "dotenv.md"): "../../.env",
		filepath.Join(folder, "plain.md"):  "../../notes/plain.md",
		filepath.Join(folder, "gone.md"):   "../../nothing.md",
		filepath.Join(own, "away.md"):      outside,
		filepath.Join(own, "mysecret.md"):  ".env",
		filepath.Join(own, "linked.md"):    "inside.txt",
	} {
		if err := os.Symlink(to, file); err != nil {
			t.Skip("no links here:", err)
		}
	}
	h := w.open(w.script(`{"text":"never"}`))
	for name, want := range map[string]string{
		"plain": "in the project", "own": "mine", "linked": "mine too", "gone": "error",
		"review": "error", "dotenv": "error", "denied": "error", "away": "error", "mysecret": "error",
	} {
		a, err := h.Ask(t.Context(), host.Expand{Word: "#" + name})
		if (err != nil) != (want == "error") {
			t.Errorf("#%s: %+v, %v", name, a, err)
			continue
		}
		if err != nil {
			if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("#%s: %v", name, err)
			}
			continue
		}
		if e := a.(host.Expansion); e.OK != (want != "") || strings.TrimSpace(e.Text) != want {
			t.Errorf("#%s: %+v", name, e)
		}
	}
	var names []string
	for _, f := range ask[host.FragmentList](t, h, host.Fragments{}).Fragments {
		names = append(names, f.Name)
		if strings.Contains(f.About, "hunter2") {
			t.Errorf("%s shows %q", f.Name, f.About)
		}
	}
	if want := []string{"plain", "linked", "own"}; !reflect.DeepEqual(names, want) {
		t.Errorf("offered %v, want %v", names, want)
	}
}

// A folder's own name is no pattern.
func TestFragmentsOfAFolderWithBrackets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.root = filepath.Join(w.root, "app", "[slug]")
	w.write(".assent/context/house.md", "be brief\n")
	h := w.open(w.script(`{"text":"never"}`))
	list := ask[host.FragmentList](t, h, host.Fragments{}).Fragments
	if want := []host.Fragment{{Name: "house", About: "be brief", From: "project"}}; !reflect.DeepEqual(list, want) {
		t.Errorf("offered %+v", list)
	}
}

package screen_test

import (
	"fmt"
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/host"
	"assent/internal/tui/screen"
)

// files are the paths of the picker's tests, newest first.
func files() host.PathList {
	return host.PathList{Paths: []string{
		"vendor/src/a.go", "src/", "src/main.go", "src/my file.go", "src/My Dir/", "src/My Dir/x.go", "docs/src.md", "README.md", "bad\x1bname", "bad\xff",
	}}
}

// picking is a ui to which the paths are known.
func picking(t *testing.T) *ui {
	t.Helper()
	u := start(t)
	u.keys("@")
	u.answer(host.Paths{}, files())
	u.keys("backspace", "#")
	u.answer(host.Fragments{}, host.FragmentList{Fragments: []host.Fragment{{Name: "style-guide", About: "How we write", From: "project"}, {Name: "about-tests", From: "user"}}})
	u.keys("backspace")
	u.did = nil
	return u
}

func labels(m screen.Menu) string {
	var out []string
	for _, i := range m.Items {
		out = append(out, i.Label)
	}
	return strings.Join(out, " | ")
}

func TestTheMenuAtTheCursor(t *testing.T) {
	t.Parallel()
	all := "vendor/src/a.go | src/ | src/main.go | src/my file.go | src/My Dir/ | src/My Dir/x.go | docs/src.md | README.md"
	tests := []struct {
		name string
		keys []string
		want string
	}{
		{"all paths", []string{"@"}, all},
		{"behind a word", []string{"see @"}, all},
		{"on a second line", []string{"see", "shift+enter", "@"}, all},
		{"in brackets", []string{"(@"}, all},
		{"user@host is none", []string{"user@"}, ""},
		{"prefix before name before substring", []string{"@src"}, "src/ | src/main.go | src/my file.go | src/My Dir/ | src/My Dir/x.go | docs/src.md | vendor/src/a.go"},
		{"@src/ means under src/", []string{"@src/"}, "src/ | src/main.go | src/my file.go | src/My Dir/ | src/My Dir/x.go | vendor/src/a.go"},
		{"case does not count", []string{"@ReAdMe"}, "README.md"},
		{"no match", []string{"@nothing"}, ""},
		{"an open quote holds blanks", []string{`@"src/my f`}, "src/my file.go"},
		{"a closed quote is over", []string{`@"src/my file.go" x`}, ""},
		{"past the word", []string{"@src "}, ""},
		{"inside the word", []string{"@src/main", "left", "left", "left", "left"}, "src/ | src/main.go | src/my file.go | src/My Dir/ | src/My Dir/x.go | vendor/src/a.go"},
		{"escaped", []string{"@src", "esc", "/"}, ""},
		{"a new word opens again", []string{"@src", "esc", " @READ"}, "README.md"},
		{"contexts", []string{"#"}, "#diff | #staged | #tree | #last | #file: | #style-guide | #about-tests"},
		{"narrowed", []string{"see #S"}, "#staged | #style-guide | #last | #about-tests"},
		{"substrings last, the built-in ones first", []string{"#t"}, "#tree | #staged | #last | #style-guide | #about-tests"},
		{"a text of the project's", []string{"use #sty"}, "#style-guide"},
		{"an unknown context", []string{"#12"}, ""},
		{"inside a word is none", []string{"a#"}, ""},
		{"paths of #file", []string{"#file:READ"}, "README.md"},
		{"commands", []string{"/mo"}, "/models [provider] | /model [id]"},
		{"the exact one first", []string{"/model"}, "/model [id] | /models [provider]"},
		{"substrings last", []string{"/on"}, "/permissions | /context | /sessions | /config [field value]"},
		{"not inside a text", []string{"see /mo"}, ""},
		{"words after a command", []string{"/agent "}, "default | plan"},
		{"narrowed words", []string{"/think m"}, "medium | max"},
		{"no words", []string{"/copy "}, ""},
		{"no command", []string{"/nothing x"}, ""},
		{"a very long word", []string{"@" + strings.Repeat("x", 3000)}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u := picking(t)
			u.keys(tt.keys...)
			if got := labels(u.s.Menu); got != tt.want {
				t.Errorf("offers %q\nwant   %q", got, tt.want)
			}
		})
	}
}

func TestTakingFromTheMenu(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		keys []string
		want string
	}{
		{"a file is a plain path", []string{"see @src/ma", "tab"}, "see src/main.go "},
		{"quoted when needed", []string{"@src/my f", "backspace", "backspace", "tab"}, `"src/my file.go" `},
		{"a folder goes on", []string{"@sr", "tab"}, "@src/"},
		{"a folder with blanks too", []string{"@src/My", "down", "tab"}, `@"src/My Dir/`},
		{"and into it", []string{`@"src/My Dir/`, "down", "tab"}, `"src/My Dir/x.go" `},
		{"the closing quote is replaced", []string{`@"src/My Dir/x"`, "left", "tab"}, `"src/My Dir/x.go" `},
		{"enter as well", []string{"@READ", "enter"}, "README.md "},
		{"the second", []string{"@src", "down", "enter"}, "src/main.go "},
		{"round", []string{"@src", "up", "tab"}, "vendor/src/a.go "},
		{"shift-tab is up", []string{"@src", "shift+tab", "tab"}, "vendor/src/a.go "},
		{"pages", []string{"@", "pgdown", "tab"}, "README.md "},
		{"and back", []string{"@", "pgdown", "pgup", "tab"}, "vendor/src/a.go "},
		{"the whole word is replaced", []string{"@README.old", "left", "left", "left", "left", "tab"}, "README.md "},
		{"no blank is doubled", []string{"@READ x", "left", "left", "tab"}, "README.md x"},
		{"a context", []string{"see #di", "tab"}, "see #diff "},
		{"a file context", []string{"#fi", "tab", "READ", "tab"}, "#file:README.md"},
		{"a command", []string{"/hel", "tab"}, "/help "},
		{"its argument", []string{"/agent pl", "tab"}, "/agent plan"},
		{"the argument under the cursor", []string{"/agent plxx", "left", "left", "tab"}, "/agent plan"},
		{"other keys go on", []string{"@REA", "D", "home", "left"}, "@READ"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u := picking(t)
			u.keys(tt.keys...)
			u.prompt(tt.want)
		})
	}
}

func TestPickedFilesAreSentAsReferences(t *testing.T) {
	t.Parallel()
	u := picking(t)
	u.keys("read @READ", "tab", "and @src/my", "tab", "but not @docs", "tab")
	for range len(" docs/src.md ") {
		u.keys("backspace")
	}
	u.prompt(`read README.md and "src/my file.go" but not`)
	u.did = nil
	want(t, u.keys("enter"), screen.Ask{Query: host.Expand{Word: "@README.md"}}, screen.Ask{Query: host.Expand{Word: "@src/my file.go"}})
}

func TestWordsThatAreAskedFor(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"see @a.go, @b.go! and (@c.go)", "@a.go @b.go @c.go"},
		{"mail user@host @", ""},
		{`@"a b.go" @"a\"b" @"open`, `@a b.go @a"b @"open`},
		{"#diff #diff #12 # ## #file:a.go:1-4.", "#diff #file:a.go:1-4"},
		{"x #tree\n@y", "#tree @y"},
		{"[pasted 3 lines (2)]", ""},
		{strings.Repeat("@@", 5000), "@" + strings.Repeat("@", 1023)},
	}
	for _, tt := range tests {
		t.Run(clip(tt.text), func(t *testing.T) {
			t.Parallel()
			u := start(t)
			u.insert(tt.text)
			u.answer(host.Paths{}, host.PathList{})
			u.keys("esc")
			var words []string
			for _, i := range u.keys("enter") {
				if a, ok := i.(screen.Ask); ok {
					if x, ok := a.Query.(host.Expand); ok {
						words = append(words, x.Word)
					}
				}
			}
			if got := strings.Join(words, " "); got != tt.want {
				t.Errorf("asked for %.100q, want %.100q", got, tt.want)
			}
		})
	}
}

func clip(s string) string { return s[:min(len(s), 40)] }

func TestAPromptAsksForFewWords(t *testing.T) {
	t.Parallel()
	u := start(t)
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "@%d ", i)
	}
	u.insert(b.String())
	if n := len(only(u.keys("enter"))); n != 50 {
		t.Errorf("%d queries, want 50", n)
	}
}

func TestPathsAreAskedForAtEachWordAndNotBefore(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.keys("see user@host ")
	want(t, u.did)
	paths := screen.Ask{Query: host.Paths{}}
	want(t, u.keys("@a"), paths)
	if !u.s.Menu.Loading || u.s.Menu.Open() {
		t.Errorf("menu %+v", u.s.Menu)
	}
	want(t, u.keys("b @c")) // one at a time
	want(t, u.fail(host.Paths{}, "no folder"))
	if n := u.notes(); !strings.Contains(n, "no folder") {
		t.Errorf("notes %q", n)
	}
	want(t, u.keys(" @RE"), paths)
	u.answer(host.Paths{}, files())
	if got := labels(u.s.Menu); got != "README.md" {
		t.Errorf("offers %q", got)
	}
	// The old paths serve until the new ones are there; the cursor stays.
	want(t, u.keys(" @src", "down"), paths)
	u.answer(host.Paths{}, files())
	if u.s.Menu.Cursor != 1 {
		t.Errorf("cursor %d", u.s.Menu.Cursor)
	}
}

func TestEnterInTheMenu(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		keys []string
		want []screen.Intent
		left string
	}{
		{"runs a command", []string{"/exi", "enter"}, []screen.Intent{screen.Quit{}}, ""},
		{"with its argument", []string{"/agent pl", "enter"}, []screen.Intent{screen.Do{Command: host.Use{Agent: "plan"}}}, ""},
		{"sends a context that is whole", []string{"see #diff", "enter"}, []screen.Intent{screen.Ask{Query: host.Expand{Word: "#diff"}}}, ""},
		{"sends a path that is whole", []string{"@README.md", "enter"}, []screen.Intent{screen.Ask{Query: host.Expand{Word: "@README.md"}}}, ""},
		{"keeps what follows the command", []string{"/mode x", "left", "left", "down", "enter"}, []screen.Intent{screen.Do{Command: host.Use{Model: "x"}}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u := picking(t)
			got := u.keys(tt.keys...)
			var out []screen.Intent
			for _, i := range got {
				if i != (screen.Ask{Query: host.Paths{}}) {
					out = append(out, i)
				}
			}
			want(t, out, tt.want...)
			u.prompt(tt.left)
		})
	}
}

func TestAMenuNeverSwallowsTheTurn(t *testing.T) {
	t.Parallel()
	u := busy(t)
	u.keys("/")
	u.tell(event.Text{Text: "x"}, event.Done{Reason: "stop"})
	if !u.s.Menu.Open() || u.s.Hint() != "tab takes it, esc closes" {
		t.Errorf("menu %+v, hint %q", u.s.Menu, u.s.Hint())
	}
}

// Each word gets a new list, also one that stands where the last one stood.
func TestListsAreAskedForAnew(t *testing.T) {
	t.Parallel()
	for sign, query := range map[string]host.Query{"@": host.Paths{}, "#": host.Fragments{}} {
		u := start(t)
		asked := func(keys ...string) int {
			n := 0
			for _, i := range u.keys(keys...) {
				if i == (screen.Ask{Query: query}) {
					n++
				}
			}
			return n
		}
		for _, step := range []struct {
			keys []string
			want int
		}{
			{[]string{sign}, 1},
			{[]string{"a", "b", "backspace"}, 0},
			{[]string{"backspace", "backspace", sign}, 1},
		} {
			if got := asked(step.keys...); got != step.want {
				t.Errorf("%s: %q asks %d times, want %d", sign, step.keys, got, step.want)
			}
			u.answer(query, nil)
		}
	}
}

func TestTheMenuOfContextsExplains(t *testing.T) {
	t.Parallel()
	u := picking(t)
	u.keys("#")
	for _, i := range u.s.Menu.Items {
		if i.Detail == "" {
			t.Errorf("%s says nothing of itself", i.Label)
		}
	}
	if got := u.s.Menu.Items[5].Detail; got != "How we write (project)" {
		t.Errorf("%q", got)
	}
}

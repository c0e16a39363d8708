package app

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// watched is an output whose first line makes something else happen.
type watched struct {
	strings.Builder
	once sync.Once
	then func()
}

func (w *watched) Write(p []byte) (int, error) {
	w.once.Do(w.then)
	return w.Builder.Write(p)
}

// TestTrustIsOfWhatWasShown: a project that changes while it is shown is not
// trusted with what nobody saw.
func TestTrustIsOfWhatWasShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(".assent/config.json", `{"permission":{"bash":{"make *":"allow"}}}`)
	a := w.app()
	out := &watched{then: func() {
		put(t, filepath.Join(w.root, ".assent", "config.json"), `{"permission":{"bash":{"*":"allow"}}}`)
	}}
	a.env.Out = out
	if err := a.Trust(t.Context(), w.root, false, false, false); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "make *") || strings.Contains(out.String(), `{"*":"allow"}`) {
		t.Errorf("shown: %s", out)
	}
	if e, err := w.explain(Flags{}, "bash", "curl example.test"); err != nil || e.Decision == "allow" {
		t.Errorf("what nobody saw decides: %+v, %v", e, err)
	}
}

// What is trusted was shown whole, however long it is.
func TestTrustShowsAllOfIt(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 300) + "END"
	for name, c := range map[string]struct{ text, last string }{
		"short":     {`{"permission":{"bash":{"make *":"allow"}}}`, "make *"},
		"many":      {"{" + strings.Repeat("\n", 1000) + `"permission":{"bash":{"make last":"allow"}}}`, "make last"},
		"long line": {`{"x-note":"` + long + `"}`, "END"},
	} {
		w := newWorld(t)
		w.write(".assent/config.json", c.text)
		for _, f := range []struct{ show, json bool }{{true, false}, {false, false}, {true, true}, {false, true}} {
			if err := w.app().Trust(t.Context(), w.root, f.show, false, f.json); err != nil {
				t.Fatal(err)
			}
			if out := w.out.String(); !strings.Contains(out, c.last) {
				t.Errorf("%s, %+v: %s", name, f, out)
			}
		}
	}
}

// Before a terminal each page is waited with, and who leaves before the last
// one has not seen it.
func TestPagesAreWaitedWith(t *testing.T) {
	t.Parallel()
	lines := make([]string, 25)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d.", i+1)
	}
	wide := strings.Repeat("w", 35)
	for _, c := range []struct {
		name, keys string // e: enter, q: leave
		lines      []string
		rows       int
		whole      bool
		waits      int
		last, lost string
	}{
		{"one page", "", lines[:9], 10, true, 0, "line 9.", ""},
		{"to the end", "ee", lines, 10, true, 2, "line 25.", ""},
		{"left", "eq", lines, 10, false, 2, "line 18.", "line 19."},
		{"the input ends", "e", lines, 10, false, 2, "line 18.", "line 19."},
		{"wide lines take rows", "q", []string{"a", wide, wide, "b"}, 10, false, 1, "\nwwwww\n", "\nb"},
		{"a line longer than the screen", "e", []string{"begin" + strings.Repeat(wide, 2) + wide + "!", "end"}, 10, true, 1, "end", ""},
		{"a longer one, left", "q", []string{"begin" + strings.Repeat("w", 900) + "!", "end"}, 10, false, 1, "begin", "!"},
		{"wide characters", "", []string{"ab\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e"}, 10, true, 0, "ab\u65e5\u672c\u8a9e\u65e5\n\u672c\u8a9e\n", ""},
		{"a screen of nothing", "ee", []string{"a", "b", "end"}, 0, true, 2, "end", ""},
	} {
		var out strings.Builder
		keys := c.keys
		whole, err := page(&out, func() bool {
			enter := strings.HasPrefix(keys, "e")
			keys = keys[min(1, len(keys)):]
			return enter
		}, c.lines, 10, c.rows)
		if err != nil || whole != c.whole || strings.Count(out.String(), "enter shows more") != c.waits {
			t.Errorf("%s: whole %v, %v, printed\n%s", c.name, whole, err, &out)
		}
		if !strings.Contains(out.String(), c.last) || c.lost != "" && strings.Contains(out.String(), c.lost) {
			t.Errorf("%s: printed\n%s", c.name, &out)
		}
	}
}

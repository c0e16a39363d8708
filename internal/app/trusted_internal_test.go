package app

import (
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
	if err := a.Trust(w.root, false, false, false); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "make *") || strings.Contains(out.String(), `{"*":"allow"}`) {
		t.Errorf("shown: %s", out)
	}
	if e, err := w.explain(Flags{}, "bash", "curl example.test"); err != nil || e.Decision == "allow" {
		t.Errorf("what nobody saw decides: %+v, %v", e, err)
	}
}

func TestTrustSaysWhatItDoesNotShow(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 300) + "END"
	for name, c := range map[string]struct {
		text string
		last string
		cut  bool
	}{
		"short":     {`{"permission":{"bash":{"make *":"allow"}}}`, "make *", false},
		"many":      {"{" + strings.Repeat("\n", 100) + `"permission":{"bash":{"make last":"allow"}}}`, "make last", true},
		"long line": {`{"x-note":"` + long + `"}`, "END", true},
	} {
		w := newWorld(t)
		w.write(".assent/config.json", c.text)
		for _, show := range []bool{true, false} {
			if err := w.app().Trust(w.root, show, false, false); err != nil {
				t.Fatal(err)
			}
			out := w.out.String()
			if whole := show || !c.cut; strings.Contains(out, c.last) != whole || strings.Contains(out, "assent trust --show prints it whole") == whole {
				t.Errorf("%s, show %v: %s", name, show, out)
			}
		}
	}
}

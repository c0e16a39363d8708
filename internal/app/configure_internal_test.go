package app

import (
	"regexp"
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/host"
)

// A field says when it holds, and then it does, for what is offered and for
// what the gate lets through alike.
func TestWhenASetFieldHolds(t *testing.T) {
	t.Parallel()
	const next, start = "it holds from the next prompt on", "it holds from the next start on"
	for field, want := range map[[2]string]string{
		{"readOnly", `["echo *"]`}: next, {"toolSets", `["git"]`}: next, {"maxSteps", "3"}: next, {"maxCostUsd", "3"}: next,
		{"retry.tries", "3"}: next, {"retry.maxWait", "3"}: next, {"retry.idle", "30"}: start,
		{"agent", "quick"}: start, {"theme", "light"}: start, {"permission.bash", "allow"}: start,
	} {
		w := newWorld(t)
		h := w.open(w.script(`{"text":"never"}`))
		page := ask[host.Page](t, h, host.Configure{Field: field[0], Value: field[1]})
		if !strings.Contains(page.Markdown, want) {
			t.Errorf("%s: %s", field[0], page.Markdown)
		}
	}
	t.Run("a flag stands over it", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		f := w.script(`{"text":"never"}`)
		f.MaxSteps = 4
		h := w.open(f)
		if page := ask[host.Page](t, h, host.Configure{Field: "maxSteps", Value: "9"}); !strings.Contains(page.Markdown, start) {
			t.Error(page.Markdown)
		}
	})
	t.Run("commands that only read", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		f := w.script(`{"calls":[{"name":"bash","input":{"command":"echo hello"}}]}`, `{"text":"done"}`)
		f.Agent = "plan"
		h := w.open(f)
		c := h.Events()
		defer c.Close()
		ask[host.Page](t, h, host.Configure{Field: "readOnly", Value: `["echo *"]`})
		ran := false
		for _, e := range turn(t, h, c, "hi") {
			switch e := e.(type) {
			case event.ToolDenied:
				t.Errorf("the gate refuses what is offered: %s", e.Reason)
			case event.ToolResult:
				ran = strings.Contains(e.Output, "hello")
			}
		}
		if !ran {
			t.Error("the command did not run")
		}
	})
}

// A list that several files add to names all of them, a rule its own; what is
// no row of the table makes none of them wide.
func TestConfigShowSaysWhereEachRuleIsFrom(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.config("{\n\"permission\":{\"bash\":{\"git *\":\"allow\"}},\n\"readOnly\":[\"make -n\"]}")
	w.write(".assent/config.json", "{\"permission\":{\"bash\":{\"rm *\":\"deny\"}},\n\"readOnly\":[\"ls -l\"],\"plugins\":{\"a\":true}}")
	if err := w.app().ConfigShow(Flags{Dir: w.root}, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`(?m)^permission +bash\(git \*\) allow +\S*home.config.json:2$`,
		`(?m)^permission +bash\(rm \*\) deny +\S*\.assent.config.json:1$`,
		`(?m)^held: .*readOnly waits until you trust this project`,
	} {
		if !regexp.MustCompile(want).MatchString(w.out.String()) {
			t.Errorf("%s does not stand in\n%s", want, &w.out)
		}
	}
	if err := w.app().Trust(t.Context(), w.root, false, false, false); err != nil {
		t.Fatal(err)
	}
	if err := w.app().ConfigShow(Flags{Dir: w.root}, false); err != nil {
		t.Fatal(err)
	}
	if want := `(?m)^readOnly +make -n; ls -l +\S*home.config.json:3, \S*\.assent.config.json:2$`; !regexp.MustCompile(want).MatchString(w.out.String()) {
		t.Errorf("%s does not stand in\n%s", want, &w.out)
	}
}

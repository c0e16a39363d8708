package app

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/event"
	"assent/internal/host"
)

// A key in a file that a call changes is masked in what a trial of the call
// says: to who is asked, to the model, in the session's log.
func TestATrialShowsNoKey(t *testing.T) {
	t.Parallel()
	key := "ghp_" + strings.Repeat("a1B2", 9)
	for _, ask := range []string{"", `"permission":{"read_file":{"main.go":"ask"}}`} {
		w := project(t)
		w.config("{" + ask + "}")
		w.write("main.go", "package main\n\nconst token = \""+key+"\"\n\nfunc main() {}\n")
		h := w.open(w.script(
			`{"calls":[{"name":"edit_file","input":{"path":"main.go","old_string":"func main() {}","new_string":"func main() { }"}}]}`,
			`{"calls":[{"name":"edit_file","input":{"path":"main.go","old_string":"const tokn = \"\"\n\nfunc main() {}","new_string":"x"}}]}`,
			`{"calls":[{"name":"write_file","input":{"path":"main.go","content":"x\n"}}]}`,
			`{"text":"done"}`,
		))
		c := h.Events()
		defer c.Close()
		do(t, h, host.Submit{Text: "go"})
		asked, failed := 0, 0
		for done := false; !done; {
			news, err := c.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range news {
				if said := fmt.Sprintf("%+v", e); strings.Contains(said, key) {
					t.Errorf("an event shows the key: %s", said)
				}
				switch e := e.(type) {
				case event.Approval:
					asked++
					do(t, h, host.Decide{ID: e.ID, Choice: "deny"})
				case event.ToolError:
					failed++
				case event.Done:
					done = true
				default:
				}
			}
		}
		if want := map[string]int{"": 2}[ask]; ask == "" && (asked != want || failed != 1) || ask != "" && asked != 3 {
			t.Errorf("%d asked, %d failed", asked, failed)
		}
		err := filepath.WalkDir(w.home, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(name)
			if strings.Contains(string(text), key) {
				t.Errorf("%s holds the key", name)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// Where nobody can be asked a call is refused before it is tried: what it would
// have come to is told to nobody.
func TestNothingIsTriedWhereNobodyIsAsked(t *testing.T) {
	t.Parallel()
	w := project(t)
	f := w.script(`{"calls":[{"name":"edit_file","input":{"path":"sub/deep/a.txt","old_string":"thref","new_string":"x"}}]}`, `{"text":"done"}`)
	f.Output = "stream-json"
	if _, err := w.run(f, "go"); err != nil {
		t.Log(err)
	}
	said := w.out.String()
	if !strings.Contains(said, "headless") || strings.Contains(said, "old_string not found") {
		t.Errorf("said %s", said)
	}
}

// A subagent's or a planning agent's call that its mode refuses is not tried.
func TestAPlanIsNotTried(t *testing.T) {
	t.Parallel()
	w := project(t)
	f := w.script(`{"calls":[{"name":"edit_file","input":{"path":"main.go","old_string":"nowhere","new_string":"x"}}]}`, `{"text":"done"}`)
	f.Agent = "plan"
	h := w.open(f)
	c := h.Events()
	defer c.Close()
	all := turn(t, h, c, "go")
	for _, e := range all {
		if said := fmt.Sprintf("%+v", e); strings.Contains(said, "old_string not found") {
			t.Errorf("tried: %s", said)
		}
		if _, ok := e.(event.Approval); ok {
			t.Errorf("asked %+v", e)
		}
	}
}

// Whether there is a file that may not be read, the user decides to tell: such
// a call is asked about whether it would fail or not.
func TestATrialTellsOfNoHiddenFile(t *testing.T) {
	t.Parallel()
	for _, call := range []string{
		`{"name":"delete_file","input":{"path":"denied/NAME"}}`,
		`{"name":"move_file","input":{"from":"main.go","to":"denied/NAME"}}`,
		`{"name":"apply_patch","input":{"patch":"*** Begin Patch\n*** Delete File: denied/NAME\n*** End Patch"}}`,
		`{"name":"apply_patch","input":{"patch":"*** Begin Patch\n*** Add File: denied/NAME\n+x\n*** End Patch"}}`,
	} {
		for _, name := range []string{"b.txt", "none.txt"} {
			w := project(t)
			h := w.open(w.script(`{"calls":[`+strings.ReplaceAll(call, "NAME", name)+`]}`, `{"text":"done"}`))
			c := h.Events()
			defer c.Close()
			do(t, h, host.Submit{Text: "go"})
			asked := false
			for done := false; !done; {
				news, err := c.Next(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range news {
					switch e := e.(type) {
					case event.Approval:
						asked = true
						do(t, h, host.Decide{ID: e.ID, Choice: "deny"})
					case event.Done:
						done = true
					default:
					}
				}
			}
			if !asked {
				t.Errorf("not asked about %s of %s", call, name)
			}
		}
	}
}

package storytest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assent/internal/storytest"
)

func read(t *testing.T, text string) (storytest.Story, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "it.txtar")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return storytest.Read(file)
}

func TestRead(t *testing.T) {
	t.Parallel()
	s, err := read(t, "It works.\n-- acts --\nprompt do it\nuntil there\ndeny not so\nqueue more\n-- flags --\n--yolo\n-- flags.one --\n--allow=bash(go *)\n"+
		"-- model --\nall\n-- model.one --\nown\n-- not.two --\nIt cannot.\n-- work/a.base64 --\naGk=\n-- want --\nshows.one {{SECRET}}\nexit 3\n-- want/b --\nleft\n")
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "it" || s.Promise != "It works." || s.Turns() != 2 || len(s.Acts) != 4 || s.Acts[2] != (storytest.Act{Verb: "deny", Text: "not so"}) {
		t.Errorf("%+v", s)
	}
	if s.Model("one") != "own\n" || s.Model("two") != "all\n" || s.Not("two") != "It cannot." || s.Not("one") != "" {
		t.Errorf("models %q, %q; not %q, %q", s.Model("one"), s.Model("two"), s.Not("two"), s.Not("one"))
	}
	if got := strings.Join(s.Flags("one"), "|"); got != "--yolo|--allow=bash(go *)" {
		t.Errorf("flags %q", got)
	}
	if s.Work["a"] != "hi" || s.Left["b"] != "left\n" || len(s.Want) != 2 || s.Want[0].Front != "one" || strings.Contains(s.Want[0].Text, "{{") {
		t.Errorf("%q %q %+v", s.Work, s.Left, s.Want)
	}
}

func TestReadSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"no promise", "-- acts --\nprompt x\n", "say what it promises"},
		{"no prompt", "It.\n-- acts --\nallow\n", "the first act is a prompt"},
		{"an act that is none", "It.\n-- acts --\nprompt x\nshout\n", `section acts: no act: "shout"`},
		{"an act without its text", "It.\n-- acts --\nprompt\n", `no act: "prompt"`},
		{"a claim that is none", "It.\n-- acts --\nprompt x\n-- want --\nsees x\n", `section want: no claim: "sees x"`},
		{"an exit code that is none", "It.\n-- acts --\nprompt x\n-- want --\nexit well\n", `no exit code: "exit well"`},
		{"a section that is none", "It.\n-- acts --\nprompt x\n-- wok/a --\n", "section wok/a: there is no such section"},
		{"a picture that is none", "It.\n-- acts --\nprompt x\n-- work/a.base64 --\n!\n", "section work/a.base64: illegal base64"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := read(t, tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

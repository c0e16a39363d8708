package storytest

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/policy"
	"assent/internal/session"
)

// Front tells stories.
type Front interface {
	// Name is the word for it in story files.
	Name() string
	// Tell acts a story out in a world, to its end.
	Tell(t *testing.T, w *World, s Story) Told
}

// Told is what came of a telling.
type Told struct {
	// Seen is all that a person at this front could read.
	Seen string
	// Exit is the exit code of the last run.
	Exit int
}

// Play tells every story of a folder by every front, and checks what came of
// it. With update the listings of the logs are written anew, from the first
// front that tells the story.
func Play(t *testing.T, dir string, update bool, fronts ...Front) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories in %s: %v", dir, err)
	}
	for _, file := range files {
		s, err := Read(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			tell(t, s, update, fronts)
		})
	}
}

func tell(t *testing.T, s Story, update bool, fronts []Front) {
	log, told := s.Log, 0
	for _, f := range fronts {
		if why := s.Not(f.Name()); why != "" {
			continue
		}
		told++
		t.Run(f.Name(), func(t *testing.T) {
			w := newWorld(t, s, f.Name())
			got := f.Tell(t, w, s)
			tree, ok := w.Log()
			if !ok {
				t.Fatalf("there is no session log; seen:\n%s", got.Seen)
			}
			list := Listing(tree, w.Top)
			if update && told == 1 {
				log = list
			}
			if list != log {
				t.Errorf("the log:\n%s\nwant:\n%s", list, log)
			}
			w.check(got, tree)
			if t.Failed() {
				t.Logf("seen:\n%s", got.Seen)
			}
		})
	}
	if told == 0 {
		t.Error("no front tells this story")
	}
	if update && log != s.Log && !t.Failed() {
		if err := s.keep(log); err != nil {
			t.Error(err)
		}
	}
}

// check holds what is left to what the story wants.
func (w *World) check(got Told, tree session.Tree) {
	w.t.Helper()
	for name, want := range w.story.Left {
		text, err := os.ReadFile(filepath.Join(w.Dir, filepath.FromSlash(name)))
		if err != nil || string(text) != want {
			w.t.Errorf("%s holds %q (%v), want %q", name, text, err, want)
		}
	}
	seen := flat(got.Seen)
	for _, c := range w.story.Want {
		if c.Front != "" && c.Front != w.front {
			continue
		}
		switch c.Verb {
		case "shows":
			if !strings.Contains(seen, flat(c.Text)) {
				w.t.Errorf("%q was not seen", c.Text)
			}
		case "hides":
			if strings.Contains(seen, flat(c.Text)) {
				w.t.Errorf("%q was seen", c.Text)
			}
			w.hidden(c.Text)
		case "keeps":
			text, err := os.ReadFile(filepath.Join(w.Home, "config.json"))
			if err != nil || !strings.Contains(string(text), c.Text) {
				w.t.Errorf("the config does not keep %q: %v\n%s", c.Text, err, text)
			}
		case "missing":
			if w.Has(c.Text) {
				w.t.Errorf("%s is there", c.Text)
			}
		case "answer":
			if a := answer(tree); a != c.Text {
				w.t.Errorf("the answer is %q, want %q", a, c.Text)
			}
		case "exit":
			if n, _ := strconv.Atoi(c.Text); n != got.Exit {
				w.t.Errorf("exit code %d, want %d", got.Exit, n)
			}
		}
	}
}

// hidden fails when a text stands in any file of the program's own.
func (w *World) hidden(text string) {
	w.t.Helper()
	err := filepath.WalkDir(w.Home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(text)) {
			w.t.Errorf("%q stands in %s", text, path)
		}
		return err
	})
	if err != nil {
		w.t.Error(err)
	}
}

// flat is a text with its blanks and line breaks as one blank each.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// answer is the last thing that the model said.
func answer(tree session.Tree) string {
	text := ""
	for _, it := range session.Fold(tree.Branch("")) {
		if a, ok := it.(llm.Assistant); ok {
			text = strings.TrimSpace(a.Text())
		}
	}
	return text
}

// times are the durations in summaries.
var times = regexp.MustCompile(`\d+(\.\d+)?m?s\b`)

// Listing writes a log down, a line a record, without what differs from run to
// run or from front to front: ids, times, and which person or rule said yes or
// no. top is the folder whose name is left out.
func Listing(tree session.Tree, top string) string {
	var b strings.Builder
	line := func(format string, args ...any) {
		text := strings.ReplaceAll(fmt.Sprintf(format, args...), top+string(filepath.Separator), "")
		fmt.Fprintln(&b, strings.TrimRight(flat(times.ReplaceAllString(text, "TIME")), " "))
	}
	for _, e := range tree.Branch("").Entries {
		switch r := e.Record.(type) {
		case session.User:
			line("user %s", r.Text)
		case session.Steer:
			line("steer %s", r.Text)
		case session.Assistant:
			line("assistant %s", r.Text)
			for _, c := range r.Calls {
				line("calls %s %s", c.Name, c.Input)
			}
			if r.Void {
				line("is void")
			} else if r.Stop != llm.StopEnd && r.Stop != llm.StopCalls {
				line("stops for %s", r.Stop)
			}
		case session.Call:
			line("decided %s %s", r.Name, decided(r))
		case session.Result:
			line("result %s %s %s", r.Name, r.Status, r.Summary)
			for _, i := range r.Images {
				line("with an image %s", i.MIME)
			}
			if r.Artifact != "" {
				line("kept aside")
			}
		case session.Summary:
			line("summary keeps %d", r.Keeps)
		case session.Timing:
			line("ended %s", r.Reason)
		default: // what a front or a machine may differ in
		}
	}
	return b.String()
}

// decided is a decision without who made it, where that may be a person or the
// rule that stands for one.
func decided(c session.Call) string {
	switch c.By {
	case policy.ByUser, policy.ByRule, policy.ByHeadless, policy.ByYolo, policy.ByRepeat:
		return string(c.Decide)
	default:
		return string(c.Decide) + " by " + string(c.By)
	}
}

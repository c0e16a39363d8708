package gate_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"assent/internal/gate"
	"assent/internal/workspace"
)

// TestGitNamesThatBeginWithALineEnd: such a name is the name of a denied file
// as well.
func TestGitNamesThatBeginWithALineEnd(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there are no such names")
	}
	ws, git := repository(t, map[string]string{"\nd/.env": "HUSH\n", "d/f": "a\n"})
	for _, name := range []string{"\nd/.env", "d/f"} {
		put(t, filepath.Join(ws.Root(), name), "HUSH2\n")
	}
	h := granted(t, gate.New(gate.Options{Workspace: ws, Yolo: true}), searching("."))
	check := func(r gate.GitRead) {
		t.Helper()
		res, err := h.Git(t.Context(), r)
		if err != nil || strings.Count(string(res.Output), "HUSH") != 1 || res.LeftOut != 1 {
			t.Errorf("%s: %q, %d left out, %v", r.Sub, res.Output, res.LeftOut, err)
		}
	}
	put(t, filepath.Join(ws.Root(), "d/f"), "HUSH\n")
	check(gate.GitRead{Sub: "diff"})
	git("commit", "-q", "-a", "-m", "Second")
	check(gate.GitRead{Sub: "show", Flags: []string{"--format=%s", "--patch"}, Revs: []string{"HEAD"}})
}

// TestGitStatusOfAFolderThatIsNew: git names the workspace itself when nothing
// of it is tracked.
func TestGitStatusOfAFolderThatIsNew(t *testing.T) {
	t.Parallel()
	top, _ := repository(t, map[string]string{"a.txt": "a\n"})
	below := filepath.Join(top.Root(), "new")
	if err := os.Mkdir(below, 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(below, "f"), "x\n")
	ws, err := workspace.Open(workspace.Options{Root: below})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	h := granted(t, gate.New(gate.Options{Workspace: ws, Yolo: true}), searching("."))
	res, err := h.Git(t.Context(), gate.GitRead{Sub: "status"})
	if err != nil || string(res.Output) != "?? ./\x00" {
		t.Errorf("%q, %v", res.Output, err)
	}
}

// TestGitFilterBehindALongList: what git says of its configuration is cut when
// it is too long, and what is cut out might be a filter.
func TestGitFilterBehindALongList(t *testing.T) {
	t.Parallel()
	ws, _ := repository(t, map[string]string{"a.txt": "a\n", ".gitattributes": "* filter=evil\n"})
	ran := filepath.Join(t.TempDir(), "ran")
	config := filepath.Join(ws.Root(), ".git/config")
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	padding := "[filter \"" + strings.Repeat("a", 3<<20) + "\"]\n\tother = x\n"
	put(t, config, string(text)+padding+"[filter \"evil\"]\n\tclean = touch '"+filepath.ToSlash(ran)+"'; cat\n"+padding)
	put(t, filepath.Join(ws.Root(), "a.txt"), "A\n")
	h := granted(t, gate.New(gate.Options{Workspace: ws, Yolo: true}), searching("."))
	if _, err := h.Git(t.Context(), gate.GitRead{Sub: "diff"}); err == nil || !strings.Contains(err.Error(), "configur") {
		t.Errorf("error is %v", err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("the filter ran")
	}
}

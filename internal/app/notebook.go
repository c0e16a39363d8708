package app

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/instruct"
	"assent/internal/policy"
	"assent/internal/proc"
	"assent/internal/prompt"
	"assent/internal/tool"
)

// notebook gathers the notes that a step brings: where the work happens, the
// instruction files that hold, the task list.
type notebook struct {
	// place is where the work happens, as far as it stays what it is; the day
	// and the branch are looked up at every step.
	place  prompt.Environment
	now    func() time.Time
	finder *instruct.Finder // nil without instructions
	tell   func(event.Event)

	mu     sync.Mutex
	start  prompt.Note
	nested []prompt.Note
	asked  bool
	tasks  bool // a task list was told before
}

// current are the notes as they stand. Those that did not change since they
// were told are left to the engine to leave out.
func (n *notebook) current(todos []event.Todo) []prompt.Note {
	environment := n.environment()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.begin()
	notes := []prompt.Note{environment, n.start}
	notes = append(notes, n.nested...)
	tasks := prompt.TasksNote(todos, n.tasks)
	n.tasks = n.tasks || len(todos) > 0
	var said []prompt.Note
	for _, note := range append(notes, tasks) {
		if note.Text != "" {
			said = append(said, note)
		}
	}
	return said
}

// begin looks, once, for the instruction files that hold from the start.
func (n *notebook) begin() {
	if n.finder == nil || n.asked {
		return
	}
	n.asked = true
	found := n.finder.Start()
	n.notices(found.Notices)
	n.start = prompt.InstructionsNote(found.Files)
}

// files names the instruction files that hold so far.
func (n *notebook) files() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.begin()
	if n.finder == nil {
		return nil
	}
	var names []string
	for _, f := range n.finder.All() {
		names = append(names, f.Name)
	}
	return names
}

// after looks for instruction files of the folders that a call has read from;
// they are told at the next step.
func (n *notebook) after(ws placer) func(context.Context, gate.Request, tool.Result) tool.Result {
	return func(_ context.Context, r gate.Request, result tool.Result) tool.Result {
		if n.finder == nil || r.Effect != policy.Read && r.Effect != policy.Write {
			return result
		}
		for _, s := range r.Plan.Subjects {
			if s.Kind != policy.KindPath {
				continue
			}
			if rel, ok := ws.place(s.Text); ok {
				n.visit(rel)
			}
		}
		return result
	}
}

// placer finds a path below the workspace.
type placer interface {
	place(name string) (rel string, ok bool)
}

func (n *notebook) visit(rel string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	found := n.finder.Below(rel)
	n.notices(found.Notices)
	for _, f := range found.Files {
		n.nested = append(n.nested, prompt.NestedNote(f))
	}
}

func (n *notebook) notices(texts []string) {
	for _, t := range texts {
		n.tell(event.Notice{Text: t})
	}
}

// place says where the work happens, as far as it stays what it is.
func (a *App) place(l loaded, extra []string, headless bool) prompt.Environment {
	return prompt.Environment{
		Dir: l.root, Extra: extra, Platform: runtime.GOOS + "/" + runtime.GOARCH + ", " + shell(), Headless: headless,
	}
}

// shell is the name of the shell that commands run in, which need not be the
// one that the user works in.
func shell() string {
	argv, err := proc.Shell("")
	if err != nil {
		return "no shell, so no command can run"
	}
	return strings.TrimSuffix(filepath.Base(argv[0]), ".exe")
}

// environment says where the work happens now. It costs one small file a step;
// nothing is run and nothing scanned, so what git would say of the files is
// left to whoever asks git. The date has a day's resolution: a note that says
// what the one before it said is not told again.
func (n *notebook) environment() prompt.Note {
	e := n.place
	e.Date, e.Branch = n.now().Format(time.DateOnly), branch(e.Dir)
	return prompt.EnvironmentNote(e)
}

// branch reads the checked-out branch from git's own file, "" outside a
// repository.
func branch(root string) string {
	dir := filepath.Join(root, ".git")
	if named := gitFolder(small(dir), root); named != "" { // a worktree: the file names the folder
		dir = named
	}
	return branchOf(small(filepath.Join(dir, "HEAD")))
}

// mostHead bounds the files of git that are read here, in bytes.
const mostHead = 4 << 10

// small reads a small regular file; whatever else a project brings by that name,
// such as a pipe that nobody writes to, is empty.
func small(file string) []byte {
	if size, ok := regular(file); !ok || size > mostHead {
		return nil
	}
	text, _ := os.ReadFile(file) // unreadable is empty
	return text
}

// gitFolder is the folder that the file .git of a work tree names, "" for none.
func gitFolder(text []byte, root string) string {
	dir, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	switch {
	case !ok:
		return ""
	case filepath.IsAbs(dir):
		return dir
	}
	return filepath.Join(root, dir)
}

// branchOf is the branch that a HEAD names, else the beginning of the commit;
// "" where it is no HEAD. Both are one word.
func branchOf(head []byte) string {
	text := strings.TrimSpace(string(head))
	name, ok := strings.CutPrefix(text, "ref: refs/heads/")
	if !utf8.ValidString(text) || strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || !ok && unicode.IsSpace(r) }) {
		return ""
	}
	if ok || name == "" {
		return name
	}
	commit := []rune(name)
	return string(commit[:min(12, len(commit))]) + " (detached)"
}

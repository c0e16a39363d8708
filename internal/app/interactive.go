package app

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"assent/internal/demo"
	"assent/internal/headless"
	"assent/internal/host"
	"assent/internal/proc"
	"assent/internal/prompt"
	"assent/internal/tui"
)

// interactive opens the terminal UI.
func (a *App) interactive(ctx context.Context, f Flags, text string) (int, error) {
	out, ok := a.terminal()
	if !ok {
		return headless.ExitUsage, usagef(`the terminal UI needs a terminal on stdin and stdout: give -p "PROMPT" for a run without one`)
	}
	s := &seat{app: a, flags: f, out: out}
	defer s.leave()
	return s.run(ctx, text)
}

// terminal is the terminal's output; ok is false when stdin or stdout is none.
func (a *App) terminal() (out *os.File, ok bool) {
	out, ok = a.env.Out.(*os.File)
	ok = ok && a.env.In != nil && term.IsTerminal(int(a.env.In.Fd())) && term.IsTerminal(int(out.Fd()))
	return out, ok
}

// seat is a user before the terminal UI, with one conversation at a time.
type seat struct {
	app   *App
	flags Flags
	out   *os.File

	mu   sync.Mutex
	host *host.Host // nil before there is one
	at   *conversation
	dir  string // where the user's own commands run
	// prompt is what the user began with.
	prompt string
	about  tui.About
	undo   []demo.Copy // of demos that were played
	// picked is what was chosen in the set-up of the first run, by field. It is
	// chosen last, so it stands over what the run began with.
	picked map[string]string
	// left says that the user has gone: what is opened after it is closed at
	// once. changes are those on their way.
	left    bool
	changes sync.WaitGroup
}

// errLeft says that a conversation was opened for nobody.
var errLeft = errors.New("open another conversation: the user has left")

// run opens the conversation, or the set-up when nothing says which model to
// use, and plays the front on it.
func (s *seat) run(ctx context.Context, text string) (int, error) {
	l, err := s.app.load(s.flags)
	if err != nil {
		return headless.ExitUsage, err
	}
	s.dir, s.prompt = l.root, text
	o := s.options(l)
	o.Prompt = text
	h, err := s.app.open(ctx, s.telling(s.flags), false)
	missing, mends := unready(err)
	switch {
	case mends && (missing == "" || !s.flags.resumes()): // a session goes on with its own
		desk, err := s.app.firstRun(l, s.flags, s.pick)
		if err != nil {
			return headless.ExitUsage, err
		}
		o.Setup, o.Missing = true, missing
		return tui.Run(ctx, desk, o)
	case err != nil:
		return headless.ExitUsage, err
	}
	s.host = h
	s.about = about(ctx, h, s.flags)
	return tui.Run(ctx, h, o)
}

// pick notes what was stored in the set-up of the first run.
func (s *seat) pick(field, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.picked == nil {
		s.picked = map[string]string{}
	}
	s.picked[field] = value
}

// aim gives the first conversation after the set-up what was chosen there, in
// the place of the flags that did not lead anywhere.
func (s *seat) aim(f Flags) Flags {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.host == nil && s.picked["model"] != "" {
		f.Provider, f.Model, f.BaseURL = s.picked["provider"], s.picked["model"], s.picked["baseUrl"]
		s.flags.Provider, s.flags.Model, s.flags.BaseURL = "", "", ""
	}
	return f
}

// telling has the seat told of the conversation that is opened with these
// flags.
func (s *seat) telling(f Flags) Flags {
	f.opened = func(c *conversation) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.at = c
	}
	return f
}

// about is what the front shows of a conversation.
func about(ctx context.Context, h *host.Host, f Flags) tui.About {
	found := tui.About{Passing: f.demo}
	page, err := h.Ask(ctx, host.Report{Name: "header"})
	if p, ok := page.(host.Page); ok && err == nil && p.Markdown != "" { // a header without it is no harm
		found.Facts = strings.Split(p.Markdown, "\n")
	}
	return found
}

// demo plays the bundled script on a copy of the bundled project.
func (s *seat) demo(ctx context.Context) (int, error) {
	l, err := s.app.load(Flags{})
	if err != nil { // it works without the user's config, whatever is wrong there
		l, err = s.app.load(Flags{demo: true})
	}
	if err != nil {
		return headless.ExitUsage, err
	}
	h, err := s.change(ctx, tui.Target{Demo: true})
	if err != nil {
		return headless.ExitError, err
	}
	o := s.options(l)
	o.Prompt = demo.Prompt
	return tui.Run(ctx, h, o)
}

// options are the front's options.
func (s *seat) options(l loaded) tui.Options {
	a := s.app
	o := tui.Options{
		In: a.env.In, Out: s.out, Lookup: a.env.Lookup, Interrupted: a.env.Interrupted, Version: a.env.Version, Agents: prompt.Agents(), Theme: l.Theme,
		About: s.shown, Plain: s.flags.Plain || a.get("TERM") == "dumb", Reopen: s.reopen, Notify: notify(l, a),
		Edit: func(ctx context.Context, text string) (string, error) {
			return proc.Edit(ctx, a.editor(), text, a.env.In, s.out)
		},
		Shell: func(ctx context.Context, command string, out func([]byte)) (int, string, error) {
			argv, err := proc.Shell(command)
			if err != nil {
				return 0, "", err
			}
			r, err := proc.Run(ctx, proc.Spec{Argv: argv, Dir: s.folder(), Env: s.login(ctx), Out: out})
			return r.Exit, proc.Clean(r.Output), err
		},
	}
	return o
}

// editor is the user's editor.
func (a *App) editor() string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if e := a.get(name); e != "" {
			return e
		}
	}
	for _, e := range []string{"nano", "vim", "vi", "notepad"} {
		if proc.Find(e) != "" {
			return e
		}
	}
	return ""
}

// reopen is change for the front.
func (s *seat) reopen(ctx context.Context, to tui.Target) (h tui.Host, prompt string, err error) {
	s.mu.Lock()
	first := s.host == nil
	s.mu.Unlock()
	opened, err := s.change(ctx, to)
	switch {
	case err != nil:
		return nil, "", err
	case to.Demo:
		return opened, demo.Prompt, nil
	case first:
		return opened, s.prompt, nil // it was given before there was a provider
	}
	return opened, "", nil
}

// change opens another conversation, and then closes the one before. An errand
// of the front may outlive it, so the seat may be left meanwhile.
func (s *seat) change(ctx context.Context, to tui.Target) (*host.Host, error) {
	f := s.aim(s.flags)
	f.Continue, f.Resume, f.Fork = false, to.Session, to.Fork
	if f.own = to.Session != ""; f.own {
		f.Agent, f.Think = "", "" // as provider and model, they were for the session of the start
	}
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer s.changes.Done()
	if to.Demo {
		c, err := demo.Make()
		if err != nil {
			return nil, err
		}
		if !s.keep(c) {
			return nil, errors.Join(errLeft, c.Remove())
		}
		f = demoFlags(c)
	}
	s.mu.Lock()
	if s.at != nil {
		f.heir = s.at.heritage(!to.Demo && (to.Session == "" || to.Fork))
	}
	s.mu.Unlock()
	h, err := s.app.open(ctx, s.telling(f), false)
	if err != nil {
		return nil, err
	}
	shown := about(ctx, h, f)
	dir, err := root(f.Dir)
	if err != nil {
		dir = f.Dir // it was there a moment ago
	}
	s.mu.Lock()
	old, left := s.host, s.left
	if left {
		old = h
	} else {
		s.host, s.about, s.dir = h, shown, dir
	}
	s.mu.Unlock()
	if old != nil {
		// The new conversation stands also when the end of the old one could not
		// be written.
		_ = old.Do(context.WithoutCancel(ctx), host.Close{}) // see above
	}
	if left {
		return nil, errLeft
	}
	return h, nil
}

// enter begins a change that leave waits for.
func (s *seat) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left {
		return errLeft
	}
	s.changes.Add(1)
	return nil
}

// keep has leave remove the copy; false when that is over.
func (s *seat) keep(c demo.Copy) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left {
		return false
	}
	s.undo = append(s.undo, c)
	return true
}

// shown is what the front shows of the conversation that it is on.
func (s *seat) shown() tui.About {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.about
}

func (s *seat) folder() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dir
}

// login is what shell.login adds to the environment of the user's own commands.
func (s *seat) login(ctx context.Context) []string {
	s.mu.Lock()
	at := s.at
	s.mu.Unlock()
	if at == nil || at.login == nil {
		return nil
	}
	return at.login(ctx)
}

// leaveTime is how long leave waits for a change on its way to close what it
// opened.
const leaveTime = 2 * time.Second

// leave closes what is open, and what is being opened.
func (s *seat) leave() {
	s.mu.Lock()
	open, copies := s.host, s.undo
	s.left, s.host, s.undo = true, nil, nil
	s.mu.Unlock()
	if open != nil {
		_ = open.Do(context.Background(), host.Close{}) // the front has told what failed
	}
	changed := make(chan struct{})
	go func() {
		defer close(changed)
		s.changes.Wait()
	}()
	select {
	case <-changed:
	case <-time.After(leaveTime): // the program ends, and with it what hangs
	}
	for _, c := range copies {
		_ = c.Remove() // a leftover in the temporary folder does no harm
	}
}

// notify translates the field notifications.
func notify(l loaded, a *App) tui.Notify {
	var field struct {
		Enabled  *bool             `json:"enabled"`
		Channels []json.RawMessage `json:"channels"`
	}
	if len(l.Notifications.JSON) == 0 || json.Unmarshal(l.Notifications.JSON, &field) != nil {
		return tui.Notify{}
	}
	n := tui.Notify{Off: field.Enabled != nil && !*field.Enabled}
	for _, raw := range field.Channels {
		var name string
		var command struct{ Type, Command string }
		switch {
		case json.Unmarshal(raw, &name) == nil:
			if name == "bell" || name == "osc9" || name == "osc777" {
				n.Channels = append(n.Channels, name)
			}
		case json.Unmarshal(raw, &command) == nil && command.Type == "command" && command.Command != "":
			n.Command = a.announce(command.Command)
		}
	}
	return n
}

// announce runs the user's command for a notification, with the variables that
// the questions of the ask tool have too.
func (a *App) announce(command string) func(ctx context.Context, event, text string) {
	return func(ctx context.Context, event, text string) {
		argv, err := proc.Shell(command)
		if err != nil {
			return // as below
		}
		_, _ = proc.Run(ctx, proc.Spec{ // best effort: nothing depends on it
			Argv: argv, Timeout: announceTime,
			Env: []string{"ASK_NOTIFY_EVENT=" + event, "ASK_NOTIFY_TITLE=assent", "ASK_NOTIFY_MESSAGE=" + text},
		})
	}
}

package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/host"
	"assent/internal/instruct"
	"assent/internal/llm"
	"assent/internal/policy"
	"assent/internal/proc"
	"assent/internal/redact"
	"assent/internal/session"
	"assent/internal/workspace"
)

// site is what a conversation is built on.
type site struct {
	l loaded
	f Flags
	// headless says that nobody can be asked.
	headless bool
	ws       *workspace.Workspace
	mask     *redact.Masker
	at       opened
	rules    policy.Rules
	events   *event.Log
	procs    *proc.Table
	open     closers
}

// open builds a conversation. headless says that nobody can be asked.
func (a *App) open(ctx context.Context, f Flags, headless bool) (h *host.Host, err error) {
	l, m, chosen, err := a.settled(ctx, f)
	if err != nil {
		return nil, err
	}
	s := &site{l: l, f: f, headless: headless, events: &event.Log{}}
	if s.rules, err = rules(l, f); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.open.close())
		}
	}()
	if s.ws, err = workspace.Open(workspace.Options{Root: l.root, Extra: f.AddDir}); err != nil {
		return nil, usagef("--add-dir: %w; name a folder", err)
	}
	s.open.add(s.ws.Close)
	s.mask = a.masker(l)
	if s.at, err = a.log(l, f, s.mask); err != nil {
		return nil, err
	}
	s.open.add(s.at.log.Close)
	s.procs = commands(l, s.events.Tell)
	s.open.add(func() error { s.procs.Close(); return nil })
	c, asker, err := a.conversation(ctx, s, m, chosen)
	if err != nil {
		return nil, err
	}
	return a.hosted(ctx, s, c, asker), nil
}

// conversation is what a step is made of: model, gate, tools and notes. The
// asker is nil when nobody can be asked.
func (a *App) conversation(ctx context.Context, s *site, m *models, chosen choice) (c *conversation, asker *host.Approvals, err error) {
	log := s.at.log
	restored := session.Restore(log.Branch())
	c = &conversation{
		loaded: s.l, flags: s.f, headless: s.headless, models: m, log: log, choice: chosen, todos: restored.Todos, login: s.procs.Env, tell: s.events.Tell,
		choose: func(ctx context.Context, l loaded) (choice, error) { return a.choose(ctx, l, m.catalogue) },
	}
	if err := c.begin(ctx, restored, s.f); err != nil {
		return nil, nil, err
	}
	if err := c.priced(); err != nil {
		return nil, nil, err
	}
	if !s.headless {
		asker = host.NewApprovals(s.events.Tell, func(text string) string { text, _ = s.mask.String(text); return text }, longCalls(log.Artifacts()))
	}
	a.gates(c, asker, gate.Options{
		Workspace: s.ws, Home: a.home(), Rules: s.rules, Procs: s.procs, ConfigHome: a.get("XDG_CONFIG_HOME"),
	})
	c.tools = tools(toolParts{artifacts: log.Artifacts(), todos: c.setTodos(s.events.Tell), writer: c})
	if c.notes, err = a.notebook(s.l, s.f, s.ws, s.headless, c.gate, s.events, &s.open); err != nil {
		return nil, nil, err
	}
	s.at.notices = append(s.at.notices, c.inherit(ctx, s.f.heir)...)
	if d := m.doubt(c.choice); d != nil && s.f.Model != "" {
		s.at.notices = append(s.at.notices, d.Error()+". It is used as it is.")
	}
	return c, asker, nil
}

// hosted puts a conversation behind its engine and its host.
func (a *App) hosted(ctx context.Context, s *site, c *conversation, asker *host.Approvals) *host.Host {
	items, undone, held := session.FoldOpen(c.log.Branch())
	waiting := c.waiting(ctx, undone)
	e := engine.New(engine.Options{
		Log: c.log, Gate: c.gate, Step: c.step, Tell: s.events.Tell, Items: items, Open: undone, Held: held, Session: c.log.ID(),
		Summarise: c.summarise,
		Redact:    s.mask, Price: c.price, Interrupt: s.procs.Interrupt, Crash: a.survived, Waited: asker.Waited, AfterCall: c.notes.after(wsPlacer{s.ws}),
	})
	c.items, c.spend, c.hear = e.Items, e.Spend, e.Hear
	if s.f.opened != nil {
		s.f.opened(c)
	}
	return host.New(ctx, host.Options{
		Ask: a.answers(c, waiting).ask, Open: waiting, Engine: e, Events: s.events, Approvals: asker, Prepare: c.prepare, Use: c.use, Close: s.open.close, Crash: a.Crash,
		Opening: a.opening(s.l, c, s.at),
	})
}

// settled is the config, and for a new session the model, as far as they can be
// checked: a wrong address or script is told before a session is made for it.
func (a *App) settled(ctx context.Context, f Flags) (l loaded, m *models, c choice, err error) {
	if l, err = a.load(f); err != nil {
		return l, nil, c, err
	}
	if m, err = a.newModels(l); err != nil || f.resumes() {
		return l, m, c, err
	}
	if c, err = a.chosen(ctx, &l, m); err == nil {
		_, _, err = m.open(c)
	}
	return l, m, c, err
}

// commands is the table of child processes, with the environment that the user
// wants for them.
func commands(l loaded, tell func(event.Event)) *proc.Table {
	t := &proc.Table{}
	if l.Shell.Login {
		t.Env = proc.LoginOnce(func(err error) {
			tell(event.Notice{Text: err.Error() + "; commands get the environment of this program (shell.login in your config)"})
		})
	}
	return t
}

// gates makes the gate of the model's calls, and that of what the user attaches.
func (a *App) gates(c *conversation, asker *host.Approvals, common gate.Options) {
	calls, reads := common, common
	calls.Mode, calls.Yolo, calls.Headless = c.agent.mode(c.loaded.ReadOnly), c.flags.Yolo, c.headless
	calls.Remember = a.remember(c.loaded)
	if asker != nil {
		calls.Asker = asking{asker, c}
	}
	reads.Yolo, reads.Headless = true, true
	c.gate = a.gate(c.loaded, common.Workspace, calls)
	c.reader = a.gate(c.loaded, common.Workspace, reads)
}

// closers are closed in the order opposite to that of their opening.
type closers []func() error

func (c *closers) add(f func() error) { *c = append(*c, f) }

func (c *closers) close() error {
	var err error
	for _, f := range slices.Backward(*c) {
		err = errors.Join(err, f())
	}
	*c = nil
	return err
}

// begin sets agent, thinking and model: the flag's, else what a resumed session
// had, else the config's.
func (c *conversation) begin(ctx context.Context, restored session.State, f Flags) error {
	c.kept = kept{agent: restored.Agent, model: restored.Model}
	name, level := c.loaded.Agent, restored.Model.Level
	before, known := findAgent(restored.Agent)
	switch {
	case f.Agent == "" && known:
		name = restored.Agent
	case known && f.Agent != restored.Agent && level == before.level:
		level = "" // nobody chose it: it was the other agent's own
	}
	c.agent, _ = findAgent(name)
	c.level = c.agent.level
	switch {
	case f.Think == "" && level != "":
		c.level = level
	case c.loaded.Source["thinking"] != "":
		c.level = llm.Level(c.loaded.Thinking)
	}
	if f.resumes() {
		chosen, err := c.rechoose(ctx, restored.Model, f)
		if err != nil {
			return err
		}
		c.choice = chosen
	}
	c.loaded.begun = c.choice.preset.Name
	_, open, err := c.models.open(c.choice)
	if err != nil {
		return err
	}
	c.model = c.lined(c.loaded, open())
	return nil
}

// rechoose is the model that a session goes on with: that of the flags, else
// the one that it had. A flag that names a model alone names one of the
// session's provider.
func (c *conversation) rechoose(ctx context.Context, had session.Model, f Flags) (choice, error) {
	if had.Provider != "" && f.own {
		return c.rechooseOwn(ctx, had)
	}
	said := values(f)
	if had.Provider == "" || said["provider"] != "" {
		return c.choose(ctx, c.loaded)
	}
	chosen, err := c.choose(ctx, c.loaded.resumed(had.Provider, cmp.Or(said["model"], had.Model)))
	if err != nil {
		return choice{}, usagef("go on with %s, as the session did: %w; or give --provider to go on with another", had.Provider, err)
	}
	return chosen, nil
}

// rechooseOwn is the model that a session had, for a user who comes to it from
// another one. A base URL that a flag gave is for the provider of the start. The
// error names no flags: the user is before the terminal UI.
func (c *conversation) rechooseOwn(ctx context.Context, had session.Model) (choice, error) {
	l := c.loaded
	if l.BaseURL != "" && l.layer("baseUrl") == layerSaid {
		if began, err := c.choose(ctx, l); err != nil || began.preset.Name != had.Provider {
			l.BaseURL = ""
		}
	}
	chosen, err := c.choose(ctx, l.resumed(had.Provider, had.Model))
	if err != nil {
		return choice{}, usagef("go on with %s/%s, as the session did: %s", had.Provider, had.Model, unadvised(err))
	}
	return chosen, nil
}

// resumed is the configuration for the model of a session that goes on. What
// the configuration says beside no provider is for the one that it names, and
// where it names none, for the session's; flags are said for this run.
func (l loaded) resumed(name, model string) loaded {
	l.begun = l.Provider
	l.Source = maps.Clone(l.Source)
	l.Provider, l.Model, l.Source["model"] = name, model, "the session"
	return l
}

// notebook prepares what the model is told of the place and its rules.
func (a *App) notebook(l loaded, f Flags, ws *workspace.Workspace, headless bool, g *gate.Gate, events *event.Log, open *closers) (*notebook, error) {
	n := &notebook{place: a.place(l, ws.Roots()[1:], headless), now: time.Now, tell: events.Tell}
	if f.NoInstructions {
		return n, nil
	}
	finder, err := instruct.New(instruct.Options{
		Dir: l.root, User: l.paths.Config, Ignored: g.Ignored,
		Deny: func(real string) bool {
			return g.Unreadable("read_file", real)
		},
	})
	if err != nil {
		return nil, err
	}
	open.add(finder.Close)
	n.finder = finder
	return n, nil
}

// opening is what every front is told first.
func (a *App) opening(l loaded, c *conversation, at opened) []event.Event {
	// The state comes first, so that a header can say all of it.
	list := []event.Event{
		c.stateLocked(),
		event.Session{
			ID: at.log.ID(), CWD: l.root, Model: c.choice.model, Provider: c.choice.preset.Name, Agent: c.agent.name, Resumed: at.resumed,
		},
	}
	notice := func(format string, args ...any) {
		list = append(list, event.Notice{Text: fmt.Sprintf(format, args...)})
	}
	for _, n := range at.notices {
		notice("%s", n)
	}
	if l.trust.Changed {
		notice("What this project brings has changed since you trusted it; look at it and run assent trust again.")
	}
	for _, h := range slices.Concat(l.Held, l.Idle) {
		notice("%s", h)
	}
	if off := guardsOff(l); len(off) > 0 && c.headless { // a header says it elsewhere
		notice("Guards that are off: %s.", strings.Join(off, ", "))
	}
	if s := at.log.Faults().String(); s != "" {
		notice("%s", s)
	}
	if a.wide(l.root) {
		notice("The workspace is %s: searches will be slow, and everything in it is in reach. Use -C DIR for a smaller one.", l.root)
	}
	if len(c.todos) > 0 {
		list = append(list, event.Todos{Todos: c.todos})
	}
	return list
}

// wsPlacer finds paths below the workspace.
type wsPlacer struct{ ws *workspace.Workspace }

func (p wsPlacer) place(name string) (string, bool) {
	at, err := p.ws.Resolve(name, "")
	if err != nil || at.Root != 0 {
		return "", false
	}
	return at.Rel, true
}

package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"assent/internal/config"
	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/host"
	"assent/internal/llm"
	"assent/internal/prompt"
	"assent/internal/provider"
	"assent/internal/redact"
	"assent/internal/session"
	"assent/internal/tool"
)

// conversation is everything that may change between two steps, and what a
// step is made of.
type conversation struct {
	loaded loaded
	flags  Flags
	// headless says that nobody can be asked.
	headless bool
	models   *models
	tools    tool.Set
	gate     *gate.Gate
	// reader is the gate of what the user attaches: it asks nobody, since the
	// user did, and does not count towards the model's repeated calls.
	reader *gate.Gate
	log    *session.Log
	// login is what shell.login adds to the environment of commands; nil adds
	// nothing.
	login func(context.Context) []string
	// choose resolves another provider or model.
	choose func(context.Context, loaded) (choice, error)
	notes  *notebook
	// items is the conversation as the model is sent it.
	items func() []llm.Item
	// spend counts what a nested request used towards the running turn.
	spend func(u llm.Usage, provider, model, what string)
	// hear tells what the transport says of a nested request.
	hear func(llm.Chunk)

	mu     sync.Mutex
	agent  agent
	level  llm.Level
	choice choice
	model  engine.Model
	todos  []event.Todo
	kept   kept
	served served

	// changing is held by a change of agent or model from its beginning to its
	// end; mu is not, since a change may ask a keyring or a command for a key.
	changing sync.Mutex
	// insisted is the provider and the model that was doubted last; changing
	// guards it.
	insisted [2]string
	// tell tells the fronts.
	tell func(event.Event)
}

// kept is what the log says of agent, model and thinking.
type kept struct {
	agent string
	model session.Model
}

// shape is what the next request is made of beside the conversation and the
// notes. It changes nothing, so a report may ask for it while a turn runs; the
// window is what is known of the model.
func (c *conversation) shape() (in engine.StepInput, todos []event.Todo) {
	c.mu.Lock()
	defer c.mu.Unlock()
	facts := c.models.facts(c.choice)
	tools, withheld := c.offered()
	parts := prompt.Parts{Agent: c.agent.name, Headless: c.headless}
	for _, t := range tools {
		parts.Tools = append(parts.Tools, t.Name())
	}
	return engine.StepInput{
		Model: c.model, Provider: c.choice.preset.Name, Name: c.choice.model, Level: c.level,
		System: prompt.System(parts), Tools: tools, Withheld: withheld, Window: facts.ContextWindow, MaxOutput: facts.MaxOutput,
	}, c.todos
}

// step is asked before every request, by the turn alone: it asks the model for
// its window and brings the notes, which files are read for.
func (c *conversation) step(context.Context) (engine.StepInput, error) {
	in, todos := c.shape()
	in.Window = window(in.Window, in.Model)
	for _, n := range c.notes.current(todos) {
		in.Notes = append(in.Notes, engine.Note(n))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.served = served{model: in.Model, window: in.Window}
	return in, nil
}

// served is the window with which a model was last asked.
type served struct {
	model  engine.Model
	window int
}

// seen is what the next request is made of, as far as a report may look: the
// window is that of the last step, since only a step may ask the model.
func (c *conversation) seen() engine.StepInput {
	in, _ := c.shape()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.served.model == in.Model && c.served.window > 0 {
		in.Window = c.served.window
	}
	return in
}

// window is the smaller of what is known of a model and what its server was
// found to serve, in tokens; 0 when neither is known.
func window(known int, m engine.Model) int {
	s, ok := m.(interface{ Window() int })
	if !ok {
		return known
	}
	if served := s.Window(); served > 0 && (known == 0 || served < known) {
		return served
	}
	return known
}

// offered are the tools of this step: those of the chosen sets that the agent
// may hold and that some rule could let run. The others of these sets are
// withheld.
func (c *conversation) offered() (offered, withheld tool.Set) {
	sets := c.loaded.ToolSets
	if sets == nil {
		sets = []string{tool.EditPlus, tool.Git}
	}
	rules := c.gate.Rules()
	for _, t := range c.tools {
		always := t.Set() == tool.Core || t.Set() == tool.Session
		switch {
		case !always && !slices.Contains(sets, t.Set()):
		case c.agent.holds(t.Effect(), c.loaded.ReadOnly) && !rules.Never(t.Name()):
			offered = append(offered, t)
		default:
			withheld = append(withheld, t)
		}
	}
	return offered, withheld
}

// prepare adds the limits of a turn to a prompt. What the turn works with is
// recorded before it, and not when the session is opened: looking at a session
// leaves no trace in it.
func (c *conversation) prepare(_ context.Context, s host.Submit) (engine.Submit, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.keep(c.agent, c.level, c.choice); err != nil {
		return engine.Submit{}, &llm.Failure{
			Kind:    llm.KindPersistence,
			Message: fmt.Sprintf("%v; free some space or check the folder of the sessions, then go on", err),
		}
	}
	return engine.Submit{Text: s.Text, Expanded: s.Expanded, Images: s.Images, Limits: c.limits()}, nil
}

// limits are the flags', else the config's, else the agent's.
func (c *conversation) limits() engine.Limits {
	steps := c.loaded.Steps(c.agent.steps)
	if c.flags.MaxSteps > 0 {
		steps = c.flags.MaxSteps
	}
	cost := c.flags.MaxCost
	if cost == 0 {
		cost = c.loaded.MaxCostUSD
	}
	return engine.Limits{
		Steps: steps, CostUSD: cost, Wall: c.flags.Timeout,
		Tries: c.loaded.Retry.Tries, MaxWait: time.Duration(c.loaded.Retry.MaxWaitSeconds) * time.Second,
	}
}

// use changes agent, model or thinking from the next step on. Nothing changes
// when one of the words is not valid.
func (c *conversation) use(ctx context.Context, u host.Use) (event.State, error) {
	return c.change(ctx, u, c.keep)
}

// change is use with what keeps the change.
func (c *conversation) change(ctx context.Context, u host.Use, keep func(agent, llm.Level, choice) error) (event.State, error) {
	c.changing.Lock()
	defer c.changing.Unlock()
	c.mu.Lock()
	l, agent, level, chosen, model := c.loaded, c.agent, c.level, c.choice, c.model
	c.mu.Unlock()
	if u.Agent != "" {
		found, ok := findAgent(u.Agent)
		if !ok {
			return event.State{}, unknownWord("agent", u.Agent, prompt.Agents())
		}
		agent = found
	}
	if u.Level != "" {
		if !slices.Contains(llm.Levels(), u.Level) {
			return event.State{}, unknownWord("thinking level", string(u.Level), levelWords())
		}
		level = u.Level
	}
	if u.Provider != "" || u.Model != "" {
		next, err := c.choose(ctx, l.at(cmp.Or(u.Provider, chosen.preset.Name), u.Model, "/model"))
		if err != nil {
			return event.State{}, err
		}
		if u.Provider == "" { // typed, and not taken from a list
			if err := c.doubt(chosen, next); err != nil {
				return event.State{}, err
			}
		}
		_, open, err := c.models.open(next)
		if err != nil {
			return event.State{}, err
		}
		chosen, model = next, c.lined(l, open())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := keep(agent, level, chosen); err != nil {
		return event.State{}, err
	}
	c.agent, c.level, c.choice, c.model = agent, level, chosen, model
	c.gate.SetMode(agent.mode(c.loaded.ReadOnly))
	return c.stateLocked(), nil
}

// keep records what the log does not say yet, so that a resume restores it.
func (c *conversation) keep(a agent, level llm.Level, chosen choice) error {
	if a.name != c.kept.agent {
		if err := c.log.Append(session.Agent{Agent: a.name}); err != nil {
			return fmt.Errorf("keep the agent: %w", err)
		}
		c.kept.agent = a.name
	}
	model := session.Model{Provider: chosen.preset.Name, Model: chosen.model, Level: level}
	if model != c.kept.model {
		if err := c.log.Append(model); err != nil {
			if c.kept.agent != c.agent.name && c.log.Append(session.Agent{Agent: c.agent.name}) == nil {
				c.kept.agent = c.agent.name // nothing was changed, so nothing is to be restored
			}
			return fmt.Errorf("keep the model: %w", err)
		}
		c.kept.model = model
	}
	return nil
}

func (c *conversation) stateLocked() event.State {
	return event.State{
		Agent: c.agent.name, Provider: c.choice.preset.Name, Model: c.choice.model, Level: c.level, Yolo: c.flags.Yolo,
	}
}

// setTodos replaces the task list.
func (c *conversation) setTodos(tell func(event.Event)) func(context.Context, []event.Todo) error {
	return func(_ context.Context, todos []event.Todo) error {
		if err := c.log.Append(session.Todo{Todos: todos}); err != nil {
			return fmt.Errorf("keep the task list: %w", err)
		}
		c.mu.Lock()
		c.todos = todos
		c.mu.Unlock()
		tell(event.Todos{Todos: todos})
		return nil
	}
}

// price is what a response costs; false when nobody knows.
func (c *conversation) price(providerName, model string, u llm.Usage) (float64, bool) {
	cost := provider.Cost(u, c.models.catalogue.Lookup(providerName, model).Price)
	if cost == nil {
		return 0, false
	}
	return *cost, true
}

// priced refuses a limit in money where nobody knows what the model costs: it
// would hold nothing back.
func (c *conversation) priced() error {
	if c.flags.MaxCost == 0 || c.models.facts(c.choice).Price != nil {
		return nil
	}
	return usagef("--max-cost: the price of %s is not known; say it in %s of your config (input and output, USD per million tokens), or leave out --max-cost",
		c.choice.model, config.JoinPath("models", c.choice.model, "price"))
}

// masker masks known shapes of keys, and the keys that this process knows:
// those of its configuration here, and every other when it is first used.
func (a *App) masker(l loaded) *redact.Masker {
	a.mask.Learn(l.APIKey)
	a.mask.Learn(config.Secrets(l.Proxy)...)
	a.mask.Learn(config.Secrets(l.BaseURL)...)
	a.learn()
	return a.mask
}

// learn tells the masker the keys of the environment, and the passwords of its
// proxies.
func (a *App) learn() {
	for _, name := range []string{"HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "ASSENT_BASE_URL"} {
		a.mask.Learn(config.Secrets(a.get(name))...)
		a.mask.Learn(config.Secrets(a.get(strings.ToLower(name)))...)
	}
	a.mask.Learn(a.get("ASSENT_API_KEY"))
	for _, name := range a.keyVariables() {
		a.mask.Learn(a.get(name))
	}
}

func unknownWord(what, word string, valid []string) error {
	return errors.New(config.Unknown(what, word, valid))
}

func levelWords() []string {
	var words []string
	for _, l := range llm.Levels() {
		words = append(words, string(l))
	}
	return words
}

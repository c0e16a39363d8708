package host_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assent/internal/engine"
	"assent/internal/event"
	"assent/internal/gate"
	"assent/internal/host"
	"assent/internal/llm/llmtest"
	"assent/internal/policy"
	"assent/internal/proc"
	"assent/internal/session"
	"assent/internal/tools/bash"
	"assent/internal/tools/files"
	"assent/internal/workspace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// kit is a conversation over a real engine, gate, log and real tools; only the
// model is a script.
type kit struct {
	t      *testing.T
	host   *host.Host
	model  *llmtest.Model
	root   string
	log    string // path of the session file
	cursor *event.Cursor
	seen   []event.Event
	closed atomic.Int32
}

func newKit(t *testing.T, m *llmtest.Model, changes ...func(*host.Options)) *kit {
	t.Helper()
	return given{}.kit(t, m, changes...)
}

// given is what there is before a conversation is opened.
type given struct {
	// asks are rules of the user's, each as tool(pattern), that ask.
	asks []string
	// records are what an earlier process stored.
	records []session.Record
}

func (have given) kit(t *testing.T, m *llmtest.Model, changes ...func(*host.Options)) *kit {
	t.Helper()
	k := &kit{t: t, model: m, root: t.TempDir()}
	ws, err := workspace.Open(workspace.Options{Root: k.root})
	if err != nil {
		t.Fatal(err)
	}
	log, err := session.Store{Dir: filepath.Join(t.TempDir(), "sessions")}.Create(k.root)
	if err != nil {
		t.Fatal(err)
	}
	k.log = log.Path()
	for _, r := range have.records {
		if err := log.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	items, open, _ := session.FoldOpen(log.Branch())
	set := append(files.Tools(), bash.Tools(bash.Options{})...)
	var rules []policy.Tool
	for _, one := range set {
		rules = append(rules, policy.Tool{Name: one.Name(), Effect: one.Effect()})
	}
	var ask []policy.Rule
	for _, text := range have.asks {
		r, err := policy.ParseRule(text, policy.Ask, policy.LayerUser, "test", nil)
		if err != nil {
			t.Fatal(err)
		}
		ask = append(ask, r)
	}
	events, procs := &event.Log{}, &proc.Table{}
	asker := host.NewApprovals(events.Tell, nil, nil)
	g := gate.New(gate.Options{Workspace: ws, Rules: policy.New(policy.Options{Tools: rules, Rules: ask}), Asker: asker, Procs: procs})
	e := engine.New(engine.Options{
		Items: items, Open: open,
		Log: log, Gate: g, Tell: events.Tell, Session: log.ID(), Interrupt: procs.Interrupt, Grace: 3 * time.Second,
		Step: func(context.Context) (engine.StepInput, error) {
			return engine.StepInput{Model: m, Provider: "test", Name: "scripted", Level: "off", System: "You are a test.", Tools: set}, nil
		},
	})
	o := host.Options{
		Engine: e, Events: events, Approvals: asker,
		Opening: []event.Event{event.Session{ID: log.ID(), CWD: k.root}},
		Close: func() error {
			k.closed.Add(1)
			procs.Close()
			return errors.Join(log.Close(), ws.Close())
		},
	}
	for _, change := range changes {
		change(&o)
	}
	k.host = host.New(t.Context(), o)
	k.cursor = k.host.Events()
	t.Cleanup(func() {
		if err := k.host.Do(context.Background(), host.Close{}); err != nil {
			t.Error(err)
		}
		k.cursor.Close()
	})
	return k
}

// do sends a command that must be taken.
func (k *kit) do(c host.Command) {
	k.t.Helper()
	if err := k.host.Do(k.t.Context(), c); err != nil {
		k.t.Fatalf("%T: %v", c, err)
	}
}

// next reads events until one of type E satisfies ok, nil takes the first. What
// was read before does not count again.
func next[E event.Event](k *kit, ok func(E) bool) E {
	k.t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	for {
		for i, e := range k.seen {
			if e, is := e.(E); is && (ok == nil || ok(e)) {
				k.seen = k.seen[i+1:]
				return e
			}
		}
		events, err := k.cursor.Next(ctx)
		if err != nil {
			k.t.Fatalf("waiting for %T: %v; unread: %v", *new(E), err, k.seen)
		}
		k.seen = append(k.seen, events...)
	}
}

// queue waits until the queue holds these prompts.
func (k *kit) queue(prompts ...string) {
	k.t.Helper()
	next(k, func(q event.Queue) bool { return slices.Equal(q.Prompts, prompts) })
}

// prompts are the user's messages in the log, steers marked with "~".
func (k *kit) prompts() string {
	k.t.Helper()
	tree, _, err := session.Load(k.log)
	if err != nil {
		k.t.Fatal(err)
	}
	var list []string
	for _, e := range tree.Branch("").Entries {
		switch r := e.Record.(type) {
		case session.User:
			list = append(list, r.Text)
		case session.Steer:
			list = append(list, "~"+r.Text)
		default:
		}
	}
	return strings.Join(list, " ")
}

// held is a step that waits until release is called.
func held(text string) (step llmtest.Step, release func()) {
	ch := make(chan struct{})
	return llmtest.Step{Text: text, Wait: ch}, func() { close(ch) }
}

// rest reads what is left to the end.
func (k *kit) rest() []event.Event {
	all := k.seen
	for {
		events, err := k.cursor.Next(context.Background())
		if err != nil {
			return all
		}
		all = append(all, events...)
	}
}

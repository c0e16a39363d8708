package proc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// ErrClosed says that the program is ending and starts nothing more.
var ErrClosed = errors.New("the program is ending")

// Table holds the running commands by the id of the call that started them.
// The zero value is ready; all methods may be called from any goroutine.
type Table struct {
	// Env gives what is added to the environment of every command, below what
	// its Spec says; nil adds nothing. It is set before the first command and
	// may take its time: other calls go on meanwhile.
	Env func(context.Context) []string

	mu     sync.Mutex
	closed bool
	byCall map[string]*Handle
}

// Run is Run for a call that Interrupt can end.
func (t *Table) Run(ctx context.Context, call string, s Spec) (Result, error) {
	h, err := t.Start(ctx, call, s)
	if err != nil {
		return Result{}, err
	}
	return h.Wait(), nil
}

// Start is Start for a call that Interrupt can end. A call has one command at
// a time.
func (t *Table) Start(ctx context.Context, call string, s Spec) (*Handle, error) {
	return t.start(ctx, ctx, call, s)
}

// Background is Start for a command that outlives its call: the context ends
// the preparations only. The command ends with its timeout or with the table.
func (t *Table) Background(ctx context.Context, call string, s Spec) (*Handle, error) {
	return t.start(ctx, context.WithoutCancel(ctx), call, s)
}

// start prepares a command in one context and runs it in another.
func (t *Table) start(ctx, life context.Context, call string, s Spec) (*Handle, error) {
	if t.Env != nil {
		s.Env = slices.Concat(t.Env(ctx), s.Env)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("start command: %w", err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, fmt.Errorf("start command: %w", ErrClosed)
	}
	if t.byCall[call] != nil {
		return nil, fmt.Errorf("start command: call %q runs one already", call)
	}
	h, err := Start(life, s)
	if err != nil {
		return nil, err
	}
	if t.byCall == nil {
		t.byCall = map[string]*Handle{}
	}
	t.byCall[call] = h
	go func() {
		<-h.done
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.byCall[call] == h {
			delete(t.byCall, call)
		}
	}()
	return h, nil
}

// Interrupt ends the command of a call with its tree and reports whether there
// was one. It does not wait.
func (t *Table) Interrupt(call string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	h := t.byCall[call]
	if h != nil {
		h.Interrupt()
	}
	return h != nil
}

// Running lists the calls whose command still runs, sorted.
func (t *Table) Running() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var calls []string
	for c := range t.byCall {
		calls = append(calls, c)
	}
	slices.Sort(calls)
	return calls
}

// KillAll ends every command and returns when none is left.
func (t *Table) KillAll() {
	t.mu.Lock()
	var all []*Handle
	for _, h := range t.byCall {
		all = append(all, h)
	}
	t.mu.Unlock()
	for _, h := range all {
		h.Interrupt()
	}
	for _, h := range all {
		<-h.done
	}
}

// Close is KillAll, and nothing starts afterwards.
func (t *Table) Close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.KillAll()
}

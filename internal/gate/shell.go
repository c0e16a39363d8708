package gate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"assent/internal/policy"
	"assent/internal/proc"
)

// ShellOptions says how a command runs.
type ShellOptions struct {
	// Timeout ends the command and everything it started; 0 is none.
	Timeout time.Duration
	// MaxOutput is how many bytes are kept, first and last halves; 0 takes
	// proc's default.
	MaxOutput int
}

// Shell runs the granted command with the user's shell in the workspace root,
// and sends its output to whoever watches as it comes. The command must be the
// planned one to the byte. It can be interrupted by the call's id. Both streams
// are one: the result's Output.
func (h Hands) Shell(ctx context.Context, command string, o ShellOptions) (proc.Result, error) {
	spec, err := h.command(command, o)
	if err != nil {
		return proc.Result{}, err
	}
	spec.Out = func(b []byte) { h.Emit(string(b)) }
	return h.s.gate.options.Procs.Run(ctx, h.s.request.ID, spec)
}

// ShellStart starts the granted command and returns at once. It goes on after
// the call has ended, until its timeout or the end of the program; ctx ends what
// comes before the start.
func (h Hands) ShellStart(ctx context.Context, command string, o ShellOptions) (*proc.Handle, error) {
	spec, err := h.command(command, o)
	if err != nil {
		return nil, err
	}
	return h.s.gate.options.Procs.Background(ctx, h.s.request.ID, spec)
}

// command is how the planned command is started, once.
func (h Hands) command(command string, o ShellOptions) (proc.Spec, error) {
	if err := h.live(); err != nil {
		return proc.Spec{}, err
	}
	script := h.s.request.Plan.Script
	if h.s.request.Effect != policy.Exec || script == nil || script.Source != command {
		return proc.Spec{}, fmt.Errorf("run %q: %w", command, ErrNotPlanned)
	}
	if h.s.gate.options.Procs == nil {
		return proc.Spec{}, errors.New("run a command: this program starts no processes")
	}
	argv, err := proc.Shell(command)
	if err != nil {
		return proc.Spec{}, fmt.Errorf("run %q: %w", command, err)
	}
	// One command a grant: a second start would be a second effect.
	if !h.s.ran.CompareAndSwap(false, true) {
		return proc.Spec{}, fmt.Errorf("run %q a second time: %w", command, ErrNotPlanned)
	}
	return proc.Spec{
		Argv: argv, Dir: h.s.gate.options.Workspace.Root(),
		Env: h.s.env, Timeout: o.Timeout, MaxOutput: o.MaxOutput, Merged: true,
	}, nil
}

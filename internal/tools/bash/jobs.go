package bash

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/proc"
	"assent/internal/tool"
)

// Bounds of background commands.
const (
	mostRunning = 16
	mostKept    = 64
	// mostTexts is of how many that have ended the output is kept until it is
	// shown; each may be a megabyte.
	mostTexts = 8
)

// jobs are the commands in the background, oldest first.
type jobs struct {
	options Options

	mu       sync.Mutex
	last     int
	starting int
	list     []*job
}

// job is one of them.
type job struct {
	id, command string
	begun       time.Time
	handle      *proc.Handle

	mu   sync.Mutex
	next int64 // offset of what was not shown yet
}

// start runs a command in the background. The lock is not held over the start:
// that may take a while, and nobody else has to wait for it.
func (j *jobs) start(ctx context.Context, h gate.Hands, in input) (tool.Result, error) {
	if n, ok := j.reserve(); !ok {
		return tool.Result{}, fmt.Errorf("run the command in the background: %d are running already; stop one with bash_kill", n)
	}
	handle, err := h.ShellStart(ctx, in.Command, gate.ShellOptions{Timeout: time.Duration(in.Timeout) * time.Millisecond})
	j.mu.Lock()
	defer j.mu.Unlock()
	j.starting--
	if err != nil {
		return tool.Result{}, fmt.Errorf("run the command in the background: %w", err)
	}
	j.last++
	b := &job{id: fmt.Sprintf("bg%d", j.last), command: in.Command, begun: j.options.Now(), handle: handle}
	j.list = append(j.list, b)
	j.forget()
	return tool.Result{
		Output:  fmt.Sprintf("Started in the background as %s. Read its output with bash_output, stop it with bash_kill; it ends with this program.", b.id),
		Summary: "background " + b.id,
	}, nil
}

// reserve makes room for one more command and reports whether there was any,
// and how many run.
func (j *jobs) reserve() (running int, ok bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	running = j.starting
	for _, b := range j.list {
		if !b.ended() {
			running++
		}
	}
	if running >= mostRunning {
		return running, false
	}
	j.starting++
	return running, true
}

// forget drops the oldest commands that have ended, and what all but the newest
// of them printed; the caller holds the lock.
func (j *jobs) forget() {
	for i := 0; len(j.list) > mostKept && i < len(j.list); i++ {
		if j.list[i].ended() {
			j.list = slices.Delete(j.list, i, i+1)
			i--
		}
	}
	texts := 0
	for _, b := range slices.Backward(j.list) {
		if !b.ended() {
			continue
		}
		if texts++; texts > mostTexts {
			b.handle.Drop()
		}
	}
}

func (b *job) ended() bool {
	select {
	case <-b.handle.Done():
		return true
	default:
		return false
	}
}

// find returns a job, or an error that names the ones that there are.
func (j *jobs) find(id string) (*job, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	var ids []string
	for _, b := range j.list {
		if b.id == id {
			return b, nil
		}
		ids = append(ids, b.id)
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("find the background command %q: none was started", id)
	}
	return nil, fmt.Errorf("find the background command %q: there are %s", id, strings.Join(ids, ", "))
}

type jobInput struct {
	ID string `json:"id"`
}

func output(jobs *jobs) tool.Tool {
	return tool.Define(tool.Definition{
		Name: "bash_output", Effect: policy.State, Set: tool.Core,
		Description: "New output of a background command, and whether it still runs.",
	}, nil, func(_ context.Context, _ gate.Hands, in jobInput) (tool.Result, error) {
		b, err := jobs.find(in.ID)
		if err != nil {
			return tool.Result{}, err
		}
		return b.show(jobs.options), nil
	})
}

func kill(jobs *jobs) tool.Tool {
	return tool.Define(tool.Definition{
		Name: "bash_kill", Effect: policy.State, Set: tool.Core,
		Description: "Stop a background command.",
	}, nil, func(ctx context.Context, _ gate.Hands, in jobInput) (tool.Result, error) {
		b, err := jobs.find(in.ID)
		if err != nil {
			return tool.Result{}, err
		}
		was := b.ended()
		b.handle.Interrupt()
		select {
		case <-b.handle.Done():
		case <-ctx.Done():
			return tool.Result{}, ctx.Err()
		}
		r := b.show(jobs.options)
		r.Failed = false
		if was {
			r.Output = b.id + " had ended already.\n" + r.Output
		}
		return r, nil
	})
}

// show tells what a job printed since it was last shown, and how it stands.
func (b *job) show(o Options) tool.Result {
	b.mu.Lock()
	defer b.mu.Unlock()
	ended := b.ended()
	data, next, lost := b.handle.Output(b.next)
	if !ended && lost == 0 {
		// A line or an escape sequence that is still being written waits for
		// its end.
		if whole := data[:bytes.LastIndexByte(data, '\n')+1]; len(data)-len(whole) < 4096 {
			next -= int64(len(data) - len(whole))
			data = whole
		}
	}
	b.next = next
	whole := strings.TrimRight(proc.Clean(data), "\n")
	short, cut := o.Shorten(whole, b.command)
	var r tool.Result
	if cut {
		r.Raw = whole
	}
	parts := []string{short}
	switch blank := strings.TrimSpace(short) == ""; {
	case blank && lost > 0:
		parts = []string{fmt.Sprintf("[it printed %d bytes, which were not kept]", lost)}
	case blank:
		parts = []string{"(no new output)"}
	case lost > 0:
		parts = append(parts, fmt.Sprintf("[%d bytes in between were not kept]", lost))
	}
	if !ended {
		ran := o.Now().Sub(b.begun).Round(time.Second)
		r.Summary = fmt.Sprintf("%s runs for %s", b.id, ran)
		r.Output = strings.Join(append(parts, fmt.Sprintf("[%s is running for %s]", b.id, ran)), "\n")
		return r
	}
	b.handle.Drop() // all of it was shown
	res := b.handle.Wait()
	text, failed := end(res, 0)
	if res.Interrupted {
		text, failed = "it was stopped", false
	} else if res.TimedOut {
		text = "it was stopped at its timeout"
	}
	r.Failed = failed
	if !failed && !res.Interrupted {
		r.Exit = res.Exit
	}
	r.Summary = b.id + " " + text
	parts = append(parts, fmt.Sprintf("[%s has ended: %s]", b.id, text))
	if l := left(res); l != "" {
		parts = append(parts, l)
	}
	r.Output = strings.Join(parts, "\n")
	return r
}

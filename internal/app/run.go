package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"assent/internal/demo"
	"assent/internal/headless"
	"assent/internal/host"
	"assent/internal/llm"
)

// maxInput bounds what is read from a pipe, in bytes.
const maxInput = 10 << 20

// patience is how long a piped stdin may stay open before the user is told
// that the run waits for it.
const patience = time.Second

// Run opens the terminal UI, or with Print carries out one turn, and returns
// the exit code. A *UsageError means that nothing was sent.
func (a *App) Run(ctx context.Context, f Flags, words []string) (int, error) {
	text := strings.Join(words, " ")
	if !f.Print {
		return a.interactive(ctx, f, text)
	}
	text, err := a.input(ctx, text)
	if err != nil {
		return headless.ExitUsage, err
	}
	return a.headless(ctx, f, text)
}

// headless runs one turn and closes the conversation.
func (a *App) headless(ctx context.Context, f Flags, text string) (code int, err error) {
	o := headless.Options{Prompt: text, Format: headless.Format(f.Output), Out: a.env.Out, Err: a.env.Err, Shared: a.shared()}
	h, err := a.open(ctx, f, true)
	if err != nil {
		return headless.ExitError, errors.Join(err, unopened(o, err))
	}
	defer func() {
		if closing := h.Do(context.WithoutCancel(ctx), host.Close{}); closing != nil && err == nil {
			code, err = headless.ExitError, closing
		}
	}()
	return headless.Run(ctx, h, o)
}

// shared reports whether stdout and stderr end in one place.
func (a *App) shared() bool {
	out, ok := a.env.Out.(*os.File)
	people, also := a.env.Err.(*os.File)
	if !ok || !also {
		return false
	}
	one, err := out.Stat()
	two, fault := people.Stat()
	return err == nil && fault == nil && os.SameFile(one, two)
}

// unopened tells scripts of a conversation that could not be opened, unless
// the command line or the configuration is at fault.
func unopened(o headless.Options, err error) error {
	var usage *UsageError
	if errors.As(err, &usage) {
		return nil
	}
	f := llm.Failure{Kind: llm.KindInternal, Message: err.Error()}
	var store *storeError
	if errors.As(err, &store) {
		f.Kind = llm.KindPersistence
	}
	return headless.Failed(o, f)
}

// Demo plays the bundled script on a copy of the bundled project: the real
// engine, gate, tools and log, with nothing outside the copy touched. It opens
// the terminal UI where there is a terminal.
func (a *App) Demo(ctx context.Context, plain, headlessRun, asJSON bool) (int, error) {
	if out, ok := a.terminal(); ok && !headlessRun && !asJSON {
		s := &seat{app: a, flags: Flags{Plain: plain}, out: out}
		defer s.leave()
		return s.demo(ctx)
	}
	c, err := demo.Make()
	if err != nil {
		return headless.ExitError, err
	}
	defer func() { _ = c.Remove() }() // a leftover in the temporary folder does no harm
	f := demoFlags(c)
	f.Print, f.Allow = true, demo.Rules
	if asJSON {
		f.Output = string(headless.StreamJSON)
	}
	fmt.Fprintf(a.env.Err, "The model of this demo is scripted: its words come from a file. Everything else is real:\n"+
		"the loop, the gate, the tools and the session log, at work on a copy of a sample project.\n"+
		"Nobody is asked, so this was allowed beforehand, and nothing else that writes or runs: %s.\n\n> %s\n\n", strings.Join(demo.Rules, ", "), demo.Prompt)
	return a.headless(ctx, f, demo.Prompt)
}

// demoFlags are the flags of a run on the sample project. What it may do is
// asked for, as it would be in any other.
func demoFlags(c demo.Copy) Flags {
	return Flags{
		Provider: "script", Model: c.Script, Dir: c.Dir, Agent: "default",
		NoMCP: true, NoHooks: true, NoPlugins: true, demo: true,
	}
}

// input is the prompt of a headless run: the words, then what is piped in.
func (a *App) input(ctx context.Context, text string) (string, error) {
	piped := false
	if a.env.In != nil {
		info, err := a.env.In.Stat()
		piped = err == nil && (info.Mode()&fs.ModeNamedPipe != 0 || info.Mode()&fs.ModeSocket != 0 || info.Mode().IsRegular())
		if text == "" && !piped && (err != nil || info.Mode()&fs.ModeCharDevice == 0) {
			piped = err == nil // something that can only be read
		}
	}
	if text == "" && !piped {
		return "", usagef(`no prompt: give one, as in assent -p "fix the failing test", or pipe it in`)
	}
	if piped {
		more, err := a.readInput(ctx)
		if err != nil {
			return "", err
		}
		text = strings.Join(nonEmpty(text, strings.TrimRight(more, "\n")), "\n\n")
	}
	if strings.TrimSpace(text) == "" {
		return "", usagef("the prompt is empty: give one, or pipe one in")
	}
	return text, nil
}

func nonEmpty(parts ...string) []string {
	var list []string
	for _, p := range parts {
		if strings.TrimSpace(p) != "" {
			list = append(list, p)
		}
	}
	return list
}

// readInput reads stdin to its end, and says so when it has to wait for it.
// The reading goroutine ends with stdin or with the process.
func (a *App) readInput(ctx context.Context) (string, error) {
	type read struct {
		text []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		text, err := io.ReadAll(io.LimitReader(a.env.In, maxInput+1))
		done <- read{text, err}
	}()
	waiting := time.NewTimer(patience)
	defer waiting.Stop()
	for {
		select {
		case <-waiting.C:
			fmt.Fprintln(a.env.Err, "assent: waiting for the end of stdin (close it, or give </dev/null)")
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case r := <-done:
			switch {
			case r.err != nil && !errors.Is(r.err, os.ErrClosed):
				return "", usagef("read stdin: %w", r.err)
			case len(r.text) > maxInput:
				return "", usagef("stdin holds more than %d MB: put it into a file and name the file in the prompt", maxInput>>20)
			}
			return string(bytes.ToValidUTF8(r.text, []byte("\uFFFD"))), nil
		}
	}
}

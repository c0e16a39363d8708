// Command assent is a coding agent for the terminal: it reads a code base,
// edits it, runs its tests, and asks instead of guessing.
//
// This package owns the command line: flags, subcommands and exit codes. What
// a command does is app's.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"syscall"

	"assent/internal/app"
)

// version is set when a release is built.
var version = "dev" // the linker sets it

func main() { os.Exit(run(os.Args[1:])) }

// rescue leaves a report of a panic, which has given the terminal back by
// then. The keys that the run came to know are kept out of it. It is deferred.
func rescue(code *int, c *cli) {
	if p := recover(); p != nil {
		complain(c.app().Crash(p, debug.Stack()))
		*code = 1
	}
}

// run carries out a command line and returns the exit code.
func run(args []string) (code int) {
	c := &cli{version: version, in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.LookupEnv}
	defer rescue(&code, c)
	ctx, stop := interruptible(context.Background())
	defer stop()
	err := c.execute(ctx, args)
	var usage *app.UsageError
	switch {
	case err == nil:
		return c.code
	case errors.As(err, &usage):
		complain(err)
		return 2
	case errors.Is(err, syscall.EPIPE) && !c.flags.Print:
		return 1 // whoever read a listing has seen enough, as head has
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "assent: interrupted")
		return 130
	default:
		complain(err)
		return 1
	}
}

// complain prints an error; one of several faults has a line for each.
func complain(err error) {
	for line := range strings.Lines(app.Plain(err.Error())) {
		fmt.Fprintln(os.Stderr, "assent: "+strings.TrimSuffix(line, "\n"))
	}
}

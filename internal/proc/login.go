package proc

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"
)

// loginFor bounds how long the profile files of a login shell may take.
const loginFor = 10 * time.Second

// Login asks the user's login shell once for its environment, for a user who
// starts this program from somewhere that never read the profile files. The
// result, NAME=VALUE each, belongs in Spec.Env; without a shell there is none.
func Login(ctx context.Context) ([]string, error) {
	argv, err := Shell(loginQuestion)
	if err != nil {
		return nil, nil //nolint:nilerr // no command runs there that could miss it
	}
	r, err := Run(ctx, Spec{Argv: []string{argv[0], "-l", "-c", argv[2]}, Timeout: loginFor})
	switch {
	case err != nil:
		return nil, fmt.Errorf("read login environment: %w", err)
	case r.TimedOut:
		return nil, fmt.Errorf("read login environment: the profile files of %s took more than %s", argv[0], loginFor)
	case r.Exit != 0:
		return nil, fmt.Errorf("read login environment: %s ended with %d%s", argv[0], r.Exit, said(r.Stderr))
	}
	return parseLogin(r.Stdout), nil
}

// said is the first thing that a shell said against it, for a sentence.
func said(stderr []byte) string {
	for line := range strings.Lines(Clean(stderr)) {
		if line = strings.TrimSpace(line); line != "" {
			return ": " + strings.ToValidUTF8(line[:min(len(line), 200)], "")
		}
	}
	return ""
}

// LoginOnce returns a function that asks the login shell when it is first
// called and gives the same answer ever after, for [Table.Env]. What goes wrong
// is told once and leaves the environment as it is; a question that its context
// ended is asked again. Who waits for the answer to another's question waits no
// longer than its own context.
func LoginOnce(tell func(error)) func(context.Context) []string {
	turn := make(chan struct{}, 1)
	var env []string
	asked := false
	return func(ctx context.Context) []string {
		select {
		case turn <- struct{}{}:
		case <-ctx.Done():
			return nil
		}
		defer func() { <-turn }()
		if asked {
			return env
		}
		found, err := Login(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if asked, env = true, found; err != nil {
			tell(err)
		}
		return env
	}
}

// The profile files may print what they like before the line.
const (
	loginLine     = "--- environment ---"
	loginQuestion = "printf '%s\\n' '" + loginLine + "'; env -0"
)

// parseLogin reads the answer, without what commands get anyway.
func parseLogin(b []byte) []string {
	_, b, _ = bytes.Cut(b, []byte(loginLine+"\n"))
	var env []string
	for v := range strings.SplitSeq(string(b), "\x00") {
		name, _, ok := strings.Cut(v, "=")
		if !ok || name == "" || name == markName || get(quiet, name) != "" {
			continue
		}
		switch name {
		case "_", "PWD", "OLDPWD", "SHLVL", "ASSENT_API_KEY":
			continue
		}
		env = append(env, v)
	}
	return env
}

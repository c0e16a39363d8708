package gate

import (
	"context"
	"strings"

	"assent/internal/proc"
)

// ripgrep is the program that Matching runs when it is installed.
const ripgrep = "rg"

// longestArgs bounds the bytes of file names that one run is given.
const longestArgs = 500_000

// Matching asks ripgrep which of the files of a sweep may have a line that
// matches a pattern in its syntax. The files must come from one Sweep of this
// call. It is a help only: links, binary files and what changed meanwhile may
// be among the answers, so each is to be searched again. Ok is false when
// ripgrep is not installed or did not do it.
func (h Hands) Matching(ctx context.Context, pattern string, files []Found) (matching []Found, ok bool, err error) {
	if err := h.live(); err != nil {
		return nil, false, err
	}
	program := proc.Find(ripgrep)
	if program == "" || len(files) == 0 {
		return nil, program != "", nil
	}
	root := files[0].sweep
	if root.span != h.s || files[0].alone {
		return nil, false, ErrNotPlanned
	}
	byName := make(map[string]Found, len(files))
	for _, f := range files {
		if f.sweep != root {
			return nil, false, ErrNotPlanned
		}
		byName[f.Rel] = f
	}
	for len(files) > 0 {
		n, size := 0, 0
		for n < len(files) && size < longestArgs {
			size += len(files[n].Rel) + 3
			n++
		}
		names, ok, err := root.ripgrep(ctx, program, pattern, files[:n])
		if !ok || err != nil {
			return nil, false, err
		}
		for _, name := range names {
			if f, ok := byName[name]; ok {
				delete(byName, name) // it is one answer
				matching = append(matching, f)
			}
		}
		files = files[n:]
	}
	return matching, true, nil
}

// ripgrep runs it once, with nothing of the user's configuration and on no
// file but those that are named.
func (s *sweep) ripgrep(ctx context.Context, program, pattern string, files []Found) ([]string, bool, error) {
	argv := []string{
		program, "--no-config", "--files-with-matches", "--null", "--text", "--no-messages", "--no-ignore", "--hidden",
		"--color=never", "--regexp=" + pattern, "--",
	}
	for _, f := range files {
		argv = append(argv, "./"+f.Rel)
	}
	r, err := proc.Run(ctx, proc.Spec{Argv: argv, Dir: s.root.Real, MaxOutput: 4 * longestArgs})
	switch {
	case ctx.Err() != nil:
		return nil, false, ctx.Err()
	case err != nil || r.Truncated > 0 || r.Exit > 1 && len(r.Stderr) > 0 || r.Exit < 0:
		return nil, false, nil //nolint:nilerr // the search does without
	}
	names := parted(r.Stdout)
	for i, name := range names {
		names[i] = strings.TrimPrefix(name, "./")
	}
	return names, true, nil
}

package main

import (
	"context"
	"os"
	"path/filepath"
)

// broken is the file whose presence makes the program of breaks break down.
const broken = "broken"

// breaks is the program, in which the loop of the terminal UI panics when it
// looks for a tmux around it once the file is in the home folder.
func breaks() {
	os.Exit(func() (code int) {
		lookup := func(name string) (string, bool) {
			if _, err := os.Stat(filepath.Join(os.Getenv("HOME"), broken)); err == nil && name == "TMUX" {
				panic("broken inside")
			}
			return os.LookupEnv(name)
		}
		c := &cli{version: version, in: os.Stdin, out: os.Stdout, err: os.Stderr, env: lookup}
		defer rescue(&code, c)
		ctx, stop := interruptible(context.Background())
		defer stop()
		if err := c.execute(ctx, os.Args[1:]); err != nil {
			complain(err)
			return 1
		}
		return c.code
	}())
}

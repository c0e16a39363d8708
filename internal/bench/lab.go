package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// lab holds the built program and the folders it works in.
type lab struct {
	// binary is the program, model the scripted server.
	dir, binary, model string
	runs               int
}

func newLab(runs int) (*lab, error) {
	dir, err := os.MkdirTemp("", "assent-bench-")
	if err != nil {
		return nil, err
	}
	l := &lab{dir: dir, binary: filepath.Join(dir, "assent"), model: filepath.Join(dir, "model"), runs: runs}
	err = l.build(l.binary, "./cmd/assent", "")
	if err == nil {
		err = l.build(l.model, "./internal/provider/providertest/cmd", "")
	}
	if err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

func (l *lab) close() { os.RemoveAll(l.dir) }

// build builds the stripped program; a cache folder of its own is cold.
func (l *lab) build(to, what, cache string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", to, what)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if cache != "" {
		cmd.Env = append(cmd.Env, "GOCACHE="+cache)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	return nil
}

// sample is what one run of the program cost.
type sample struct {
	wall, cpu time.Duration
	rss       int64 // peak, bytes; 0 where the system does not tell
}

// once runs the program in an empty home and returns its cost. Its output must
// hold want.
func (l *lab) once(work, want string, env []string, args ...string) (sample, error) {
	home, err := os.MkdirTemp(l.dir, "home-")
	if err != nil {
		return sample{}, err
	}
	defer os.RemoveAll(home)
	cmd := exec.Command(l.binary, args...)
	cmd.Dir = work
	cmd.Env = append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=dumb"}, env...)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	begin := time.Now()
	err = cmd.Run()
	s := sample{wall: time.Since(begin)}
	if err != nil {
		return s, fmt.Errorf("%s %s: %w\n%s%s", l.binary, strings.Join(args, " "), err, out.String(), problems.String())
	}
	if !strings.Contains(out.String(), want) {
		return s, fmt.Errorf("%s: the output lacks %q:\n%.400s", strings.Join(args, " "), want, out.String())
	}
	s.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	s.rss = peak(cmd.ProcessState)
	return s, nil
}

// median runs f and returns the median of each cost.
func (l *lab) median(f func() (sample, error)) (sample, error) {
	all := make([]sample, 0, l.runs)
	for range l.runs {
		s, err := f()
		if err != nil {
			return sample{}, err
		}
		all = append(all, s)
	}
	pick := func(get func(sample) int64) int64 {
		values := make([]int64, len(all))
		for i, s := range all {
			values[i] = get(s)
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	return sample{
		wall: time.Duration(pick(func(s sample) int64 { return int64(s.wall) })),
		cpu:  time.Duration(pick(func(s sample) int64 { return int64(s.cpu) })),
		rss:  pick(func(s sample) int64 { return s.rss }),
	}, nil
}

// against runs a headless prompt against a new scripted server in a new
// workspace with a file of 2 KB. The server is a process of its own: a child
// inherits the peak of the memory that its parent held.
func (l *lab) against(script, want string, args ...string) (sample, asked, error) {
	server, err := l.serve(script)
	if err != nil {
		return sample{}, asked{}, err
	}
	work, err := os.MkdirTemp(l.dir, "work-")
	if err != nil {
		return sample{}, asked{}, errors.Join(err, server.stop())
	}
	defer os.RemoveAll(work)
	text := strings.Repeat("a line of a file that a tool reads, 50 bytes long\n", 40)
	if err := os.WriteFile(filepath.Join(work, "two.txt"), []byte(text), 0o600); err != nil {
		return sample{}, asked{}, errors.Join(err, server.stop())
	}
	env := []string{"ANTHROPIC_API_KEY=bench"}
	args = append([]string{"-p", "hello", "--provider", "anthropic", "--base-url", server.url, "--model", "claude-sonnet-4-5"}, args...)
	s, err := l.once(work, want, env, args...)
	if err := errors.Join(err, server.stop()); err != nil {
		return s, asked{}, err
	}
	if p := server.asked.Problem; p != "" {
		return s, asked{}, fmt.Errorf("the server refused: %s", p)
	}
	return s, server.asked, nil
}

func ms(d time.Duration) string { return fmt.Sprintf("%.0f ms", float64(d.Microseconds())/1000) }
func mb(n int64) string         { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

func (s sample) all() string {
	return fmt.Sprintf("%s wall, %s CPU, %s RSS", ms(s.wall), ms(s.cpu), mb(s.rss))
}

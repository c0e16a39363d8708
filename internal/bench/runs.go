package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

func binary(l *lab) ([]figure, error) {
	info, err := os.Stat(l.binary)
	if err != nil {
		return nil, err
	}
	return []figure{{"binary, stripped", mb(info.Size()), "25 MB"}}, nil
}

func coldBuild(l *lab) ([]figure, error) {
	cache, err := os.MkdirTemp(l.dir, "cache-")
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	if err := l.build(l.binary+".cold", "./cmd/assent", cache); err != nil {
		return nil, err
	}
	return []figure{{"cold build from an empty cache", time.Since(begin).Round(time.Second).String(), "90s on 2 cores"}}, nil
}

func version(l *lab) ([]figure, error) {
	s, err := l.median(func() (sample, error) { return l.once(l.dir, "assent", nil, "version") })
	if err != nil {
		return nil, err
	}
	return []figure{{"assent version", s.all(), "15 ms wall, 20 MB RSS"}}, nil
}

func hello(l *lab) ([]figure, error) {
	s, err := l.median(func() (sample, error) {
		s, _, err := l.against("text hello there\n", "hello there")
		return s, err
	})
	if err != nil {
		return nil, err
	}
	return []figure{{"headless hello", s.all(), "40 ms wall, 40 ms CPU, 35 MB RSS"}}, nil
}

// loop is a script of n steps that each read a file of 2 KB, and an answer.
func loop(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "text step %d\ncall read_file {\"path\":\"two.txt\",\"offset\":1,\"limit\":%d}\n---\n", i, 40+i)
	}
	b.WriteString("text all done\n")
	return b.String()
}

func steps(l *lab) ([]figure, error) {
	var list []figure
	for _, c := range []struct {
		n      int
		budget string
	}{{50, "130 ms CPU"}, {200, "400 ms CPU, 50 MB RSS"}} {
		var last asked
		s, err := l.median(func() (sample, error) {
			// The repeat guard watches calls without an effect too; the reads differ.
			s, a, err := l.against(loop(c.n), "all done", "--max-steps", fmt.Sprint(c.n+1))
			last = a
			return s, err
		})
		if err != nil {
			return nil, err
		}
		list = append(list, figure{fmt.Sprintf("%d steps with 2 KB results (%s sent)", c.n, mb(int64(last.Sent))), s.all(), c.budget})
		if c.n == 50 {
			list = append(list, figure{"shared prefix of consecutive requests", fmt.Sprintf("%.1f %%", last.Shared), "100 % within an epoch"})
		}
	}
	return list, nil
}

func stream(l *lab) ([]figure, error) {
	s, err := l.median(func() (sample, error) {
		s, _, err := l.against("flood 200000 20\n", "")
		return s, err
	})
	if err != nil {
		return nil, err
	}
	return []figure{{"200 KB answer in 20-byte chunks", s.all(), "120 ms CPU"}}, nil
}

func firstRequest(l *lab) ([]figure, error) {
	var list []figure
	for _, c := range []struct{ name, budget, config string }{
		{"default tool sets", "14 KB", ""},
		{"toolSets: []", "6 KB", `{"toolSets": []}`},
	} {
		n, err := l.weigh(c.config)
		if err != nil {
			return nil, err
		}
		list = append(list, figure{"first request, system text and schemas, " + c.name, fmt.Sprintf("%.1f KB", float64(n)/1000), c.budget})
	}
	return list, nil
}

// weigh counts the bytes of system text and tool schemas of a first request.
func (l *lab) weigh(config string) (int, error) {
	home, err := os.MkdirTemp(l.dir, "conf-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(home)
	if err := os.WriteFile(home+"/config.json", []byte(config), 0o600); err != nil {
		return 0, err
	}
	server, err := l.serve("text hi\n")
	if err != nil {
		return 0, err
	}
	_, err = l.once(l.dir, "hi", []string{"ANTHROPIC_API_KEY=bench", "ASSENT_HOME=" + home},
		"-p", "hello", "--provider", "anthropic", "--base-url", server.url, "--model", "claude-sonnet-4-5")
	if err := errors.Join(err, server.stop()); err != nil {
		return 0, err
	}
	return server.asked.First, nil
}

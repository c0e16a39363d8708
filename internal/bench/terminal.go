package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/creack/pty"

	"assent/internal/llm"
	"assent/internal/session"
)

// desk is the program in a terminal of its own.
type desk struct {
	cmd   *exec.Cmd
	tty   *os.File
	begun time.Time

	mu  sync.Mutex
	out bytes.Buffer
	end chan struct{}
}

// ready is a text that stands there when a key is an input.
const ready = "/ commands, @ files"

// sit starts the program before an 80 by 24 terminal and waits until it is
// ready.
func (l *lab) sit(home, work string, args ...string) (*desk, error) {
	d := &desk{cmd: exec.Command(l.binary, args...), end: make(chan struct{})}
	d.cmd.Dir = work
	d.cmd.Env = []string{"HOME=" + home, "ASSENT_HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8"}
	d.begun = time.Now()
	var err error
	if d.tty, err = pty.StartWithSize(d.cmd, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		return nil, err
	}
	go d.read()
	_, err = d.wait(ready, 0)
	return d, err
}

// read takes in what the program draws, and answers as a terminal does.
func (d *desk) read() {
	defer close(d.end)
	b := make([]byte, 64<<10)
	for {
		n, err := d.tty.Read(b)
		d.mu.Lock()
		d.out.Write(b[:n])
		d.mu.Unlock()
		if bytes.Contains(b[:n], []byte("\x1b[?2026$p")) {
			d.keys("\x1b[?2026;2$y\x1b[?2004;1$y")
		}
		if err != nil {
			return
		}
	}
}

// keys types what a user would. A terminal that is gone shows in what is waited
// for.
func (d *desk) keys(s string) { _, _ = d.tty.WriteString(s) }

// size is how much was drawn so far.
func (d *desk) size() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.out.Len()
}

// wait waits for a text behind a place in the output, and returns when it came.
func (d *desk) wait(text string, from int) (time.Time, error) {
	const patience = time.Minute
	for begin := time.Now(); time.Since(begin) < patience; time.Sleep(100 * time.Microsecond) {
		d.mu.Lock()
		found := bytes.Contains(d.out.Bytes()[from:], []byte(text))
		d.mu.Unlock()
		if found {
			return time.Now(), nil
		}
	}
	return time.Time{}, fmt.Errorf("never saw %q in the terminal:\n%q", text, d.out.String())
}

// leave ends the program as a user does.
func (d *desk) leave() error {
	d.keys("\x15/exit\r")
	<-d.end
	return errors.Join(d.cmd.Wait(), d.tty.Close())
}

// cost is the CPU time and the memory of the program, as the system tells it.
func (d *desk) cost() (cpu time.Duration, rss int64, err error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", d.cmd.Process.Pid))
	if err != nil {
		return 0, 0, err
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	const tick, page = 10 * time.Millisecond, 4096
	for _, f := range fields[11:13] {
		n, err := strconv.Atoi(f)
		if err != nil {
			return 0, 0, err
		}
		cpu += time.Duration(n) * tick
	}
	pages, err := strconv.ParseInt(fields[21], 10, 64)
	return cpu, pages * page, err
}

// echo is how long a key takes until it is drawn: the median and the worst of
// twenty of n keys.
func (d *desk) echo(n int) (string, error) {
	var all []time.Duration
	for i := range n {
		letter := string(rune('а' + i%32)) // each is another one than the last
		if i%20 == 0 {
			d.keys("\x15")
			time.Sleep(20 * time.Millisecond)
		}
		from, begin := d.size(), time.Now()
		d.keys(letter)
		at, err := d.wait(letter, from)
		if err != nil {
			return "", err
		}
		all = append(all, at.Sub(begin))
		time.Sleep(5 * time.Millisecond)
	}
	slices.Sort(all)
	return fmt.Sprintf("%.1f ms, worst of twenty %.1f ms", all[n/2].Seconds()*1000, all[n*19/20].Seconds()*1000), nil
}

// terminal measures the program as its user feels it.
func terminal(l *lab) ([]figure, error) {
	home, work, model, err := l.room()
	if err != nil {
		return nil, err
	}
	scripted := []string{"--provider", "script", "--model", model}
	launch, err := l.launch(home, work, scripted)
	if err != nil {
		return nil, err
	}
	list := []figure{launch}
	d, err := l.sit(home, work, scripted...)
	if err != nil {
		return nil, err
	}
	first, err := d.echo(100)
	if err != nil {
		return nil, err
	}
	list = append(list, figure{"key to echo, first turn", first, "16 ms"})
	for _, measure := range []func(*desk) ([]figure, error){idle, stream20, busy} {
		more, err := measure(d)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	if err := d.leave(); err != nil {
		return nil, err
	}
	if err := longSession(home, work); err != nil {
		return nil, err
	}
	if d, err = l.sit(home, work, append(scripted, "-c")...); err != nil {
		return nil, err
	}
	late, err := d.echo(100)
	if err != nil {
		return nil, err
	}
	return append(list, figure{"key to echo in a session of 1,000 turns", late, "16 ms, as at the first"}), d.leave()
}

// room makes a home, a workspace and a script of one long answer.
func (l *lab) room() (home, work, model string, err error) {
	for _, dir := range []*string{&home, &work} {
		if *dir, err = os.MkdirTemp(l.dir, "room-"); err != nil {
			return "", "", "", err
		}
	}
	model = filepath.Join(home, "model.jsonl")
	text := strings.Repeat("## A heading\n\nA paragraph of **some** words that `wrap` over the width of the terminal, as those of answers do, and then end.\n\n"+
		"- an item\n- another one\n\n```go\nfunc f(n int) error {\n\treturn fmt.Errorf(\"n is %d\", n)\n}\n```\n\n", 120)[:20<<10]
	line := fmt.Sprintf("{\"text\":%s,\"chunkMs\":16}\n", strconv.QuoteToASCII(text))
	return home, work, model, os.WriteFile(model, []byte(line+line), 0o600)
}

func (l *lab) launch(home, work string, args []string) (figure, error) {
	var all []time.Duration
	for range l.runs {
		d, err := l.sit(home, work, args...)
		if err != nil {
			return figure{}, err
		}
		all = append(all, time.Since(d.begun))
		if err := d.leave(); err != nil {
			return figure{}, err
		}
	}
	slices.Sort(all)
	return figure{"launch to ready prompt", ms(all[len(all)/2]), "60 ms (best peer 343 ms)"}, nil
}

func idle(d *desk) ([]figure, error) {
	time.Sleep(2 * time.Second)
	before, _, err := d.cost()
	if err != nil {
		return []figure{{"idle", "not told on this system", ""}}, nil //nolint:nilerr // only some systems tell
	}
	drawn := d.size()
	time.Sleep(10 * time.Second)
	after, rss, err := d.cost()
	return []figure{
		{"idle CPU and bytes in 10 s", fmt.Sprintf("%.2f s, %d bytes", (after - before).Seconds(), d.size()-drawn), "0.00 s (best peer 0.05 s)"},
		{"idle memory", mb(rss), "35 MB (best peer 83 MB)"},
	}, err
}

// stream20 has 20 KB answered at about 60 chunks a second.
func stream20(d *desk) ([]figure, error) {
	before, _, err := d.cost()
	if err != nil {
		return nil, nil //nolint:nilerr // only some systems tell
	}
	drawn, begin := d.size(), time.Now()
	d.keys("\x15go\r")
	if _, err := d.wait("A heading", drawn); err != nil {
		return nil, err
	}
	end, err := d.wait("1 step", drawn)
	if err != nil {
		return nil, err
	}
	after, _, err := d.cost()
	if err != nil {
		return nil, err
	}
	return []figure{{
		"20 KB answer at 60 chunks/s", fmt.Sprintf("%.2f s CPU in %.0f s, %.0f KB written", (after - before).Seconds(), end.Sub(begin).Seconds(), float64(d.size()-drawn)/1000),
		"0.9 s CPU in 17 s, 100 KB (best peer 7.7 s, 314 KB)",
	}}, nil
}

// busy measures keys while an answer streams.
func busy(d *desk) ([]figure, error) {
	drawn := d.size()
	d.keys("\x15again\r")
	if _, err := d.wait("A heading", drawn); err != nil {
		return nil, err
	}
	text, err := d.echo(100)
	if err != nil {
		return nil, err
	}
	d.keys("\x15\x1b")
	_, err = d.wait("cancelled", drawn)
	return []figure{{"key to echo while an answer streams", text, "16 ms"}}, err
}

// longSession writes a session of 1,000 turns, the newest of the workspace.
func longSession(home, work string) error {
	real, err := filepath.EvalSymlinks(work)
	if err != nil {
		return err
	}
	log, err := session.Store{Dir: filepath.Join(home, "sessions")}.Create(real)
	if err != nil {
		return err
	}
	for n := range 1000 {
		for _, r := range []session.Record{
			session.User{Text: fmt.Sprintf("question %d", n)},
			session.Assistant{Text: strings.Repeat("an answer of some words. ", 20), Stop: llm.StopEnd, Provider: "script", Model: "x"},
		} {
			if err := log.Append(r); err != nil {
				return err
			}
		}
	}
	return log.Close()
}

package tui_test

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"assent/internal/event"
	"assent/internal/tui"
)

// end is a terminal that remembers only what was written last.
type end struct {
	mu   sync.Mutex
	last []byte
}

func (e *end) Write(b []byte) (int, error) {
	const most = 64 << 10
	e.mu.Lock()
	defer e.mu.Unlock()
	e.last = append(e.last, b...)
	if over := len(e.last) - most; over > 0 {
		e.last = append([]byte(nil), e.last[over:]...)
	}
	return len(b), nil
}

// until polls until a text is shown.
func (e *end) until(b *testing.B, text string) {
	b.Helper()
	for limit := time.Now().Add(patience); !e.shows(text); time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			b.Fatalf("never shows %s", text)
		}
	}
}

func (e *end) shows(text string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Contains(string(e.last), text)
}

// TUI-03: a command that prints 10,000 lines a second does not keep a key
// waiting, and what is drawn follows the frames and not the lines. The time is
// that of a bubble, so that the machine does not matter.
func TestFloodOfOutput(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := play(t, 80, 24, nil)
		p.keys("go\r")
		p.did(submit("go"))
		p.host.tell(event.ToolStart{ID: "1", Name: "bash"}, event.ToolCall{ID: "1", Name: "bash", Title: "yes", Input: []byte(`{}`)})
		stop, gone := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(gone)
			flood(p.host, stop)
		}()
		p.see("a line of output")
		begun := time.Now()
		p.keys("typed meanwhile")
		p.see("> typed meanwhile")
		if took := time.Since(begun); took > 50*time.Millisecond {
			t.Errorf("a key took %v", took)
		}
		from := p.bytes()
		time.Sleep(time.Second)
		n := p.bytes() - from
		close(stop)
		<-gone
		if n > 100_000 || n == 0 {
			t.Errorf("%d bytes for a second of output", n)
		}
	})
}

// flood has a command print 100 lines every hundredth of a second, until it is
// stopped.
func flood(h *fake, stop <-chan struct{}) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for n := 0; ; n += 100 {
		select {
		case <-stop:
			return
		case <-tick.C:
			var b strings.Builder
			for i := range 100 {
				fmt.Fprintf(&b, "a line of output %d\n", n+i)
			}
			h.tell(event.ToolOutput{ID: "1", Chunk: b.String()})
		}
	}
}

// BenchmarkFlood tells the front a megabyte of a command's output, of an
// unclosed fence and of an endless line, as often as it is asked to. It reports
// the heap that is held more afterwards, in KB: it must not grow with what came.
func BenchmarkFlood(b *testing.B) {
	line := strings.Repeat("x", 90)
	for _, bb := range []struct {
		name  string
		begin event.Event
		more  func(n int) event.Event
	}{
		{
			"output",
			event.ToolCall{ID: "1", Name: "bash", Title: "yes", Input: []byte(`{}`)},
			func(n int) event.Event { return event.ToolOutput{ID: "1", Chunk: megabyte(n, line)} },
		},
		{"fence", event.Text{Text: "```text\n"}, func(n int) event.Event { return event.Text{Text: megabyte(n, line)} }},
		{"line", event.Text{Text: "one "}, func(n int) event.Event { return event.Text{Text: strings.ReplaceAll(megabyte(n, line), "\n", " ")} }},
	} {
		b.Run(bb.name, func(b *testing.B) {
			out := &end{}
			in, h := ran(b, out)
			_, _ = io.WriteString(in, "go\r")
			out.until(b, "waiting for the model")
			h.tell(bb.begin)
			from := heap()
			b.SetBytes(1 << 20)
			n := 0
			for b.Loop() {
				h.tell(bb.more(n))
				out.until(b, fmt.Sprintf("number-%d.", n))
				n++
			}
			b.ReportMetric(float64((heap()-from)>>10), "KB-held")
		})
	}
}

// ran runs the front before a terminal that remembers little, until the
// benchmark is over.
func ran(b *testing.B, out *end) (*pipe, *fake) {
	b.Helper()
	ctx, stop := context.WithCancel(context.Background())
	in, h, done := newPipe(), newFake(), make(chan struct{})
	go func() {
		defer close(done)
		_, _ = tui.Run(ctx, h, tui.Options{In: in, Out: out, Size: func() (int, int) { return 120, 24 }})
	}()
	b.Cleanup(func() {
		stop()
		<-done
		_ = in.Close()
	})
	return in, h
}

// megabyte is a megabyte of lines; the last one names n.
func megabyte(n int, line string) string {
	return strings.Repeat(line+"\n", 1<<20/(len(line)+1)) + fmt.Sprintf("number-%d.\n", n)
}

// heap is what is held, in bytes.
func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

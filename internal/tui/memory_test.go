package tui_test

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
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

func (e *end) shows(text string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Contains(string(e.last), text)
}

// A flood of output, an unclosed fence and an endless line hold what is bounded
// however much has come. It runs alone, because the heap is everybody's.
func TestMemoryHasABound(t *testing.T) { //nolint:paralleltest // it measures the heap
	const most = 10 << 20
	if raced {
		t.Skip("nothing of it is shared, and it takes ten times as long")
	}
	line := strings.Repeat("x", 90)
	tests := []struct {
		name  string
		begin event.Event
		more  func(n int) event.Event
		mb    int
	}{
		{
			"a flood",
			event.ToolCall{ID: "1", Name: "bash", Title: "yes", Input: []byte(`{}`)},
			func(n int) event.Event { return event.ToolOutput{ID: "1", Chunk: megabyte(n, line)} }, 24,
		},
		{"a fence", event.Text{Text: "```text\n"}, func(n int) event.Event { return event.Text{Text: megabyte(n, line)} }, 12},
		{"a line", event.Text{Text: "one "}, func(n int) event.Event { return event.Text{Text: strings.ReplaceAll(megabyte(n, line), "\n", " ")} }, 12},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, stop := context.WithCancel(context.Background())
			in, out, h, done := newPipe(), &end{}, newFake(), make(chan struct{})
			go func() {
				defer close(done)
				_, _ = tui.Run(ctx, h, tui.Options{In: in, Out: out, Size: func() (int, int) { return 120, 24 }})
			}()
			defer func() {
				stop()
				<-done
				_ = in.Close()
			}()
			until := func(text string) {
				for limit := time.Now().Add(patience); !out.shows(text); runtime.Gosched() {
					if time.Now().After(limit) {
						t.Fatalf("never shows %s", text)
					}
					time.Sleep(time.Millisecond)
				}
			}
			_, _ = io.WriteString(in, "go\r")
			until("waiting for the model")
			h.tell(tt.begin)
			from := heap()
			for mb := range tt.mb {
				h.tell(tt.more(mb))
				until(fmt.Sprintf("number-%d.", mb))
				if mb%4 == 3 {
					if grown := heap() - from; grown > most {
						t.Fatalf("after %d MB it holds %d MB more", mb+1, grown>>20)
					}
				}
			}
			t.Logf("holds %d KB more after %d MB", (heap()-from)>>10, tt.mb)
		})
	}
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

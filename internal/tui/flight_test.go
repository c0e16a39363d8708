package tui_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"assent/internal/event"
	"assent/internal/tui"
)

// late is a terminal that tells its new size later than it has it.
type late struct {
	mu         sync.Mutex
	cols, rows int
}

func (l *late) size() (cols, rows int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cols, l.rows
}

func (l *late) tell(cols, rows int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cols, l.rows = cols, rows
}

// Frames that were on their way when the size changed leave nothing of the live
// rows behind and lose nothing of what was printed, once the size rests.
func TestFramesOnTheirWay(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{50, 24}, {41, 24}, {100, 24}, {60, 40}, {80, 40}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			told := &late{cols: 80, rows: 24}
			p := play(t, 80, 24, func(o *tui.Options) { o.Size = told.size })
			p.keys("go\r")
			p.did(submit("go"))
			p.keys("what is being typed")
			p.see("> what is being typed")
			for i := range 12 {
				p.host.tell(event.Text{Text: fmt.Sprintf("paragraph-%d goes on with words until it is longer than a narrow terminal is wide.\n\n", i)})
				p.see(fmt.Sprintf("paragraph-%d ", i))
				switch i {
				case 4:
					p.resize(size[0], size[1])
				case 8:
					told.tell(size[0], size[1])
					p.resized(size[0], size[1])
				}
			}
			p.host.finish()
			p.see("done")
			all := strings.Join(strings.Fields(p.all()), "")
			for _, text := range []string{"> what is being typed", "model-1 · medium", "> go"} {
				if n := strings.Count(all, strings.ReplaceAll(text, " ", "")); n != 1 {
					t.Errorf("%q stands there %d times", text, n)
				}
			}
			for i := range 12 {
				if n := strings.Count(all, fmt.Sprintf("paragraph-%dgoesonwithwords", i)); n != 1 {
					t.Errorf("paragraph-%d stands there %d times", i, n)
				}
			}
			if t.Failed() {
				t.Log(p.all())
			}
		})
	}
}

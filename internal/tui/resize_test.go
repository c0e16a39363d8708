package tui_test

import (
	"strings"
	"testing"

	"assent/internal/tui"
)

// deaf is a terminal that answers no question.
type deaf struct{ *glass }

func (d deaf) Write(b []byte) (int, error) {
	text := strings.NewReplacer("\x1b[18t", "", "\x1b[6n", "").Replace(string(b))
	if _, err := d.glass.Write([]byte(text)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// A size that changes there and back at once leaves the frame whole, also in a
// terminal that cuts what does not fit, and in one that answers nothing.
func TestThereAndBackAgain(t *testing.T) {
	t.Parallel()
	for _, answers := range []bool{true, false} {
		t.Run(map[bool]string{true: "it answers", false: "it does not"}[answers], func(t *testing.T) {
			t.Parallel()
			p := play(t, 80, 24, func(o *tui.Options) {
				if !answers {
					o.Out = deaf{o.Out.(*glass)}
				}
			})
			p.keys("a prompt that is a good deal longer than forty columns are wide")
			for range 2 { // the second time it is known whether it answers
				p.see("columns are wide")
				p.resize(40, 24)
				p.resized(80, 24)
				if !answers {
					p.lose("columns are wide") // the test has seen it cut
				}
				p.see("columns are wide")
				p.once("columns are wide", "model-1 · medium")
			}
		})
	}
}

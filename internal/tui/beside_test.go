package tui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"assent/internal/host"
	"assent/internal/tui"
)

// fragile is an input that breaks down.
type fragile struct{}

func (fragile) Read([]byte) (int, error) { panic("broken input") }

// A panic beside the loop is one of the loop's: whoever called the front gets
// it, when the terminal is as it was.
func TestAPanicBesideTheLoopIsTheLoops(t *testing.T) {
	t.Parallel()
	for _, plain := range []bool{true, false} {
		for _, from := range []string{"input", "host"} {
			t.Run(fmt.Sprintf("plain %v, %s", plain, from), func(t *testing.T) {
				t.Parallel()
				h, out, in := newFake(), &paper{}, newPipe()
				defer in.Close()
				o := tui.Options{In: in, Out: out, Size: func() (int, int) { return 80, 24 }, Plain: plain, Prompt: "/models"}
				if from == "input" {
					o.In = fragile{}
				} else {
					h.answer = func(host.Query) (host.Answer, error) { panic("broken host") }
				}
				defer func() {
					text := fmt.Sprint(recover())
					if !strings.Contains(text, "broken "+from) || !strings.Contains(text, "beside_test.go") {
						t.Errorf("recovered %q", text)
					}
					if !plain && !strings.Contains(out.String(), "\x1b[?2004l") {
						t.Error("the terminal is not given back")
					}
				}()
				code, err := tui.Run(context.Background(), h, o)
				t.Errorf("it ended with %d, %v", code, err)
			})
		}
	}
}

//go:build unix

package main

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TUI-08 and what a change of size does to rows that the terminal wraps anew.
func TestJourneyResize(t *testing.T) {
	x := start(t, script(`{"text":"Begin.\n\n`+strings.Repeat("many words on one long line of the answer ", 12)+`","chunkMs":15}`), "go")
	x.see("many words")
	x.storm([2]int{70, 30}, [2]int{50, 30}, [2]int{41, 30}, [2]int{60, 30}, [2]int{90, 30}, [2]int{45, 30}, [2]int{90, 12}, [2]int{90, 30})
	x.see("done")
	x.storm([2]int{20, 5})
	x.see("assent needs")
	x.storm([2]int{90, 30})
	x.ready()
	x.lose("assent needs")
	x.whole(x.exit(), []string{"Begin.", "> go", "script ·"})
}

// Storms of sizes, each faster than anything is drawn, with moments of rest
// between them, while an answer streams: every line of it stands there once
// afterwards, and nothing of the live rows twice.
func TestJourneyResizeStorm(t *testing.T) {
	const paragraphs, storms = 48, 11
	answer := ""
	for i := range paragraphs {
		answer += fmt.Sprintf("paragraph-%d goes on with some words so that it is longer than the narrow ones are wide, end-%d.\\n\\n", i, i)
	}
	x := start(t, script(`{"text":"Begin.\n\n`+answer+`","chunkMs":6}`), "go")
	x.see("paragraph-0")
	x.text("what is being typed")
	widths, heights := []int{70, 50, 41, 60, 90, 45, 81, 33, 90, 52}, []int{30, 22, 30, 26, 18, 30, 30}
	for n := range storms {
		var sizes [][2]int
		for i := range 30 {
			i += 7 * n
			sizes = append(sizes, [2]int{widths[i%len(widths)], heights[i%len(heights)]})
		}
		x.storm(sizes...)
		time.Sleep(time.Duration(n*37%220) * time.Millisecond) // a hand that pauses
	}
	x.storm([2]int{90, 30})
	x.see("done")
	x.lose("esc cancels")
	x.see("> what is being typed", "model.jsonl · medium")
	x.settle()
	once := []string{"Begin.", "> go", "◆ assent", "> what is being typed", "model.jsonl · medium"}
	for i := range paragraphs {
		once = append(once, fmt.Sprintf("paragraph-%d goes on with some words so that it is longer than the narrow ones are wide, end-%d.", i, i))
	}
	x.whole(x.all(), once)
}

// storm changes the size many times, some of them together.
func (x *tmux) storm(sizes ...[2]int) {
	x.t.Helper()
	var args []string
	for i, size := range sizes {
		args = append(args, "resize-window", "-x", strconv.Itoa(size[0]), "-y", strconv.Itoa(size[1]), ";")
		if i%3 != 1 || i == len(sizes)-1 {
			x.must(x.cmd(args[:len(args)-1]...))
			args = nil
		}
	}
}

// whole checks that texts stand there once, however their lines are broken, and
// that nothing stands twice of what the answer repeats.
func (x *tmux) whole(all string, once []string) {
	x.t.Helper()
	joined := strings.Join(strings.Fields(all), "")
	for _, text := range once {
		if n := strings.Count(joined, strings.ReplaceAll(text, " ", "")); n != 1 {
			x.t.Errorf("%q stands there %d times", text, n)
		}
	}
	if n := strings.Count(joined, "manywordsononelongline"); n != 0 && n != 12 {
		x.t.Errorf("the answer's phrase stands there %d times, not 12", n)
	}
	if x.t.Failed() {
		x.t.Log(all)
	}
}

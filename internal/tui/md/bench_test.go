package md_test

import (
	"fmt"
	"strings"
	"testing"

	"assent/internal/tui/ink"
	"assent/internal/tui/md"
)

// answers are texts that stay of one kind however long they grow.
var answers = []struct{ name, open, unit string }{
	{"prose", "", "Some **bold** text with `code` and a [link](http://x.y), as answers have.\nIt goes on.\n\n"},
	{"line", "", "words of one line that never ends, "},
	{"fence", "```go\n", "func f(x int) error {\n\treturn g(x) // why\n}\n\n"},
	{"list", "", "- an item of a list\n  - and one below it\n"},
	{"table", "| a | b |\n|---|---|\n", "| some `cell` | another |\n"},
}

// flush is what a front does on a tick: take in a delta, print what is
// finished, draw the rest.
func flush(tail, delta string, st md.Style) (rest string, bytes int) {
	tail += delta
	for {
		n, reopen, _ := md.Cut(tail)
		if n == 0 {
			break
		}
		for _, l := range md.Render(tail[:n], st) {
			bytes += len(l)
		}
		tail = reopen + tail[n:]
	}
	for _, l := range md.Tail(tail, st, 12) {
		bytes += len(ink.Encode(l, st))
	}
	return tail, bytes
}

// BenchmarkFlush is the cost of a flush of 64 bytes behind an answer of 5 KB
// and of 500 KB: the two must be alike.
func BenchmarkFlush(b *testing.B) {
	st := md.Style{Width: 80, Color: ink.TrueColor}
	for _, a := range answers {
		for _, size := range []int{5 << 10, 500 << 10} {
			b.Run(fmt.Sprintf("%s/%dKB", a.name, size>>10), func(b *testing.B) {
				text := a.open + strings.Repeat(a.unit, size/len(a.unit)+1)
				tail := ""
				for i := 0; i < size; i += 4 << 10 {
					tail, _ = flush(tail, text[i:min(size, i+4<<10)], st)
				}
				more := strings.Repeat(a.unit, 64/len(a.unit)+2)
				b.ReportAllocs()
				for at := size - len(a.open); b.Loop(); at += 64 {
					at %= len(a.unit)
					tail, _ = flush(tail, more[at:at+64], st)
				}
			})
		}
	}
}

// BenchmarkRenderWhole is the cost of an answer that comes at once, as in a
// session that is resumed.
func BenchmarkRenderWhole(b *testing.B) {
	st := md.Style{Width: 80, Color: ink.TrueColor}
	for _, a := range answers {
		text := a.open + strings.Repeat(a.unit, (100<<10)/len(a.unit))
		b.Run(a.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				md.Render(text, st)
			}
		})
	}
}

func BenchmarkOneLineOfAMegabyte(b *testing.B) {
	text := strings.Repeat("words of one line that never ends, ", 30_000)
	for b.Loop() {
		md.Render(text, md.Style{Width: 80, Color: ink.TrueColor})
	}
}

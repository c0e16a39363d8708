package wireview_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"assent/internal/llm"
	"assent/internal/wireview"
)

func history(steps, size int) []llm.Item {
	items := []llm.Item{go1}
	for i := range steps {
		id := fmt.Sprint("c", i)
		res := result(id)
		res.Output = strings.Repeat("x", size)
		items = append(items, said(call(id)), res)
	}
	return items
}

// BenchmarkExtend shows that a step costs what is new: one call with its 2 KB
// result behind 10 and behind 1,000 items.
func BenchmarkExtend(b *testing.B) {
	for _, n := range []int{10, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			all := history(n/2+1, 2048)
			for b.Loop() {
				b.StopTimer()
				v, c := wireview.New(provider), &lines{}
				req := llm.Request{Model: model, Items: all[:len(all)-2]}
				body(b, v, req, c)
				req.Items = all
				b.StartTimer()
				body(b, v, req, c)
			}
		})
	}
}

// BenchmarkSession plays 200 steps with 2 KB results and reads every body, as
// a transport would.
func BenchmarkSession(b *testing.B) {
	all := history(200, 2048)
	b.ReportAllocs()
	for b.Loop() {
		v, c := wireview.New(provider), &lines{}
		req := llm.Request{Model: model}
		var sent int64
		for n := 1; n <= len(all); n += 2 {
			req.Items = all[:n]
			w, err := io.Copy(io.Discard, body(b, v, req, c).Reader())
			if err != nil {
				b.Fatal(err)
			}
			sent += w
		}
		b.ReportMetric(float64(sent)/1e6, "MB-sent/op")
	}
}

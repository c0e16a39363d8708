package session_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"assent/internal/session"
)

// fill writes a session of about size bytes, the way that the program does.
func fill(tb testing.TB, s session.Store, cwd string, size int64) string {
	tb.Helper()
	l, err := s.Create(cwd)
	if err != nil {
		tb.Fatal(err)
	}
	code := strings.Repeat("\tif err := run(ctx, \"name\"); err != nil {\n\t\treturn fmt.Errorf(\"run <%s>: %w\", name, err)\n\t}\n", 60)
	for n := 0; ; n++ {
		id := fmt.Sprint("call_", n)
		if n%8 == 0 {
			add(tb, l, session.User{Text: "please fix the thing that is broken"})
		}
		a := said("I will read the file and then see what to change in it.", id)
		add(tb, l, a, session.Call{CallID: id, Name: "read_file", Decide: "allow", By: "default"}, result(id, code), session.Usage{Input: 1000, Output: 50})
		if n%8 == 7 {
			add(tb, l, said("Done."), session.Timing{DurationMS: 1000})
			if info, err := os.Stat(l.Path()); err != nil || info.Size() >= size {
				break
			}
		}
	}
	shut(tb, l)
	return l.ID()
}

// The budget is 0.5 s.
func BenchmarkResume50MB(b *testing.B) {
	s := session.Store{Dir: b.TempDir()}
	id := fill(b, s, b.TempDir(), 50<<20)
	b.ReportAllocs()
	for b.Loop() {
		l, err := s.Open(id)
		if err != nil {
			b.Fatal(err)
		}
		if n := len(session.Fold(l.Branch())); n < 1000 {
			b.Fatal(n)
		}
		if err := l.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// The budget is 0.1 s.
func BenchmarkList1000(b *testing.B) {
	s := session.Store{Dir: b.TempDir()}
	cwd := b.TempDir()
	for range 1000 {
		fill(b, s, cwd, 1)
	}
	for b.Loop() {
		infos, err := s.List(cwd, false)
		if err != nil || len(infos) != 1000 || infos[0].Turns == 0 {
			b.Fatal(len(infos), err)
		}
	}
}

// The budget is 20 µs without a sync, at record 10 and at record 100,000.
func BenchmarkAppend(b *testing.B) {
	for _, at := range []int{10, 100_000} {
		b.Run(fmt.Sprint("record-", at), func(b *testing.B) {
			s := session.Store{Dir: b.TempDir()}
			l, err := s.Create(b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			defer l.Close()
			r := result("c", strings.Repeat("line of output\n", 60))
			for range at {
				if err := l.Append(session.Notice{Text: "n"}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				r.CallID = strconv.Itoa(n)
				if err := l.Append(r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package session_test

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assent/internal/llm"
	"assent/internal/session"
)

var update = flag.Bool("update", false, "write the goldens anew")

// TestMain lets the test binary play another process of the program.
func TestMain(m *testing.M) {
	if dir := os.Getenv("SESSION_TEST_DIR"); dir != "" {
		if err := play(dir, os.Getenv("SESSION_TEST_REF")); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// play continues the session ref, or a new one, says so, and stays until its
// input ends or it is killed.
func play(dir, ref string) error {
	s := session.Store{Dir: dir}
	var l *session.Log
	var err error
	if ref == "" {
		l, err = s.Create(dir)
	} else {
		l, err = s.Open(ref)
	}
	if err != nil {
		return err
	}
	for i := range 5 {
		if err := l.Append(session.User{Text: fmt.Sprintf("from %d: %d", os.Getpid(), i)}); err != nil {
			return err
		}
	}
	fmt.Println(l.ID())
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	return l.Close()
}

// clock gives a later time on every look.
func clock() func() time.Time {
	var n atomic.Int64
	return func() time.Time {
		return time.Date(2026, 10, 1, 9, 0, 0, 0, time.UTC).Add(time.Duration(n.Add(1)) * time.Second)
	}
}

func store(tb testing.TB) session.Store {
	tb.Helper()
	return session.Store{Dir: filepath.Join(tb.TempDir(), "sessions"), Program: "1.2.3", Now: clock()}
}

func create(tb testing.TB, s session.Store, cwd string) *session.Log {
	tb.Helper()
	l, err := s.Create(cwd)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = l.Close() })
	return l
}

func open(tb testing.TB, s session.Store, ref string) *session.Log {
	tb.Helper()
	l, err := s.Open(ref)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = l.Close() })
	return l
}

func add(tb testing.TB, l *session.Log, records ...session.Record) {
	tb.Helper()
	for _, r := range records {
		if err := l.Append(r); err != nil {
			tb.Fatal(err)
		}
	}
}

func shut(tb testing.TB, l *session.Log) {
	tb.Helper()
	if err := l.Close(); err != nil {
		tb.Fatal(err)
	}
}

func load(tb testing.TB, path string) (session.Tree, session.Faults) {
	tb.Helper()
	tree, faults, err := session.Load(path)
	if err != nil {
		tb.Fatal(err)
	}
	return tree, faults
}

func said(text string, calls ...string) session.Assistant {
	a := session.Assistant{Text: text, Stop: llm.StopEnd, Provider: "p", Model: "m"}
	for _, id := range calls {
		a.Calls = append(a.Calls, session.SaidCall{ID: id, Name: "read_file", Input: []byte(`{"path":"a"}`)})
		a.Stop = llm.StopCalls
	}
	return a
}

func ran(id string) session.Call { return session.Call{CallID: id, Decide: "allow", By: "default"} }

func result(id, output string) session.Result {
	return session.Result{CallID: id, Name: "read_file", Status: llm.StatusOK, Output: output}
}

// show writes items in a form that tests can compare.
func show(items []llm.Item) string {
	var b strings.Builder
	for i, it := range items {
		if i > 0 {
			b.WriteString(" | ")
		}
		switch it := it.(type) {
		case llm.User:
			fmt.Fprintf(&b, "user %s", it.Text)
			for _, im := range it.Images {
				fmt.Fprintf(&b, " [%s %s]", im.MIME, im.Data)
			}
		case llm.Note:
			fmt.Fprintf(&b, "note %s", it.Text)
		case llm.Assistant:
			fmt.Fprintf(&b, "said %s", it.Text())
			for _, c := range it.Calls() {
				fmt.Fprintf(&b, " +%s", c.ID)
			}
		case llm.Result:
			out := it.Output
			switch out {
			case session.Interrupted:
				out = "INTERRUPTED"
			case session.Undecided:
				out = "UNDECIDED"
			}
			fmt.Fprintf(&b, "%s %s=%s", it.Status, it.CallID, out)
		}
	}
	return b.String()
}

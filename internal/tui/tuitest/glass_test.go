package tuitest_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"

	"assent/internal/tui/tuitest"
)

func TestGlassShowsWhatWasWritten(t *testing.T) {
	t.Parallel()
	g := tuitest.New(20, 4)
	var want []string
	for n := range 10 {
		fmt.Fprintf(g, "line %d\r\n", n)
		want = append(want, fmt.Sprint("line ", n))
	}
	_, _ = io.WriteString(g, "❯ \x1b[1md\x1b[m  deny it\r\n世 end")
	want = append(want, "❯ d  deny it", "世 end")
	if got := g.Rows(); strings.Join(got, "\n") != strings.Join(want, "\n") || g.All() != strings.Join(want, "\n") {
		t.Errorf("rows %q, want %q", got, want)
	}
	if c := g.Before("deny it"); c == nil || c.Content != "d" || c.Style.Attrs&uv.AttrBold == 0 {
		t.Errorf("before the words stands %+v", c)
	}
	if c := g.Before("not there"); c != nil {
		t.Errorf("before nothing stands %+v", c)
	}
	if x, row := g.Cursor(); x != 6 || row != "世 end" {
		t.Errorf("the cursor stands at %d of %q", x, row)
	}
	if g.Bytes() != len(g.Written()) {
		t.Errorf("%d bytes, %q", g.Bytes(), g.Written())
	}
	g.Resize(30, 5)
	if cols, rows := g.Size(); cols != 30 || rows != 5 {
		t.Errorf("%d by %d", cols, rows)
	}
}

func TestGlassAnswers(t *testing.T) {
	t.Parallel()
	g := tuitest.New(20, 4)
	answer := make(chan string)
	go func() {
		all, _ := io.ReadAll(g)
		answer <- string(all)
	}()
	_, _ = io.WriteString(g, "ab\x1b[6n")
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	if got := <-answer; got != "\x1b[1;3R" {
		t.Errorf("it answers %q", got)
	}
}

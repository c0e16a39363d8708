//go:build unix

package proc_test

import (
	"bufio"
	"fmt"
	"path/filepath"
	"testing"

	"assent/internal/proc"
)

func TestPeerTalks(t *testing.T) {
	t.Parallel()
	p, err := proc.Open(t.Context(), sh(t, `echo noise >&2; while read x; do echo "got $x"; done`))
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewScanner(p)
	for i := range 3 {
		if _, err := fmt.Fprintf(p, "%d\n", i); err != nil {
			t.Fatal(err)
		}
		if !in.Scan() || in.Text() != fmt.Sprint("got ", i) {
			t.Fatalf("%q, %v", in.Text(), in.Err())
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if r := p.Wait(); r.Exit != 0 || r.Interrupted || string(r.Stderr) != "noise\n" {
		t.Errorf("%+v", r)
	}
	if in.Scan() {
		t.Errorf("read %q after the end", in.Text())
	}
}

func TestPeerThatStaysIsEnded(t *testing.T) {
	t.Parallel()
	s := sh(t, `sleep 300 & echo $! >pids; wait`)
	p, err := proc.Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	until(t, filepath.Join(s.Dir, "pids"))
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	gone(t, pids(t, s, "pids")...)
}

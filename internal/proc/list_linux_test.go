package proc

import (
	"fmt"
	"os"
	"testing"
)

func TestParseStat(t *testing.T) {
	t.Parallel()
	p, ok := parseStat(7, []byte("7 (a) b) (c) S 1 2 3 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 12345 0 0\n"))
	if want := (process{7, 1, 2, 3, 'S', 12345}); !ok || p != want {
		t.Errorf("%+v, want %+v", p, want)
	}
	if p, ok := readProcess(os.Getpid()); !ok || p.parent != os.Getppid() {
		t.Errorf("own row: %+v", p)
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("7 (x) S 1 2 3 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 12345 0 0"))
	f.Add([]byte(")"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, ok := parseStat(1, text)
		if !ok {
			return
		}
		line := fmt.Sprintf("1 (x) %s %d %d %d 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 %d", []byte{p.state}, p.parent, p.group, p.session, p.start)
		if again, ok := parseStat(1, []byte(line)); !ok || again != p {
			t.Fatalf("%q is %+v, written %q, read %+v", text, p, line, again)
		}
	})
}

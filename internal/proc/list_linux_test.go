package proc

import (
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
	f.Fuzz(func(_ *testing.T, text []byte) { parseStat(1, text) })
}

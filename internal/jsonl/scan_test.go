package jsonl_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"assent/internal/jsonl"
)

type got struct {
	offset int64
	data   string
	ended  bool
}

func forward(r io.Reader) (list []got, faults []jsonl.Fault) {
	s := jsonl.NewScanner(r)
	for {
		l, ok := s.Next()
		if !ok {
			return list, s.Faults()
		}
		list = append(list, got{l.Offset, string(l.Data), l.Ended})
	}
}

func backward(data []byte) (list []got, faults []jsonl.Fault) {
	t := jsonl.NewTail(bytes.NewReader(data), int64(len(data)))
	for {
		l, ok := t.Next()
		if !ok {
			slices.Reverse(list)
			return list, t.Faults()
		}
		list = append(list, got{l.Offset, string(l.Data), l.Ended})
	}
}

func TestScan(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   string
		want []got
	}{
		"nothing":            {"", nil},
		"one":                {"{}\n", []got{{0, "{}", true}}},
		"no line end":        {"{}\n[]", []got{{0, "{}", true}, {3, "[]", false}}},
		"blank lines":        {"\n \n{}\n\n", []got{{3, "{}", true}}},
		"carriage returns":   {"{}\r\n{}\r\n", []got{{0, "{}", true}, {4, "{}", true}}},
		"byte order mark":    {"\xef\xbb\xbf{}\n", []got{{0, "{}", true}}},
		"zeros are a line":   {"\x00\x00\n{}\n", []got{{0, "\x00\x00", true}, {3, "{}", true}}},
		"only a line end":    {"\n", nil},
		"blanks at the end":  {"{}\n  ", []got{{0, "{}", true}}},
		"indented last line": {"{}\n  [", []got{{0, "{}", true}, {3, "[", false}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if list, _ := forward(strings.NewReader(c.in)); !slices.Equal(list, c.want) {
				t.Errorf("forward: %v, want %v", list, c.want)
			}
			if list, _ := backward([]byte(c.in)); !slices.Equal(list, c.want) {
				t.Errorf("backward: %v, want %v", list, c.want)
			}
		})
	}
}

func TestFaultsNameTheLine(t *testing.T) {
	t.Parallel()
	secret := "hidden" + "-content"
	_, faults := scan([]byte("{}\n\n" + secret + "\n{}\n{\"" + secret))
	want := []string{"line 3 (14 bytes): malformed", "line 5 (16 bytes): torn"}
	var have []string
	for _, f := range faults {
		have = append(have, f.String())
	}
	if !slices.Equal(have, want) {
		t.Fatalf("got %q, want %q", have, want)
	}
}

// endless gives n bytes without a line end, then the tail.
func endless(n int64, tail string) io.Reader {
	return io.MultiReader(io.LimitReader(filler{}, n), strings.NewReader(tail))
}

type filler struct{}

func (filler) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestALineOverTheLimitIsSkipped(t *testing.T) {
	t.Parallel()
	list, faults := forward(io.MultiReader(strings.NewReader("{}\n"), endless(jsonl.MaxLine+1, "\n[]\n")))
	if len(list) != 2 || len(faults) != 1 || faults[0].Kind != jsonl.TooLong || faults[0].Line != 2 {
		t.Fatalf("%v %v", list, faults)
	}
	list, faults = forward(endless(jsonl.MaxLine-2, "{}\n[]"))
	if len(list) != 2 || faults != nil {
		t.Fatalf("at the limit: %d lines, %v", len(list), faults)
	}
}

// sparse is a huge file of one byte without a file.
type sparse struct {
	head, tail string
	size       int64
}

func (s sparse) ReadAt(p []byte, at int64) (int, error) {
	for i := range p {
		switch o := at + int64(i); {
		case o < int64(len(s.head)):
			p[i] = s.head[o]
		case o >= s.size:
			return i, io.EOF
		case o >= s.size-int64(len(s.tail)):
			p[i] = s.tail[o-s.size+int64(len(s.tail))]
		default:
			p[i] = 'x'
		}
	}
	return len(p), nil
}

func TestTheTailSkipsALineOverTheLimit(t *testing.T) {
	t.Parallel()
	f := sparse{"{}\n", "\n[]\n", jsonl.MaxLine + 1<<20}
	tail := jsonl.NewTail(f, f.size)
	var have []string
	for {
		l, ok := tail.Next()
		if !ok {
			break
		}
		have = append(have, string(l.Data))
	}
	if !slices.Equal(have, []string{"[]", "{}"}) || tail.FaultCount() != 1 || tail.Faults()[0].Offset != 3 {
		t.Fatalf("%q %v", have, tail.Faults())
	}
}

func TestAFailingMediumGivesWhatItCould(t *testing.T) {
	t.Parallel()
	bad := io.MultiReader(strings.NewReader("{}\n[1]\n{\"x"), iotest.ErrReader(io.ErrClosedPipe))
	s := jsonl.NewScanner(bad)
	n := 0
	for {
		if _, ok := s.Next(); !ok {
			break
		}
		n++
	}
	if n != 3 || s.Err() == nil {
		t.Fatalf("%d lines, err %v", n, s.Err())
	}
}

func genFile() *rapid.Generator[[]byte] {
	piece := rapid.OneOf(
		rapid.Just("\n"), rapid.Just("{}\n"), rapid.Just("\r\n"), rapid.Just("\x00"), rapid.Just("\xef\xbb\xbf"),
		rapid.Map(rapid.IntRange(0, 40_000), func(n int) string { return strings.Repeat("a", n) + "\n" }),
		rapid.String(),
	)
	return rapid.Map(rapid.SliceOfN(piece, 0, 12), func(p []string) []byte { return []byte(strings.Join(p, "")) })
}

// Both directions give the same lines, whatever the pieces in which the
// medium gives the bytes.
func TestForwardAndBackwardAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		data := genFile().Draw(t, "file")
		a, _ := forward(bytes.NewReader(data))
		b, _ := backward(data)
		c, _ := forward(iotest.HalfReader(bytes.NewReader(data)))
		if !slices.Equal(a, b) || !slices.Equal(a, c) {
			t.Fatalf("forward %v\nbackward %v\nhalves %v", a, b, c)
		}
	})
}

func FuzzScan(f *testing.F) {
	f.Add([]byte("{}\n{\"a\":1}\n\n\x00{\n"))
	f.Add([]byte("\xef\xbb\xbf{}\r\n  "))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, _ := forward(bytes.NewReader(data))
		b, _ := backward(data)
		if !slices.Equal(a, b) {
			t.Fatalf("forward %v\nbackward %v", a, b)
		}
		for _, l := range a {
			if !at(data, l.offset, l.data) {
				t.Fatalf("line %v is not at its offset", l)
			}
		}
	})
}

// at says whether a line stands at its offset, but for blanks and, at the head
// of a file, a byte order mark.
func at(data []byte, offset int64, line string) bool {
	rest := data[offset:]
	if offset == 0 {
		rest = bytes.TrimPrefix(rest, []byte("\xef\xbb\xbf"))
	}
	return bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r"), []byte(line))
}

// Reading the end of a file does not read the rest.
func TestTheTailReadsLittle(t *testing.T) {
	t.Parallel()
	f := &counting{ReaderAt: bytes.NewReader(bytes.Repeat([]byte("{\"n\":1}\n"), 1<<20))}
	tail := jsonl.NewTail(f, 8<<20)
	for range 10 {
		if _, ok := tail.Next(); !ok {
			t.Fatal("no line")
		}
	}
	if f.read > 64<<10 {
		t.Fatalf("read %d bytes for ten lines", f.read)
	}
}

type counting struct {
	io.ReaderAt
	read int
}

func (c *counting) ReadAt(p []byte, at int64) (int, error) {
	c.read += len(p)
	return c.ReaderAt.ReadAt(p, at)
}

// The budget is 20 µs a record, whatever the length of the file.
func BenchmarkAppend(b *testing.B) {
	line := []byte(`{"type":"result","output":"` + strings.Repeat("x", 900) + `"}`)
	for _, at := range []int{10, 100_000} {
		b.Run(fmt.Sprintf("record-%d", at), func(b *testing.B) {
			f, err := jsonl.Create(filepath.Join(b.TempDir(), "log.jsonl"))
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			for range at {
				if err := f.Append(line, false); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := f.Append(line, false); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkScan50MB(b *testing.B) {
	path := filepath.Join(b.TempDir(), "log.jsonl")
	line := `{"type":"result","output":"` + strings.Repeat("x", 900) + "\"}\n"
	if err := os.WriteFile(path, bytes.Repeat([]byte(line), 50<<20/len(line)), 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		f, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		s := jsonl.NewScanner(f)
		for {
			if _, ok := s.Next(); !ok {
				break
			}
		}
		_ = f.Close()
	}
}

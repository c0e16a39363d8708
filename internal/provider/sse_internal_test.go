package provider

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// collect reads all events as "name|data" lines.
func collect(r io.Reader, max int) (all []string, err error) {
	for ev, e := range readEvents(r, max) {
		if e != nil {
			return all, e
		}
		mark := ""
		if ev.Whole {
			mark = "whole "
		}
		all = append(all, mark+ev.Name+"|"+string(ev.Data))
	}
	return all, nil
}

func TestEvents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"plain", "event: a\ndata: 1\n\ndata: 2\n\n", []string{"a|1", "|2"}},
		{"carriage returns", "event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n", []string{"a|1", "|2"}},
		{"comments and unknown fields", ": hi\n\nid: 3\nretry: 5\ndata: 1\n\n", []string{"|1"}},
		{"several data lines", "data: 1\ndata: 2\n\n", []string{"|1\n2"}},
		{"no blank after the colon", "data:1\n\n", []string{"|1"}},
		{"byte order mark and leading lines", "\xEF\xBB\xBF\n\ndata: 1\n\n", []string{"|1"}},
		{"end without blank line", "data: {\"a\":1}\n", []string{`|{"a":1}`}},
		{"end without any line end", "data: [DONE]", []string{"|[DONE]"}},
		{"unfinished event is dropped", "data: 1\n\ndata: {\"a\":", []string{"|1"}},
		{"long line", "data: " + strings.Repeat("x", 100_000) + "\n\n", []string{"|" + strings.Repeat("x", 100_000)}},
		{"one document", "{\"a\":\n1}\n", []string{"whole |{\"a\":\n1}\n"}},
		{"nothing", "", nil},
		{"blank", " \n\n", nil},
		{"name without data", "event: ping\n\ndata: 1\n\n", []string{"|1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, r := range []io.Reader{strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in)), iotest.DataErrReader(strings.NewReader(c.in))} {
				got, err := collect(r, 1<<20)
				if err != nil || !slices.Equal(got, c.want) {
					t.Errorf("events are %q, %v, want %q", got, err, c.want)
				}
			}
		})
	}
}

func TestEventsThatAreNone(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	for _, c := range []struct {
		name string
		in   io.Reader
		want func(error) bool
	}{
		{"page", strings.NewReader("<html><title> Log in </title>"), func(err error) bool {
			var g *garbageError
			return errors.As(err, &g) && g.html && g.text == "Log in"
		}},
		{"garbage", strings.NewReader("hello\nworld\n"), func(err error) bool {
			var g *garbageError
			return errors.As(err, &g) && !g.html && g.text == "hello world"
		}},
		{"broken document", strings.NewReader(`{"a":`), func(err error) bool {
			var g *garbageError
			return errors.As(err, &g)
		}},
		{"too large", strings.NewReader("data: " + strings.Repeat("x", 2000) + "\n\n"), func(err error) bool { return errors.Is(err, errTooLarge) }},
		{"too many lines", strings.NewReader(strings.Repeat("data: x\n", 2000)), func(err error) bool { return errors.Is(err, errTooLarge) }},
		{"endless line", strings.NewReader(strings.Repeat("x", 200_000)), func(err error) bool { return errors.Is(err, errTooLarge) }},
		{"read error", io.MultiReader(strings.NewReader("data: 1\n"), iotest.ErrReader(boom)), func(err error) bool { return errors.Is(err, boom) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, err := collect(c.in, 1000); !c.want(err) {
				t.Errorf("error is %v", err)
			}
		})
	}
}

func FuzzEvents(f *testing.F) {
	f.Add([]byte("event: a\r\ndata: {\"x\":1}\n\n: c\n\ndata: [DONE]"))
	f.Add([]byte("{\"error\":1}"))
	f.Add([]byte("<html>"))
	f.Fuzz(func(t *testing.T, in []byte) {
		whole, err1 := collect(bytes.NewReader(in), 4096)
		cut, err2 := collect(iotest.OneByteReader(bytes.NewReader(in)), 4096)
		if !slices.Equal(whole, cut) || (err1 == nil) != (err2 == nil) {
			t.Errorf("the cut of the reads changes the events: %q %v, %q %v", whole, err1, cut, err2)
		}
	})
}

func BenchmarkEvents(b *testing.B) {
	var stream bytes.Buffer
	for range 10_000 {
		stream.WriteString("event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"twenty bytes of text\"}}\n\n")
	}
	b.SetBytes(int64(stream.Len()))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for _, err := range readEvents(bytes.NewReader(stream.Bytes()), 1<<20) {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != 10_000 {
			b.Fatal(n)
		}
	}
}

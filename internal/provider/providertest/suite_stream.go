package providertest

import (
	"context"
	"strings"
	"testing"
	"time"

	"assent/internal/llm"
	"assent/internal/provider"
)

// stream checks the order of chunks and parts, and the numbers.
func (s *suite) stream(t *testing.T) {
	t.Parallel()
	r := s.play(t, `
usage 100 50 30 20 7
think I should look.
text "Grüße, 世界! \"quoted\" \\ back\nline"
call read_file {"path":"a.go"}
call list {}
`, provider.Limits{})
	a := r.ok(t)
	if r.reply.Stop != llm.StopCalls {
		t.Errorf("stop is %q", r.reply.Stop)
	}
	if got := a.Text(); got != "Grüße, 世界! \"quoted\" \\ back\nline" {
		t.Errorf("text is %q", got)
	}
	calls := a.Calls()
	if len(calls) != 2 || calls[0].Name != "read_file" || calls[1].Name != "list" {
		t.Fatalf("calls are %+v", calls)
	}
	if string(calls[0].Input) != `{"path":"a.go"}` || string(calls[1].Input) != `{}` {
		t.Errorf("inputs are %s and %s", calls[0].Input, calls[1].Input)
	}
	if calls[0].ID == "" || calls[0].ID == calls[1].ID {
		t.Errorf("ids are %q and %q", calls[0].ID, calls[1].ID)
	}
	checkOrder(t, r, calls)
	u := r.reply.Usage
	if u.Total() != 200 || u.CacheRead != 30 || u.Output != 50 {
		t.Errorf("usage is %+v", u)
	}
	if r.reply.Provider != "vendor" || r.reply.Model != s.model() {
		t.Errorf("reply is by %s %s", r.reply.Provider, r.reply.Model)
	}
}

// checkOrder checks that thinking, text and calls were told in order.
func checkOrder(t *testing.T, r run, calls []llm.Call) {
	t.Helper()
	var thought, told strings.Builder
	rank, started := 0, 0
	for _, c := range r.chunks {
		now := rank
		switch c := c.(type) {
		case llm.ReasoningDelta:
			now = 1
			thought.WriteString(c.Text)
		case llm.TextDelta:
			now = 2
			told.WriteString(c.Text)
		case llm.CallStart:
			now = 3
			if started < len(calls) && (c.ID != calls[started].ID || c.Name != calls[started].Name) {
				t.Errorf("call start is %+v, the call %+v", c, calls[started])
			}
			started++
		case llm.Warning:
		case llm.Waiting, llm.Rebuilt:
		}
		if now < rank {
			t.Errorf("%T came after a chunk of rank %d", c, rank)
		}
		rank = now
	}
	if thought.String() != "I should look." || told.String() != text(r.reply.Parts) || started != 2 {
		t.Errorf("told thinking %q, text %q and %d calls", thought.String(), told.String(), started)
	}
}

// ends checks the reasons and forms of an end.
func (s *suite) ends(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, script string
		want         []llm.Stop
	}{
		{"end", "text done", []llm.Stop{llm.StopEnd}},
		{"calls", "call list {}", []llm.Stop{llm.StopCalls}},
		{"empty answer", "stop end", []llm.Stop{llm.StopEnd}},
		{"length (PROV-21, PROV-23)", "text to\ncall read_file {\"pa\nstop length", []llm.Stop{llm.StopLength}},
		{"filter (PROV-24, PROV-25)", "text so\nstop filter", []llm.Stop{llm.StopFilter, llm.StopRefusal}},
		{"keep-alives between", "ping 3\ntext a\nping 3\ntext b", []llm.Stop{llm.StopEnd}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := s.play(t, c.script, provider.Limits{})
			r.ok(t)
			for _, w := range c.want {
				if r.reply.Stop == w {
					return
				}
			}
			t.Errorf("stop is %q, want one of %q", r.reply.Stop, c.want)
		})
	}
	t.Run("socket stays open", func(t *testing.T) {
		t.Parallel()
		s.play(t, "text done\nopen", provider.Limits{Linger: 50 * time.Millisecond}).ok(t) // the server holds it open for as long as the client reads
	})
	t.Run("long and finely cut", func(t *testing.T) {
		t.Parallel()
		r := s.play(t, "flood 50000 7", provider.Limits{})
		if got := r.ok(t).Text(); len(got) != 50000 {
			t.Errorf("%d bytes of text arrived", len(got))
		}
	})
}

// forms checks answers in other forms than a plain stream.
func (s *suite) forms(t *testing.T) {
	t.Parallel()
	t.Run("one document", func(t *testing.T) {
		t.Parallel()
		r := s.play(t, "json\nusage 100 50 30 0 7\nthink Hm.\ntext Hello.\ncall read_file {\"path\":\"a\"}", provider.Limits{})
		a := r.ok(t)
		if c := a.Calls(); a.Text() != "Hello." || len(c) != 1 || string(c[0].Input) != `{"path":"a"}` || r.reply.Stop != llm.StopCalls {
			t.Errorf("got %+v, stop %q", a.Parts, r.reply.Stop)
		}
		if u := r.reply.Usage; u.Input != 100 || u.Output != 50 || u.CacheRead != 30 {
			t.Errorf("usage is %+v", u)
		}
	})
	t.Run("events of a later version", func(t *testing.T) {
		t.Parallel()
		r := s.play(t, "text one\nevent new_event {\"type\":\"new_event\",\"data\":[1]}\nevent - {}\ntext two", provider.Limits{})
		if got := r.ok(t).Text(); got != "onetwo" {
			t.Errorf("text is %q", got)
		}
	})
	t.Run("told as it comes", func(t *testing.T) {
		t.Parallel()
		server := s.start(t, "chunk 100\ntext first\nwait told\ntext second")
		reply, err := s.open(t, server, provider.Limits{}).Stream(t.Context(), s.ask(), func(c llm.Chunk) {
			if d, ok := c.(llm.TextDelta); ok && d.Text == "first" {
				server.Release("told")
			}
		})
		if err != nil || text(reply.Parts) != "firstsecond" {
			t.Errorf("got %q, %v", text(reply.Parts), err)
		}
	})
	t.Run("a tool that was not offered", func(t *testing.T) {
		t.Parallel()
		if c := s.play(t, "unoffered\ncall nonesuch {}", provider.Limits{}).ok(t).Calls(); len(c) != 1 || c[0].Name != "nonesuch" {
			t.Errorf("calls are %+v", c)
		}
	})
}

// cuts checks streams that end too early.
func (s *suite) cuts(t *testing.T) {
	t.Parallel()
	const whole = "text Hello there\ncall read_file {\"path\":\"a.go\"}\n"
	for _, c := range []struct{ name, script, partial string }{
		{"before output", "cut\n", ""},
		{"after text (PROV-14)", "text Hello there\ncut\n", "Hello there"},
		{"within a call", whole + "cut\n", "Hello there"},
		{"reset after text", "text Hello there\nreset\n", "Hello there"},
		{"reset before output", "reset\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := s.play(t, c.script, provider.Limits{}).failed(t, llm.KindNetwork, true)
			if got := text(f.Partial); got != c.partial {
				t.Errorf("kept %q, want %q", got, c.partial)
			}
			if len((llm.Assistant{Parts: f.Partial}).Calls()) > 0 {
				t.Error("a call that was not complete is kept")
			}
		})
	}
	t.Run("never ending", func(t *testing.T) {
		t.Parallel()
		f := s.play(t, "flood 18000000 65536", provider.Limits{}).failed(t, llm.KindProvider, false)
		if n := len(text(f.Partial)); n < 16<<20 || n > 17<<20 {
			t.Errorf("%d bytes are kept", n)
		}
	})
	t.Run("at every byte", func(t *testing.T) {
		t.Parallel()
		for n := 0; n < 1200; n += 23 {
			r := s.play(t, whole+"cut "+itoa(n)+"\n", provider.Limits{})
			if r.err == nil { // the end had arrived
				if len(r.ok(t).Calls()) != 1 {
					t.Fatalf("cut at byte %d: complete without its call", n)
				}
				continue
			}
			f := r.failed(t, llm.KindNetwork, true)
			if !strings.HasPrefix("Hello there", text(f.Partial)) {
				t.Fatalf("cut at byte %d: kept %q", n, text(f.Partial))
			}
		}
	})
}

// silence checks sockets that stay open and say nothing.
func (s *suite) silence(t *testing.T) {
	t.Parallel()
	short := 80 * time.Millisecond
	for _, c := range []struct {
		name, script, partial, words string
		limits                       provider.Limits
	}{
		{"before the header", "stall", "", "nothing within", provider.Limits{FirstByte: short}},
		{"before the first byte", "stall header", "", "nothing within", provider.Limits{FirstByte: short}},
		{"after text (PROV-14)", "text Hello\nhang", "Hello", "silent", provider.Limits{Idle: short}},
		{"only keep-alives", "text Hello\n" + strings.Repeat("ping 2\npause 10ms\n", 120) + "text there", "Hello", "keep-alives", provider.Limits{Quiet: 5 * short}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server := s.start(t, c.script)
			ctx, stop := context.WithTimeout(t.Context(), time.Minute) // a limit that never comes is no endless test
			defer stop()
			_, err := s.open(t, server, quick(c.limits)).Stream(ctx, s.ask(), nil)
			f := run{err: err}.failed(t, llm.KindNetwork, true)
			if got := text(f.Partial); got != c.partial {
				t.Errorf("kept %q, want %q", got, c.partial)
			}
			if !strings.Contains(f.Message, c.words) {
				t.Errorf("the message does not say %q: %s", c.words, f.Message)
			}
		})
	}
	t.Run("keep-alives end the idle time", func(t *testing.T) {
		t.Parallel()
		script := "text a\n" + strings.Repeat("ping 1\npause 50ms\n", 26) + "text b"
		r := s.play(t, script, quick(provider.Limits{Idle: 1200 * time.Millisecond}))
		if got := r.ok(t).Text(); got != "ab" {
			t.Errorf("text is %q", got)
		}
	})
}

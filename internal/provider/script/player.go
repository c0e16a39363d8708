package script

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"assent/internal/llm"
	"assent/internal/provider"
)

// name is the provider's name in items.
const name = "script"

// Player plays one script to all conversations of a process. It is safe for
// concurrent use.
type Player struct {
	source string
	lines  []line

	mu     sync.Mutex
	begun  bool
	played []bool
}

// Open reads a script file; an error names the line.
func Open(path string) (*Player, error) {
	if path == "" {
		return nil, fmt.Errorf("the script provider needs a file; name it with --model FILE")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open script %s: %w", path, plain(err))
	}
	defer f.Close()
	return Read(path, f)
}

// Read reads a script; source names it in messages and as the model.
func Read(source string, r io.Reader) (*Player, error) {
	lines, err := parse(source, r)
	if err != nil {
		return nil, err
	}
	return &Player{source: source, lines: lines, played: make([]bool, len(lines))}, nil
}

// Conversation returns the model for one conversation.
func (p *Player) Conversation() *Conversation { return &Conversation{player: p} }

// Stream plays the next line, as any conversation does.
func (p *Player) Stream(ctx context.Context, req llm.Request, emit func(llm.Chunk)) (llm.Reply, error) {
	return p.Conversation().Stream(ctx, req, emit)
}

// Conversation is one conversation's model.
type Conversation struct{ player *Player }

// Stream plays the next line that fits the request.
func (c *Conversation) Stream(ctx context.Context, req llm.Request, emit func(llm.Chunk)) (llm.Reply, error) {
	said := transcript(req)
	l, err := c.player.next(req, said)
	if err != nil {
		return llm.Reply{}, err
	}
	for _, want := range l.Expect {
		if !strings.Contains(said, want) {
			return llm.Reply{}, c.player.fail(fmt.Sprintf("line %d expects the request to contain %q; it ends with %q", l.number, want, tail(said, 200)))
		}
	}
	if err := sleep(ctx, ms(l.DelayMs)); err != nil {
		return llm.Reply{}, err
	}
	if l.Error != nil {
		return llm.Reply{}, c.player.broken(l)
	}
	return c.player.play(ctx, l, req, len(said), emit)
}

// play streams one line.
func (p *Player) play(ctx context.Context, l line, req llm.Request, asked int, emit func(llm.Chunk)) (llm.Reply, error) {
	parts := provider.NewParts(emit, func(id string) string { return unique(req.Items, id) })
	for piece := range pieces(l.Reasoning) {
		if err := sleep(ctx, ms(l.ChunkMs)); err != nil {
			return llm.Reply{}, err
		}
		parts.Reasoning(piece)
	}
	for piece := range pieces(l.Text) {
		if err := sleep(ctx, ms(l.ChunkMs)); err != nil {
			return llm.Reply{}, err
		}
		parts.Text(piece)
	}
	size := len(l.Reasoning) + len(l.Text)
	if l.Cut {
		f := p.fail(fmt.Sprintf("line %d cuts the stream", l.number))
		f.Kind, f.Retryable = llm.KindNetwork, true
		return llm.Reply{}, provider.WithPartial(f, parts, llm.Usage{})
	}
	for i, c := range l.Calls {
		if err := sleep(ctx, ms(l.ChunkMs)); err != nil {
			return llm.Reply{}, err
		}
		id := c.ID
		if id == "" {
			id = "call_" + strconv.Itoa(calls(req.Items)+i+1)
		}
		h := parts.Call(id, c.Name)
		parts.Args(h, c.input())
		size += len(c.Input)
	}
	if err := ctx.Err(); err != nil {
		return llm.Reply{}, err
	}
	return llm.Reply{
		Parts: parts.Done(), Stop: l.stop(), Detail: l.Detail, Usage: l.usage(asked, size),
		Provider: name, Model: req.Model,
	}, nil
}

// next takes the line to play.
func (p *Player) next(req llm.Request, said string) (line, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.begun {
		p.begun = true
		p.resume(req)
	}
	for i, l := range p.lines {
		if p.played[i] || l.Match != "" && !strings.Contains(said, l.Match) {
			continue
		}
		p.played[i] = true
		return l, nil
	}
	return line{}, p.fail(fmt.Sprintf("it has no response left for this request (%d lines hold %d); add a line",
		p.lines[len(p.lines)-1].number, len(p.lines)))
}

// resume passes the lines that a resumed conversation has heard already. One
// that has heard them all begins again.
func (p *Player) resume(req llm.Request) {
	heard := 0
	for _, it := range req.Items {
		if a, ok := it.(llm.Assistant); ok && a.Provider == name && a.Model == req.Model {
			heard++
		}
	}
	last := 0
	for last < len(p.lines) && heard > 0 {
		if p.lines[last].Error == nil {
			heard--
		}
		last++
	}
	if last == len(p.lines) {
		return
	}
	for i := range last {
		p.played[i] = true
	}
}

// fail is a failure of the script itself.
func (p *Player) fail(text string) *llm.Failure {
	return &llm.Failure{Kind: llm.KindProvider, Message: "script " + p.source + ": " + text}
}

// broken is the failure that a line stands for.
func (p *Player) broken(l line) *llm.Failure {
	e := l.Error
	f := p.fail(e.Message)
	if e.Message == "" {
		f = p.fail(fmt.Sprintf("line %d fails", l.number))
	}
	f.Kind, f.Status, f.Retryable, f.RetryAfter = e.Kind, e.Status, e.Retryable, ms(e.RetryAfterMs)
	return f
}

func (l line) stop() llm.Stop {
	switch {
	case l.Stop != "":
		return llm.Stop(l.Stop)
	case len(l.Calls) > 0:
		return llm.StopCalls
	}
	return llm.StopEnd
}

func (l line) usage(asked, said int) llm.Usage {
	if u := l.Usage; u != nil {
		return llm.Usage{Input: u.Input, Output: u.Output, CacheRead: u.CacheRead, CacheWrite: u.CacheWrite, Reasoning: u.Reasoning}
	}
	return llm.Usage{Input: asked / 4, Output: said / 4}
}

// transcript is the text of a request, for expect and match.
func transcript(req llm.Request) string {
	var b strings.Builder
	add := func(s string) {
		b.WriteString(s)
		b.WriteByte('\n')
	}
	add(req.System)
	for _, it := range req.Items {
		switch it := it.(type) {
		case llm.User:
			add(it.Text)
		case llm.Note:
			add(it.Text)
		case llm.Result:
			add(it.Output)
		case llm.Assistant:
			add(it.Text())
			for _, c := range it.Calls() {
				add(c.Name + " " + string(c.Input))
			}
		}
	}
	return b.String()
}

// calls counts the calls of a conversation.
func calls(items []llm.Item) int {
	n := 0
	for _, it := range items {
		if a, ok := it.(llm.Assistant); ok {
			n += len(a.Calls())
		}
	}
	return n
}

// unique makes an id differ from those of a conversation.
func unique(items []llm.Item, id string) string {
	taken := map[string]bool{}
	for _, it := range items {
		if a, ok := it.(llm.Assistant); ok {
			for _, c := range a.Calls() {
				taken[c.ID] = true
			}
		}
	}
	next := id
	for n := 2; taken[next]; n++ {
		next = id + "_" + strconv.Itoa(n)
	}
	return next
}

// pieces cuts a text as a model streams it.
func pieces(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for text != "" {
			n := min(16, len(text))
			for n < len(text) && !utf8.RuneStart(text[n]) {
				n++
			}
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}

// tail is the end of a text.
func tail(s string, n int) string {
	if s = strings.TrimSpace(s); len(s) <= n {
		return s
	}
	return "…" + strings.ToValidUTF8(s[len(s)-n:], "")
}

// sleep waits unless the context ends first.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

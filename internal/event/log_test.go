package event_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"assent/internal/event"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// read drains a cursor until the log is closed.
func read(t testing.TB, c *event.Cursor) []event.Event {
	t.Helper()
	var all []event.Event
	for {
		events, err := c.Next(context.Background())
		all = append(all, events...)
		if errors.Is(err, event.ErrClosed) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// flat renders events with the deltas of one block joined, so that readers of
// different speed can be compared.
func flat(events []event.Event) string {
	s, block := "", ""
	for _, e := range events {
		switch e := e.(type) {
		case event.Text:
			if block != "text" {
				s += "\ntext "
			}
			s, block = s+e.Text, "text"
		case event.ToolOutput:
			if block != e.ID {
				s += "\noutput " + e.ID + " "
			}
			s, block = s+e.Chunk, e.ID
		default:
			line, _ := event.Marshal(e)
			s, block = s+"\n"+string(line), ""
		}
	}
	return s
}

func TestSlowReaderMergesDeltasAndMissesNoFact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var log event.Log
		eager, slow := log.Follow(), log.Follow()
		told := rapid.SliceOf(rapid.Custom(func(t *rapid.T) event.Event {
			s := rapid.StringN(0, 5, 10).Draw(t, "s")
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				return event.Text{Text: s}
			case 1:
				return event.ToolOutput{ID: "a", Chunk: s}
			case 2:
				return event.ToolOutput{ID: "b", Chunk: s}
			default:
				return event.Notice{Text: s}
			}
		})).Draw(t, "told")
		var got []event.Event
		for _, e := range told {
			log.Tell(e)
			events, err := eager.Next(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, events...)
		}
		log.Close()
		all, err := slow.Next(context.Background())
		if err != nil && !errors.Is(err, event.ErrClosed) {
			t.Fatal(err)
		}
		if want := flat(told); flat(got) != want || flat(all) != want {
			t.Fatalf("told %q\neager %q\nslow %q", want, flat(got), flat(all))
		}
	})
}

func TestReadersOfDifferentSpeedSeeTheSame(t *testing.T) {
	t.Parallel()
	var log event.Log
	var wg sync.WaitGroup
	got := make([]string, 3)
	for i := range got {
		c := log.Follow()
		wg.Go(func() {
			defer c.Close()
			got[i] = flat(read(t, c))
		})
	}
	for i := range 2000 {
		log.Tell(event.Text{Text: fmt.Sprint(i)})
		if i%100 == 0 {
			log.Tell(event.Notice{Text: fmt.Sprint(i)})
		}
	}
	log.Close()
	wg.Wait()
	if got[0] == "" || got[0] != got[1] || got[1] != got[2] {
		t.Errorf("readers differ: %d, %d, %d bytes", len(got[0]), len(got[1]), len(got[2]))
	}
}

// A reader that has stopped costs no more than a bound, however much a command
// prints, and is told how much it missed: beginning, end and all facts stay.
func TestAFloodBehindASlowReaderIsBounded(t *testing.T) {
	t.Parallel()
	for name, eager := range map[string]bool{"alone": false, "beside an eager one": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log event.Log
			slow, middle := log.Follow(), log.Follow()
			var quick *event.Cursor
			if eager {
				quick = log.Follow()
			}
			const chunks, size = 2000, 8 << 10
			seen := 0
			for i := range chunks {
				for _, id := range []string{"a", "b"} {
					log.Tell(event.ToolOutput{ID: id, Chunk: fmt.Sprintf("%s%d ", id, i) + strings.Repeat("x", size)})
				}
				if i == chunks/2 {
					log.Tell(event.Notice{Text: "half"})
					got, _ := middle.Next(t.Context())
					check(t, "middle", got, i+1, size, 1)
				}
				if eager {
					got, _ := quick.Next(t.Context())
					seen += len(got)
					for _, e := range got {
						if e, ok := e.(event.ToolOutput); ok && e.Skipped != 0 {
							t.Fatalf("the eager reader misses %d bytes", e.Skipped)
						}
					}
				}
			}
			if eager && seen != 2*chunks+1 {
				t.Errorf("the eager reader got %d events", seen)
			}
			log.Close()
			check(t, "slow", read(t, slow), chunks, size, 1)
			check(t, "middle", read(t, middle), chunks-chunks/2-1, size, 0)
		})
	}
}

// check holds what a reader got of two floods against what was told.
func check(t *testing.T, who string, got []event.Event, chunks, size, notices int) {
	t.Helper()
	kept, skipped := map[string]int{}, map[string]int{}
	last := map[string]string{}
	for _, e := range got {
		switch e := e.(type) {
		case event.ToolOutput:
			kept[e.ID] += strings.Count(e.Chunk, "x")
			skipped[e.ID] += e.Skipped
			last[e.ID] = e.Chunk
			if e.Skipped > 0 && e.Chunk != "" {
				t.Errorf("%s: a chunk beside %d skipped bytes", who, e.Skipped)
			}
		default:
			notices--
		}
	}
	if notices != 0 {
		t.Errorf("%s: facts are missing", who)
	}
	for _, id := range []string{"a", "b"} {
		if kept[id] > 1<<20+16<<10 || kept[id] < 512<<10 {
			t.Errorf("%s: %d bytes of %s are kept", who, kept[id], id)
		}
		if whole := chunks * size; kept[id]+skipped[id] < whole || kept[id]+skipped[id] > whole+chunks*8 {
			t.Errorf("%s: of %d bytes of %s %d came and %d were skipped", who, whole, id, kept[id], skipped[id])
		}
		if !strings.HasSuffix(last[id], "x") || len(got) > 1000 {
			t.Errorf("%s: ends in %.20q after %d events", who, last[id], len(got))
		}
	}
}

func TestNextEndsWithItsContext(t *testing.T) {
	t.Parallel()
	var log event.Log
	c := log.Follow()
	defer c.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
}

func TestMarshal(t *testing.T) {
	t.Parallel()
	cost := 0.25
	tests := []struct {
		name string
		e    event.Event
		want string
	}{
		{"no html escapes", event.Text{Text: "a<b>&"}, `{"type":"text","text":"a<b>&"}`},
		{"invalid input is a string", event.ToolCall{ID: "1", Name: "bash", Input: []byte(`{"a`)}, `{"type":"tool-call","id":"1","name":"bash","input":"{\"a"}`},
		{"unpriced", event.Usage{InputTokens: 1}, `{"type":"usage","inputTokens":1,"outputTokens":0,"cachedTokens":0,"cacheWriteTokens":0,"reasoningTokens":0,"costUsd":null}`},
		{"priced", event.Usage{CostUSD: &cost}, `{"type":"usage","inputTokens":0,"outputTokens":0,"cachedTokens":0,"cacheWriteTokens":0,"reasoningTokens":0,"costUsd":0.25}`},
		{"nested", event.Subagent{ID: "1", Kind: "explore", Event: event.Notice{Text: "x"}}, `{"type":"subagent","id":"1","kind":"explore","event":{"type":"notice","text":"x"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := event.Marshal(tt.e)
			if err != nil || string(got) != tt.want {
				t.Errorf("got %s, %v\nwant %s", got, err, tt.want)
			}
		})
	}
}

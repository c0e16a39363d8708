package turn_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assent/internal/llm"
	"assent/internal/turn"
)

var laws = flag.Int("laws", 4000, "how many random strings of facts TestLaws tries")

// dice gives numbers in [0, n).
type dice func(n int) int

// player feeds random facts and carries out nothing.
type player struct {
	roll    dice
	state   turn.State
	monitor monitor
	last    []turn.Order // of the last Step, not yet carried out
	steer   int
	trace   []string
	deep    bool // compare states too
}

// play feeds n facts, then only fitting ones until the turn has ended.
func (p *player) play(n int) error {
	for range n {
		f := p.chaos()
		if p.roll(8) > 0 {
			f = p.fitting()
		}
		if err := p.feed(f); err != nil {
			return err
		}
	}
	for i := 0; p.state.Running(); i++ {
		if i > 5000 {
			return fmt.Errorf("the turn does not end")
		}
		if err := p.feed(p.fitting()); err != nil {
			return err
		}
	}
	return p.carry(len(p.last))
}

// carry carries out the first n pending orders.
func (p *player) carry(n int) error {
	for _, o := range p.last[:n] {
		if err := p.monitor.order(o); err != nil {
			return err
		}
	}
	p.last = p.last[n:]
	return nil
}

// feed takes one fact in; a failing save is fed in between.
func (p *player) feed(f turn.Fact) error {
	failed := -1
	for i, o := range p.last {
		if saves(o) && p.roll(60) == 0 {
			failed = i
			break
		}
	}
	if failed >= 0 {
		if err := p.carry(failed); err != nil {
			return err
		}
		o := p.last[0]
		p.monitor.failed(o)
		p.last = nil
		return p.step(turn.SaveFailed{At: failed, Message: "disk full"})
	}
	if err := p.carry(len(p.last)); err != nil {
		return err
	}
	p.monitor.fact(f)
	return p.step(f)
}

func (p *player) step(f turn.Fact) error {
	p.trace = append(p.trace, fmt.Sprintf("%#v", f))
	before := ""
	if p.deep {
		before = fmt.Sprintf("%#v", p.state)
	}
	next, orders := turn.Step(p.state, f)
	again, same := turn.Step(p.state, f)
	if !reflect.DeepEqual(orders, same) || p.deep && !reflect.DeepEqual(next, again) {
		return fmt.Errorf("the same fact gave other orders")
	}
	if p.deep && fmt.Sprintf("%#v", p.state) != before {
		return fmt.Errorf("the old state was changed")
	}
	p.state, p.last = next, orders
	if p.deep {
		p.trace = append(p.trace, fmt.Sprintf("    → %#v", orders))
	}
	return nil
}

func saves(o turn.Order) bool {
	switch o := o.(type) {
	case turn.SaveUser, turn.SaveSteer, turn.SaveCall:
		return true
	case turn.SaveAssistant:
		return !o.Best
	case turn.Settle:
		return !o.Best
	}
	return false
}

var ids = []string{"a", "b", "c", "d", "e"}

func (p *player) id() string { return ids[p.roll(len(ids))] }

func (p *player) submitted() turn.Fact {
	f := turn.Submitted{Size: p.roll(100), Limits: turn.Limits{
		Steps: 1 + p.roll(6), Tries: 1 + p.roll(5), Parallel: 1 + p.roll(3), MaxMicros: int64(p.roll(3) * 100),
		Seed: uint64(p.roll(100)), Threshold: p.roll(3) * 60,
	}}
	if p.roll(6) == 0 {
		f.Calls = p.calls()
		for i := range f.Calls {
			if p.roll(2) == 0 {
				f.Calls[i].Status = []llm.Status{llm.StatusOK, llm.StatusDenied, llm.StatusInterrupted}[p.roll(3)]
			}
		}
	}
	return f
}

func (p *player) calls() []turn.Call {
	var calls []turn.Call
	for i := range p.roll(len(ids) + 1) {
		c := turn.Call{ID: ids[i], Read: p.roll(2) == 0}
		if p.roll(6) == 0 {
			c.Invalid = "no such tool"
		}
		calls = append(calls, c)
	}
	return calls
}

var stops = []llm.Stop{
	llm.StopEnd, llm.StopCalls, llm.StopCalls, llm.StopCalls, llm.StopCalls, llm.StopLength, llm.StopRefusal, llm.StopFilter,
	llm.StopContext, llm.StopPause, "new",
}

func (p *player) said() turn.Fact {
	return turn.Said{
		Stop: stops[p.roll(len(stops))], Text: p.roll(2) == 0, Keep: p.roll(2) == 0, Calls: p.calls(),
		Size: p.roll(200), Threshold: p.roll(2) * 120,
	}
}

func (p *player) broke() turn.Fact {
	kinds := []llm.Kind{llm.KindNetwork, llm.KindOverflow, llm.KindProvider, llm.KindRateLimit, llm.KindAuth}
	return turn.Broke{
		Kind: kinds[p.roll(len(kinds))], Message: "broken", Retryable: p.roll(3) > 0, Text: p.roll(4) == 0, Told: p.roll(2) == 0,
		RetryAfter: time.Duration(p.roll(100)) * time.Second, Refused: p.roll(5) == 0,
	}
}

// chaos is any fact.
func (p *player) chaos() turn.Fact {
	statuses := []llm.Status{llm.StatusOK, llm.StatusError, llm.StatusInterrupted, llm.StatusCancelled}
	switch p.roll(13) {
	case 0:
		return p.submitted()
	case 1:
		p.steer++
		return turn.Steered{ID: p.steer, Size: p.roll(50)}
	case 2:
		return p.said()
	case 3:
		return p.broke()
	case 4:
		return turn.Waited{}
	case 5:
		return turn.Granted{CallID: p.id()}
	case 6:
		return turn.Denied{CallID: p.id(), Cancel: p.roll(4) == 0}
	case 7:
		return turn.Finished{CallID: p.id(), Status: statuses[p.roll(len(statuses))], Size: p.roll(40), Waits: p.roll(10) == 0}
	case 8:
		return turn.Folded{OK: p.roll(3) > 0, Size: p.roll(100), Message: "no"}
	case 9:
		return turn.Rebuilt{Changed: p.roll(2) == 0}
	case 10:
		return turn.Spent{Micros: int64(p.roll(60))}
	case 11:
		if p.roll(3) > 0 {
			return turn.Spent{}
		}
		return turn.Cancelled{}
	default:
		if p.roll(3) > 0 {
			return turn.Waited{}
		}
		return turn.TimedOut{}
	}
}

// fitting answers something that is in flight, as the world would.
func (p *player) fitting() turn.Fact {
	m := &p.monitor
	for _, o := range p.last { // they are about to be carried out
		switch o := o.(type) {
		case turn.Ask:
			return p.answer()
		case turn.Fold:
			return turn.Folded{OK: p.roll(3) > 0, Size: p.roll(100)}
		case turn.Rebuild:
			return turn.Rebuilt{Changed: p.roll(2) == 0}
		case turn.Wait:
			return turn.Waited{}
		case turn.Permit:
			return turn.Granted(o)
		}
	}
	switch {
	case !p.state.Running():
		return p.submitted()
	case m.asked:
		return p.answer()
	case m.folds:
		return turn.Folded{OK: p.roll(3) > 0, Size: p.roll(100)}
	case m.rebuilds:
		return turn.Rebuilt{Changed: p.roll(2) == 0}
	case m.waits:
		return turn.Waited{}
	}
	var flying []turn.Fact
	for _, c := range m.calls {
		switch {
		case c.settled || c.finished || c.open:
		case c.run:
			flying = append(flying, turn.Finished{CallID: c.ID, Status: llm.StatusOK, Size: p.roll(40), Waits: p.roll(20) == 0})
		case c.permit && !c.granted && !c.denied:
			if p.roll(4) == 0 {
				flying = append(flying, turn.Denied{CallID: c.ID})
			} else {
				flying = append(flying, turn.Granted{CallID: c.ID})
			}
		}
	}
	for _, o := range p.last {
		if run, ok := o.(turn.Run); ok {
			flying = append(flying, turn.Finished{CallID: run.CallID, Status: llm.StatusError})
		}
	}
	if len(flying) == 0 {
		return turn.Spent{}
	}
	return flying[p.roll(len(flying))]
}

func (p *player) answer() turn.Fact {
	if p.roll(4) == 0 {
		return p.broke()
	}
	return p.said()
}

func (p *player) check(tb interface{ Fatalf(string, ...any) }, n int) {
	if err := p.play(n); err != nil {
		tb.Fatalf("%v\n%s", err, strings.Join(p.trace, "\n"))
	}
}

func TestLawsHoldForShrunkStrings(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := player{deep: true, roll: func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "roll") }}
		p.check(t, 40)
	})
}

// TestLaws tries as many strings of facts as -laws says; a million take two
// minutes.
func TestLaws(t *testing.T) {
	t.Parallel()
	for seed := range *laws {
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		p := player{roll: random.IntN}
		if err := p.play(40); err != nil {
			again := rand.New(rand.NewPCG(uint64(seed), 1))
			p := player{roll: again.IntN, deep: true}
			t.Fatalf("seed %d: %v\n%v\n%s", seed, err, p.play(40), strings.Join(p.trace, "\n"))
		}
	}
}

func FuzzStep(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Add([]byte("a string of facts"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rest := data
		var wrap uint64
		roll := func(n int) int {
			if len(rest) == 0 { // go on with a hash of the data, so that it ends
				wrap = wrap*6364136223846793005 + 1442695040888963407
				return int(wrap>>33) % n
			}
			v := int(rest[0])
			rest = rest[1:]
			return v % n
		}
		p := player{roll: roll}
		p.check(t, min(len(data), 400))
	})
}

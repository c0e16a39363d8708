package turn

import (
	"math"
	"slices"
	"time"

	"assent/internal/llm"
)

// Limits bound a turn. In the zero value every limit has its default.
type Limits struct {
	// Steps is the most requests of a turn, tries not counted; 0 means 50.
	Steps int
	// MaxMicros is the most that this turn may cost in millionths of a US
	// dollar, whatever the ones before it did; 0 means no limit.
	MaxMicros int64
	// Tries is the most attempts at one step; 0 means 5.
	Tries int
	// Backoff is the first wait before a new try, doubled each time; 0 means
	// 2 s. MaxWait is the longest wait that a server may ask for; 0 means 60 s.
	Backoff, MaxWait time.Duration
	// Seed varies the jitter of the waits.
	Seed uint64
	// Parallel is the most reading calls that run together; 0 means 8.
	Parallel int
	// Threshold is the size in tokens above which the history is folded before
	// the next request; 0 means never.
	Threshold int
}

// Bounds of what may happen again and again in one turn.
const (
	maxNudges = 2 // empty answers in a row
	maxPauses = 8 // paused responses in a row
	maxCuts   = 3 // responses in a row whose calls were cut off

	// maxCalls is the most calls of one response that are decided and run. A
	// model that makes more is in a loop; the others get a result that says so.
	maxCalls = 512

	// maxOverflows bounds the folds for an overflow in a turn. Those for the
	// threshold are bounded by the steps, at most one before each.
	maxOverflows = 20
	maxSize      = 1 << 30
)

func (l Limits) filled() Limits {
	fill := func(n *int, d int) {
		if *n <= 0 {
			*n = d
		}
	}
	fill(&l.Steps, 50)
	fill(&l.Tries, 5)
	fill(&l.Parallel, 8)
	if l.Backoff <= 0 {
		l.Backoff = 2 * time.Second
	}
	if l.MaxWait <= 0 {
		l.MaxWait = 60 * time.Second
	}
	return l
}

// phase says what a turn waits for.
type phase int

const (
	idle    phase = iota // for a Submitted
	asking               // for a Said or Broke
	waiting              // for a Waited
	folding              // for a Folded or Rebuilt
	calling              // for decisions and ends of calls
	ended                // as idle; End was ordered in the last Step
)

// stage is how far a call has come.
type stage int

const (
	unasked    stage = iota
	permitting       // Permit was ordered
	running          // Run was ordered
	open             // its result comes from outside
	done             // its result is known
	settled          // its result was ordered to be saved
)

type call struct {
	Call
	stage  stage
	status llm.Status
	text   string
}

// State is where a turn stands. The zero value is a conversation in which no
// turn runs. It is a value: Step never changes the one it is given.
type State struct {
	phase  phase
	limits Limits
	// ending is set once the turn is to end as soon as nothing is in flight;
	// failure is told then.
	ending  Reason
	failure *Fail

	reopened             bool // calls were left open, and none is decided yet
	step                 int  // requests, further attempts not counted
	fresh                bool // the next request begins a step
	attempt, tries       int  // requests and failures of this step
	continued            bool // this step kept a broken response
	nudges, pauses, cuts int
	overflowed           bool   // folded for an overflow, no response since
	overflows            int    // folds for an overflow in this turn
	tooLong              string // what was said of the last overflow
	told                 bool   // a Fold was told in this turn
	foldAbove, size      int
	rebuilding           bool // the phase folding waits for a Rebuilt
	bare, blind          bool // forms that were tried in this turn
	spent                int64
	warned               bool
	calls                []call
	steers               []int   // saved, not yet entered
	earlier              int     // how many of those an earlier process saved
	last                 []Order // of the last Step, for SaveFailed
}

// Running reports whether a turn is under way.
func (s State) Running() bool { return s.phase != idle && s.phase != ended }

// Steps returns the number of requests of the running or last turn, further
// attempts at one step not counted.
func (s State) Steps() int { return s.step }

// Step returns what follows from a fact: the next state, and the orders in
// the order in which they are to be carried out.
func Step(s State, f Fact) (State, []Order) {
	s.calls, s.steers = slices.Clone(s.calls), slices.Clone(s.steers)
	m := machine{State: s}
	m.take(f)
	m.last = m.orders
	return m.State, m.orders
}

// machine is one Step at work.
type machine struct {
	State
	orders []Order
}

func (m *machine) emit(o ...Order) { m.orders = append(m.orders, o...) }

func (m *machine) take(f Fact) {
	switch f := f.(type) {
	case Submitted:
		m.submitted(f)
		return
	case SaveFailed:
		m.saveFailed(f)
		return
	default:
	}
	if !m.Running() {
		return
	}
	switch f := f.(type) {
	case Submitted, SaveFailed: // taken above
	case Steered:
		m.steered(f)
	case Said:
		m.said(f)
	case Broke:
		m.broke(f)
	case Waited:
		if m.phase == waiting && m.ending == notEnding {
			m.request()
		}
	case Granted:
		m.granted(f)
	case Denied:
		m.denied(f)
	case Finished:
		m.finished(f)
	case Folded:
		m.folded(f)
	case Rebuilt:
		m.rebuilt(f)
	case Spent:
		m.pay(f)
	case Cancelled:
		m.close(Cancel, nil)
	case TimedOut:
		if m.ending == notEnding {
			m.emit(Notice{textTimeout})
		}
		m.close(Timeout, nil)
	}
}

func (m *machine) submitted(f Submitted) {
	if m.Running() {
		return
	}
	m.State = State{phase: calling, limits: f.Limits.filled()}
	m.grow(f.Size)
	m.foldAbove = m.limits.Threshold
	if len(f.Calls) == 0 {
		m.emit(SaveUser{})
		m.next()
		return
	}
	m.steers, m.earlier, m.reopened = slices.Clone(f.Steers), len(f.Steers), true
	m.open(f.Calls, "")
	m.dispatchOrNext()
}

func (m *machine) steered(f Steered) {
	if m.ending != notEnding {
		return
	}
	m.emit(SaveSteer{f.ID})
	m.steers = append(m.steers, f.ID)
	m.grow(f.Size)
}

// grow adds to the size of the conversation; the bound keeps nonsense from
// overflowing.
func (m *machine) grow(tokens int) {
	m.size = min(m.size+min(max(tokens, 0), maxSize), maxSize)
}

func (m *machine) pay(f Spent) {
	if f.Micros <= 0 {
		return
	}
	m.spent += min(f.Micros, math.MaxInt64-m.spent)
	limit := m.limits.MaxMicros
	if limit > 0 && !m.warned && m.spent < limit && float64(m.spent) >= 0.8*float64(limit) {
		m.warned = true
		m.emit(Notice{costNear(m.spent, limit)})
	}
}

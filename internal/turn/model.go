package turn

import (
	"slices"
	"time"

	"assent/internal/llm"
)

// mayStep reports whether the limits leave room for another step.
func (m *machine) mayStep() bool {
	l := m.limits
	return m.step < l.Steps && (l.MaxMicros <= 0 || m.spent < l.MaxMicros)
}

// next goes to the next step: limits are checked, a history that has grown too
// long is folded, and the model is asked.
func (m *machine) next() {
	limits := m.limits
	m.reopened = false
	switch {
	case m.mayStep():
		m.fresh = true
		if m.foldAbove > 0 && m.size > m.foldAbove {
			m.fold("threshold")
			return
		}
		m.request()
	case m.step >= limits.Steps:
		m.emit(Notice{stepsReached(limits.Steps)})
		m.close(MaxSteps, nil)
	default:
		m.emit(Notice{costReached(m.spent, limits.MaxMicros)})
		m.close(MaxCost, nil)
	}
}

// enter lets the steering messages that were saved into the conversation.
func (m *machine) enter() {
	for _, id := range m.steers {
		m.emit(Enter{id})
	}
	m.steers, m.earlier = nil, 0
}

// withdraw gives the user back what the turn was told since it began and what
// did not enter any more. What an earlier process saved has nobody to go back
// to, and stays.
func (m *machine) withdraw() {
	if back := m.steers[min(m.earlier, len(m.steers)):]; len(back) > 0 {
		m.emit(Withdraw{slices.Clone(back)})
		m.steers = m.steers[:len(m.steers)-len(back)]
	}
}

func (m *machine) request() {
	if m.fresh {
		m.fresh, m.continued = false, false
		m.step++
		m.attempt, m.tries = 0, 0
	}
	m.attempt++
	m.phase = asking
	m.enter()
	m.emit(Ask{m.step, m.attempt})
}

func (m *machine) fold(reason string) {
	m.phase = folding
	m.emit(Fold{reason, !m.told})
}

func (m *machine) said(f Said) {
	if m.phase != asking {
		return
	}
	m.phase = calling
	m.size = 0
	m.grow(f.Size)
	m.retune(f.Threshold)
	if m.ending != notEnding {
		// It was complete before it could be stopped: keep what it said, and
		// close its calls.
		m.keep(f, true)
		m.finish()
		return
	}
	if f.Stop != llm.StopContext {
		m.overflowed = false
	}
	if !f.Text && len(f.Calls) == 0 && (f.Stop == llm.StopEnd || f.Stop == llm.StopCalls) {
		m.nudge()
		return
	}
	m.nudges = 0
	m.keep(f, false)
	if f.Stop != llm.StopPause {
		m.pauses = 0
	}
	if f.Stop != llm.StopLength {
		m.cuts = 0
	}
	m.stopped(f)
}

// stopped goes on from a response that was kept.
func (m *machine) stopped(f Said) {
	switch f.Stop {
	case llm.StopEnd, llm.StopCalls:
		m.dispatch()
	case llm.StopPause:
		if m.pauses++; m.pauses > maxPauses {
			m.close(Error, &Fail{Kind: llm.KindProvider, Message: textPauses})
			return
		}
		m.dispatchOrNext()
	case llm.StopLength:
		if m.cuts++; len(f.Calls) == 0 || m.cuts >= maxCuts {
			m.close(Length, &Fail{Kind: llm.KindProvider, Message: textLength})
			return
		}
		m.dispatch()
	case llm.StopRefusal:
		m.close(Refusal, &Fail{Kind: llm.KindProvider, Message: refusal(f.Detail)})
	case llm.StopFilter:
		m.close(Filter, &Fail{Kind: llm.KindProvider, Message: filtered(f.Detail)})
	case llm.StopContext:
		m.settle(false)
		m.overflow(textContext, f.Text)
	default:
		m.close(Error, &Fail{Kind: llm.KindProvider, Message: unknownStop(f.Stop)})
	}
}

// rejects says why no call of a response that stopped like this may run; it is
// empty when they may.
func rejects(s llm.Stop) string {
	switch s {
	case llm.StopEnd, llm.StopCalls, llm.StopPause:
		return ""
	case llm.StopLength, llm.StopContext:
		return textCut
	default:
		return textRefusedCall
	}
}

// keep orders the response to be saved and opens its calls.
func (m *machine) keep(f Said, best bool) {
	if f.Keep || f.Text || len(f.Calls) > 0 {
		m.emit(SaveAssistant{Best: best})
	}
	calls := slices.Clone(f.Calls)
	for i := range calls {
		calls[i].Status = "" // none has ended yet
	}
	m.open(calls, rejects(f.Stop))
}

// nudge asks again after an answer that said nothing.
func (m *machine) nudge() {
	if len(m.steers) == 0 {
		if m.nudges++; m.nudges > maxNudges {
			m.close(Error, &Fail{Kind: llm.KindProvider, Message: textEmpty})
			return
		}
		if m.mayStep() {
			m.emit(Note{textNudge})
		}
	}
	m.next()
}

// overflow answers a history that is too long: folded once, then given up.
func (m *machine) overflow(message string, kept bool) {
	if m.overflowed || m.overflows >= maxOverflows {
		m.close(Context, &Fail{Kind: llm.KindOverflow, Message: overflowed(message)})
		return
	}
	if kept {
		m.emit(Note{textContinue})
	}
	m.overflowed, m.tooLong = true, message
	m.overflows++
	m.fold("overflow")
}

func (m *machine) broke(f Broke) {
	if m.phase != asking {
		return
	}
	m.phase = calling
	if m.ending != notEnding {
		if f.Text {
			m.emit(SaveAssistant{Best: true})
		}
		m.finish()
		return
	}
	switch {
	case f.Text:
		m.broken(f)
	case f.Kind == llm.KindOverflow:
		m.void(f)
		m.overflow(f.Message, false)
	case f.Refused && !(m.bare && m.blind):
		m.void(f)
		m.rebuild(Fail{f.Kind, f.Message, f.Retryable})
	case f.Retryable:
		m.retry(f)
	default:
		m.fail(f)
	}
}

// broken keeps what arrived before a stream broke and has the model say all of
// it again, once a step. A model that was told to go on from there would often
// begin anew all the same, and nobody could tell the two apart.
func (m *machine) broken(f Broke) {
	m.tries++
	failure, over := m.hopeless(f)
	if over {
		m.emit(SaveAssistant{})
		m.fail(failure)
		return
	}
	m.continued = true
	m.emit(SaveAssistant{Void: true}, Void{}, Note{textAgain})
	m.wait(f)
}

func (m *machine) retry(f Broke) {
	m.tries++
	failure, over := m.hopeless(f)
	if over {
		m.fail(failure)
		return
	}
	m.void(f)
	m.wait(f)
}

// void takes back what was shown of a response that broke off without a text.
func (m *machine) void(f Broke) {
	if f.Told {
		m.emit(Void{})
	}
}

// hopeless reports whether a failed request is not tried again, and the failure
// as the user is told it.
func (m *machine) hopeless(f Broke) (Broke, bool) {
	switch {
	case !f.Retryable:
		return f, true
	case f.RetryAfter > m.limits.MaxWait:
		return Broke{Kind: llm.KindRateLimit, Message: tooLong(f.Message, f.RetryAfter, m.limits.MaxWait), Retryable: true}, true
	case m.tries >= m.limits.Tries || f.Text && m.continued:
		return Broke{Kind: f.Kind, Message: gaveUp(f.Message, m.tries), Retryable: true}, true
	}
	return f, false
}

func (m *machine) wait(f Broke) {
	wait := m.backoff()
	if f.RetryAfter > 0 {
		wait = f.RetryAfter
	}
	m.phase = waiting
	m.emit(Wait{wait, f.Message, m.tries})
}

// backoff doubles with every try and lies between half and all of that.
func (m *machine) backoff() time.Duration {
	wait := min(m.limits.Backoff, m.limits.MaxWait)
	for i := 1; i < m.tries && wait < m.limits.MaxWait; i++ {
		wait = min(2*wait, m.limits.MaxWait)
	}
	half := wait / 2
	if half <= 0 {
		return wait
	}
	return half + time.Duration(mix(m.limits.Seed+uint64(m.step)<<8+uint64(m.tries))%uint64(half))
}

// mix scatters a number (the finaliser of splitmix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (m *machine) fail(f Broke) {
	m.close(Error, &Fail{f.Kind, f.Message, f.Retryable})
}

// rebuild sends the conversation in a plainer form, each form once a turn.
func (m *machine) rebuild(f Fail) {
	form := FormBare
	if m.bare {
		form, m.blind = FormBlind, true
	}
	m.bare = true
	m.phase, m.rebuilding = folding, true
	m.failure = &f
	m.emit(Rebuild{form})
}

func (m *machine) rebuilt(f Rebuilt) {
	if m.phase != folding || !m.rebuilding {
		return
	}
	m.phase, m.rebuilding = calling, false
	switch {
	case m.ending != notEnding:
		m.finish()
	case f.Changed:
		m.failure = nil
		m.request()
	case !m.blind:
		m.rebuild(*m.failure)
	default:
		m.close(Error, m.failure)
	}
}

func (m *machine) folded(f Folded) {
	if m.phase != folding || m.rebuilding {
		return
	}
	m.phase = calling
	if m.ending != notEnding {
		m.finish()
		return
	}
	if f.OK {
		m.told = true
		m.size = 0
		m.grow(f.Size)
		// A fold that gained little must not be tried again at once.
		m.foldAbove = max(m.foldAbove, m.size+m.size/4)
		m.request()
		return
	}
	if m.overflowed {
		m.close(Context, &Fail{Kind: llm.KindOverflow, Message: unfolded(m.tooLong, f)})
		return
	}
	if f.Message != "" {
		m.emit(Notice{f.Message})
	}
	m.foldAbove = max(m.foldAbove, m.size+m.size/4)
	m.request()
}

// retune follows a threshold that changed with the model.
func (m *machine) retune(threshold int) {
	if threshold != m.limits.Threshold {
		m.limits.Threshold, m.foldAbove = threshold, threshold
	}
}

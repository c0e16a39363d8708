package turn_test

import (
	"fmt"
	"slices"

	"assent/internal/llm"
	"assent/internal/turn"
)

// monitor watches facts and orders from outside and says which law is broken.
// It knows nothing of how turn works.
type monitor struct {
	limits  turn.Limits
	active  bool
	closing bool // a cancel, a timeout or a failed save was fed
	begun   bool // the user's message is saved, or the turn goes on with calls
	alone   bool // it goes on with calls, and none of them was decided yet

	asked, waits, folds, rebuilds bool // in flight
	step, try, totalAsks          int
	response                      *turn.Said
	partial                       bool // a broken response with text may be saved
	saved                         bool
	voided                        bool // what was saved last is to be asked for again
	calls                         []watched
	steers                        map[int]bool // saved → entered or taken back
	earlier                       map[int]bool // saved by an earlier process
	withdrew                      bool
	overflowFolds, notes          int
	ends                          int
}

type watched struct {
	turn.Call
	permit, granted, denied, savedCall, run, finished, open, settled bool
	status                                                           llm.Status
}

func (w watched) over() bool { return w.settled || w.finished || w.open || w.denied }

// fact notes a fact that is about to be fed.
func (m *monitor) fact(f turn.Fact) {
	if s, ok := f.(turn.Submitted); ok && !m.active {
		*m = monitor{limits: s.Limits, active: true, steers: map[int]bool{}, earlier: map[int]bool{}, ends: m.ends}
		if m.begun = len(s.Calls) > 0; m.begun {
			m.saved, m.alone = true, true
			m.take(s.Calls, llm.StopCalls, true)
		}
		for _, id := range s.Steers {
			if m.begun {
				m.steers[id], m.earlier[id] = false, true
			}
		}
		return
	}
	if !m.active {
		return
	}
	switch f := f.(type) {
	case turn.Said:
		if m.asked {
			m.asked, m.saved, m.alone, m.response = false, false, false, &f
			m.take(f.Calls, f.Stop, false)
		}
	case turn.Broke:
		if m.asked {
			m.asked, m.saved, m.partial = false, false, f.Text
			m.response, m.calls = nil, nil
		}
	case turn.Waited:
		m.waits = false
	case turn.Folded:
		m.folds = false
	case turn.Rebuilt:
		m.rebuilds = false
	case turn.Granted:
		if c := m.find(f.CallID, func(c *watched) bool { return c.permit && !c.granted && !c.denied }); c != nil {
			c.granted, m.alone = true, false
		}
	case turn.Denied:
		if c := m.find(f.CallID, func(c *watched) bool { return c.permit && !c.granted && !c.denied }); c != nil {
			c.denied, m.alone = true, false
			m.closing = m.closing || f.Cancel
		}
	case turn.Finished:
		if c := m.find(f.CallID, func(c *watched) bool { return c.run && !c.finished && !c.open }); c != nil {
			c.open = f.Waits && !m.closing
			c.finished, c.status = !c.open, f.Status
		}
	case turn.Cancelled, turn.TimedOut:
		m.closing = true
	}
}

// take opens the calls of a response.
func (m *monitor) take(calls []turn.Call, stop llm.Stop, resumed bool) {
	m.calls = nil
	for _, c := range calls {
		w := watched{Call: c}
		if stop != llm.StopEnd && stop != llm.StopCalls && stop != llm.StopPause && w.Invalid == "" {
			w.Invalid = "cut"
		}
		if resumed && c.Status != "" {
			w.finished, w.status = true, c.Status
		}
		m.calls = append(m.calls, w)
	}
}

func (m *monitor) find(id string, ok func(*watched) bool) *watched {
	for i := range m.calls {
		if c := &m.calls[i]; c.ID == id && ok(c) {
			return c
		}
	}
	return nil
}

// order checks an order that is about to be carried out.
func (m *monitor) order(o turn.Order) error {
	if !m.active {
		return fmt.Errorf("%#v outside a turn", o)
	}
	switch o := o.(type) {
	case turn.SaveUser:
		m.begun = true
	case turn.SaveSteer:
		if _, twice := m.steers[o.ID]; twice {
			return nil // the same message fed twice: the feeder's fault
		}
		m.steers[o.ID] = false
	case turn.Enter:
		if m.unsettled(true) {
			return fmt.Errorf("steering entered before the results")
		}
		m.steers[o.ID] = true
	case turn.Withdraw:
		for _, id := range o.IDs {
			if entered, saved := m.steers[id]; entered || !saved || m.earlier[id] {
				return fmt.Errorf("the steering message %d is taken back (saved %v, entered %v)", id, saved, entered)
			}
			m.steers[id], m.withdrew = true, true
		}
	case turn.Ask:
		return m.ask(o)
	case turn.SaveAssistant:
		if m.response == nil && !m.partial {
			return fmt.Errorf("a response saved that nobody gave")
		}
		m.saved, m.partial = true, false
		m.voided = o.Void
	case turn.Void:
		if m.response != nil || len(m.calls) > 0 {
			return fmt.Errorf("a whole response was taken back")
		}
		return m.fresh("void")
	case turn.Permit, turn.SaveCall, turn.Run, turn.Settle:
		return m.callOrder(o)
	case turn.Note:
		if m.unsettled(false) {
			return fmt.Errorf("a note among open calls")
		}
		m.notes++
	case turn.Wait:
		m.waits = true
		return m.fresh("wait")
	case turn.Fold:
		m.folds = true
		if o.Reason == "overflow" {
			m.overflowFolds++
		}
		return m.fresh("fold")
	case turn.Rebuild:
		m.rebuilds = true
		return m.fresh("rebuild")
	case turn.StopModel:
		m.waits = false
	case turn.StopTools, turn.Notice, turn.Fail:
	case turn.End:
		return m.end(o)
	}
	return nil
}

// fresh says that something new must not begin any more.
func (m *monitor) fresh(what string) error {
	if m.closing {
		return fmt.Errorf("%s after the end was asked for", what)
	}
	return nil
}

// unsettled reports whether a call has no result; open ones may be let pass.
func (m *monitor) unsettled(openMay bool) bool {
	return slices.ContainsFunc(m.calls, func(c watched) bool { return !c.settled && (!openMay || !c.open) })
}

func (m *monitor) ask(o turn.Ask) error {
	switch {
	case m.asked || m.folds || m.rebuilds || m.waits:
		return fmt.Errorf("asked while something is in flight")
	case !m.begun:
		return fmt.Errorf("asked before the user's message was saved")
	case m.unsettled(false):
		return fmt.Errorf("asked while calls have no result")
	case !(o.Step == m.step && o.Try == m.try+1 || o.Step == m.step+1 && o.Try == 1):
		return fmt.Errorf("request %d.%d after %d.%d", o.Step, o.Try, m.step, m.try)
	case o.Step > m.limits.Steps:
		return fmt.Errorf("step %d of %d", o.Step, m.limits.Steps)
	case o.Try > m.limits.Tries+24:
		return fmt.Errorf("request %d.%d: tries are not bounded", o.Step, o.Try)
	}
	for id, entered := range m.steers {
		if !entered {
			return fmt.Errorf("asked although the steering message %d waits", id)
		}
	}
	m.step, m.try = o.Step, o.Try
	m.asked, m.voided = true, false
	m.totalAsks++
	return m.fresh("ask")
}

func (m *monitor) callOrder(o turn.Order) error {
	if !m.saved {
		return fmt.Errorf("%#v before its response was saved", o)
	}
	switch o := o.(type) {
	case turn.Permit:
		return m.permit(o)
	case turn.SaveCall:
		c := m.find(o.CallID, func(c *watched) bool { return (c.granted || c.denied) && !c.savedCall && !c.settled })
		if c == nil {
			return fmt.Errorf("save of an undecided call %s", o.CallID)
		}
		c.savedCall = true
	case turn.Run:
		c := m.find(o.CallID, func(c *watched) bool { return c.granted && c.savedCall && !c.run && !c.settled })
		if c == nil || c.Invalid != "" {
			return fmt.Errorf("run of %s without grant or record", o.CallID)
		}
		c.run = true
		return m.fresh("run")
	case turn.Settle:
		return m.settle(o)
	}
	return nil
}

func (m *monitor) permit(o turn.Permit) error {
	busy, reading := 0, true
	for i := range m.calls {
		c := &m.calls[i]
		if c.ID == o.CallID && !c.permit && !c.settled {
			switch {
			case m.alone && busy > 0:
				return fmt.Errorf("permit of %s before the first call was decided", c.ID)
			case c.Invalid != "":
				return fmt.Errorf("permit of the invalid call %s", c.ID)
			case !c.Read && busy > 0, c.Read && !reading:
				return fmt.Errorf("permit of %s while another runs", c.ID)
			case busy >= max(m.limits.Parallel, 1):
				return fmt.Errorf("%d calls run together", busy+1)
			}
			c.permit = true
			return m.fresh("permit")
		}
		if !c.over() && c.Invalid == "" {
			busy++
			reading = reading && c.Read
			if c.permit && !c.granted && !c.Read {
				return fmt.Errorf("two decisions at once")
			}
		}
	}
	return fmt.Errorf("permit of the unknown call %s", o.CallID)
}

func (m *monitor) settle(o turn.Settle) error {
	for i := range m.calls {
		c := &m.calls[i]
		if c.settled || c.open && c.ID != o.CallID {
			continue
		}
		switch {
		case c.ID != o.CallID:
			return fmt.Errorf("result of %s before that of %s", o.CallID, c.ID)
		case c.permit && !c.granted && !c.denied && !m.closing, c.run && !c.finished && !c.open:
			return fmt.Errorf("result of %s while it is under way", c.ID)
		case o.Status == llm.StatusOK && !(c.finished && c.status == llm.StatusOK):
			return fmt.Errorf("%s did not succeed", c.ID)
		case o.Status == llm.StatusDenied && !c.denied && c.status != llm.StatusDenied:
			return fmt.Errorf("%s was not denied", c.ID)
		case o.Text == "" && !c.finished && !c.denied:
			return fmt.Errorf("%s has nothing to say", c.ID)
		}
		c.settled = true
		return nil
	}
	return fmt.Errorf("a second result of %s", o.CallID)
}

func (m *monitor) end(o turn.End) error {
	switch {
	case m.voided && !m.closing:
		return fmt.Errorf("a text was taken back that nobody asks for again")
	case m.asked || m.folds || m.rebuilds:
		return fmt.Errorf("ended while the model is asked")
	case slices.ContainsFunc(m.calls, func(c watched) bool { return c.run && !c.finished && !c.open }):
		return fmt.Errorf("ended while a call runs")
	case m.saved && m.unsettled(o.Reason == turn.Question):
		return fmt.Errorf("ended as %s with a call without result", o.Reason)
	case m.withdrew && o.Reason != turn.Cancel && !m.closing:
		return fmt.Errorf("steering was taken back though the turn ended as %s", o.Reason)
	case m.overflowFolds > m.totalAsks:
		return fmt.Errorf("folded more often than asked")
	}
	for id, entered := range m.steers {
		if !entered {
			return fmt.Errorf("the steering message %d was lost", id)
		}
	}
	m.active = false
	m.ends++
	return nil
}

// failed notes that a save failed and the orders after it were dropped.
func (m *monitor) failed(o turn.Order) {
	m.closing = true
	switch o := o.(type) {
	case turn.SaveSteer:
		delete(m.steers, o.ID)
	case turn.SaveAssistant:
		m.calls, m.saved = nil, false
	default:
	}
}

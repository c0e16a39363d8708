package turn

import "assent/internal/llm"

// open takes over the calls of a response. When reject is not empty, none of
// them may run and it is the text that says why; it goes before whatever else
// is wrong with them, because a cut response has calls that look invalid.
func (m *machine) open(calls []Call, reject string) {
	m.calls = make([]call, len(calls))
	for i, c := range calls {
		m.calls[i] = call{Call: c}
		switch {
		case c.Status != "":
			m.calls[i].stage, m.calls[i].status = done, c.Status
		case reject != "":
			m.calls[i].end(llm.StatusError, reject)
		case i >= maxCalls:
			m.calls[i].end(llm.StatusError, textTooMany)
		case c.Invalid != "":
			m.calls[i].end(llm.StatusError, c.Invalid)
		}
	}
}

// end gives a call that does not run its result.
func (c *call) end(status llm.Status, text string) {
	c.stage, c.status, c.text = done, status, text
}

// reject answers every call that has no result yet without running it.
func (m *machine) reject(text string) {
	for i := range m.calls {
		if m.calls[i].stage == unasked {
			m.calls[i].end(llm.StatusError, text)
		}
	}
}

// find returns the first call with this id at this stage.
func (m *machine) find(id string, at stage) *call {
	for i := range m.calls {
		if m.calls[i].ID == id && m.calls[i].stage == at {
			return &m.calls[i]
		}
	}
	return nil
}

// settle orders the results that are known to be saved, up to the first that
// is not; results stand in the order of their calls.
func (m *machine) settle(best bool) {
	for i := range m.calls {
		c := &m.calls[i]
		switch c.stage {
		case settled, open:
			continue
		case done:
			c.stage = settled
			m.emit(Settle{c.ID, c.status, c.text, best})
		default:
			return
		}
	}
}

// dispatch settles what can be settled and starts what may start; when no call
// is left it goes to the next step, or ends the turn when the response had
// none.
func (m *machine) dispatch() {
	if len(m.calls) == 0 && len(m.steers) == 0 {
		m.close(Stop, nil)
		return
	}
	m.dispatchOrNext()
}

// dispatchOrNext is dispatch for a response after which the model is asked in
// any case.
func (m *machine) dispatchOrNext() {
	m.settle(false)
	waits := false
	for _, c := range m.calls {
		if c.stage != settled && c.stage != open {
			m.start()
			return
		}
		waits = waits || c.stage == open
	}
	if waits {
		m.close(Question, nil)
		return
	}
	m.next() // the calls stay until the next response: a save may yet fail
}

// start orders the decisions that are due: of a reading call beside the reading
// calls before it, of any other call alone and right before it would run, so
// that each decision sees what the calls before it changed. Reading changes
// nothing, so reading calls that ask the user do so together. Of calls that were
// left open the first is decided alone: until then nobody did anything but open
// a session.
func (m *machine) start() {
	busy := 0
	for i := range m.calls {
		c := &m.calls[i]
		switch c.stage {
		case permitting, running:
			if !c.Read || m.reopened {
				return
			}
			busy++
		case unasked:
			if c.Read && busy >= m.limits.Parallel || !c.Read && busy > 0 {
				return
			}
			c.stage = permitting
			m.emit(Permit{c.ID})
			if !c.Read || m.reopened {
				return
			}
			busy++
		case open, done, settled:
		}
	}
}

func (m *machine) granted(f Granted) {
	c := m.find(f.CallID, permitting)
	if c == nil {
		return
	}
	m.reopened = false
	if m.ending != notEnding {
		c.end(llm.StatusCancelled, textNotRun)
		m.finish()
		return
	}
	if m.asked() {
		c.end(llm.StatusError, textQuestion)
		m.dispatchOrNext()
		return
	}
	c.stage = running
	m.emit(SaveCall{c.ID}, Run{c.ID})
	m.start()
}

func (m *machine) denied(f Denied) {
	c := m.find(f.CallID, permitting)
	if c == nil {
		return
	}
	m.reopened = false
	if m.ending != notEnding {
		c.end(llm.StatusCancelled, textNotRun)
		m.finish()
		return
	}
	m.emit(SaveCall{c.ID})
	status := llm.StatusDenied
	if f.Failed {
		status = llm.StatusError
	}
	c.end(status, "")
	if f.Cancel {
		m.close(Cancel, nil)
		return
	}
	m.dispatchOrNext()
}

func (m *machine) finished(f Finished) {
	c := m.find(f.CallID, running)
	if c == nil {
		return
	}
	m.grow(f.Size)
	switch {
	case f.Waits && m.ending == notEnding:
		c.stage = open
		m.reject(textQuestion)
	case f.Waits:
		c.end(llm.StatusCancelled, textNotRun)
	default:
		c.stage, c.status = done, f.Status
	}
	if m.ending != notEnding {
		m.finish()
		return
	}
	m.dispatchOrNext()
}

// asked reports whether a call waits for an answer from outside, so that
// nothing new may start.
func (m *machine) asked() bool {
	for _, c := range m.calls {
		if c.stage == open {
			return true
		}
	}
	return false
}

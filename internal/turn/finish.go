package turn

import (
	"slices"

	"assent/internal/llm"
)

// close begins the end of the turn: what is in flight is told to stop, and the
// turn ends when it has. The first reason stands.
func (m *machine) close(why Reason, failure *Fail) {
	if m.ending != notEnding {
		return
	}
	m.ending, m.failure = why, failure
	if m.phase == waiting {
		m.phase = calling
		m.emit(StopModel{})
	}
	if m.phase == asking || m.phase == folding {
		m.emit(StopModel{})
	}
	for _, c := range m.calls {
		if c.stage == permitting || c.stage == running {
			m.emit(StopTools{})
			break
		}
	}
	m.finish()
}

// finish ends the turn if nothing is in flight any more: every open call gets
// its result, and steering that was saved enters, so that the conversation in
// memory is the one on disk. Who cancels gets it back instead.
func (m *machine) finish() {
	if m.phase == asking || m.phase == folding {
		return
	}
	for _, c := range m.calls {
		if c.stage == permitting || c.stage == running {
			return
		}
	}
	for i := range m.calls {
		c := &m.calls[i]
		if c.stage == unasked || c.stage == open && m.ending != Question {
			c.end(llm.StatusCancelled, textNotRun)
		}
	}
	m.settle(true)
	if m.ending == Cancel {
		m.withdraw()
	}
	m.enter()
	if m.failure != nil {
		m.emit(*m.failure)
	}
	m.emit(End{m.ending})
	m.phase = ended
}

// saveFailed ends the turn. What was ordered after the failed save was not
// carried out, so nothing of it is in flight or settled.
func (m *machine) saveFailed(f SaveFailed) {
	if f.At < 0 || f.At >= len(m.last) || !mustSave(m.last[f.At]) {
		return
	}
	m.ending, m.failure = notEnding, nil
	if m.phase == ended {
		m.phase = calling
	}
	for _, o := range m.last[f.At:] {
		m.undo(o)
	}
	m.close(Error, &Fail{Kind: llm.KindPersistence, Message: f.Message})
}

// mustSave reports whether an order is a save that may end the turn.
func mustSave(o Order) bool {
	switch o := o.(type) {
	case SaveUser, SaveSteer, SaveCall:
		return true
	case SaveAssistant:
		return !o.Best
	case Settle:
		return !o.Best
	default:
		return false
	}
}

// undo takes back what the state took for granted of an order that failed or
// was dropped.
func (m *machine) undo(o Order) {
	back := func(id string, from, to stage) {
		if c := m.find(id, from); c != nil {
			c.stage = to
		}
	}
	switch o := o.(type) {
	case Ask, Wait, Fold, Rebuild:
		m.phase, m.rebuilding = calling, false
	case SaveAssistant:
		m.calls = nil // they are not part of the conversation
	case SaveSteer:
		m.steers = slices.DeleteFunc(m.steers, func(id int) bool { return id == o.ID })
	case Enter:
		m.steers = append(m.steers, o.ID)
	case Withdraw:
		m.steers = append(m.steers, o.IDs...)
	case Permit:
		back(o.CallID, permitting, unasked)
	case Run:
		back(o.CallID, running, unasked)
	case Settle:
		back(o.CallID, settled, done)
	case SaveUser, SaveCall, Void, Note, Notice, Fail, StopModel, StopTools, End:
	}
}

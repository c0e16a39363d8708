// Package host owns one conversation on behalf of its fronts: the prompts that
// wait, the turn that runs, the approvals that nobody has answered yet.
//
// A front sends commands with Do and follows the events; it needs nothing
// else. The host knows no terminal, no provider and no file: the engine runs
// the turns, and app gives it what a command needs from elsewhere.
//
//	front ── Do(Submit) ──→ queue ──→ engine.Run ──→ events ──→ front
//	gate ── Approve ──→ Approval event … Do(Decide) ──→ answer
//
// Laws: prompts run in the order in which they came and none is lost; every
// approval is answered once, by the user or by the end of its call; after
// Close nothing runs and the events have ended.
package host

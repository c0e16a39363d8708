// Package wireview decides what a provider may see of a conversation, and
// renders it so that a step costs what is new.
//
// It owns the prefix contract. A [View] holds one epoch: the bytes of every
// batch of items that was sent so far. Each request either extends the last
// one, or says that a new epoch begins, or is refused with a [PrefixError]
// that names the field that differs. A request body is its head, the kept
// chunks and its tail, joined without a copy.
//
//	items ── proof of extension ── Repair of what is new ── Codec.Items ── chunk kept
//	                                           head + chunks + tail ──────── Body
//
// It never knows a vendor: a [Codec] turns repaired items into the bytes of
// one wire. It never touches the log; what it repairs is a view.
//
// Laws, each held by a test:
//   - within an epoch the bytes of a body up to its tail begin with those of
//     the body before it;
//   - an item is rendered once in an epoch;
//   - after [Repair] every call has exactly one result, directly after its
//     response and in the order of the calls, and nothing is empty;
//   - opaque data leaves only to the provider and model that made it, and only
//     within the epoch in which it was made.
package wireview

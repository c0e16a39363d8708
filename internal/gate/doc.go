// Package gate decides every effect and hands out the authority to have it.
//
// It owns the order of checks, the grants and the hands. A call becomes a
// Request with a Plan; Decide passes it through
//
//	guards → mode → pre-tool hooks (and the guards again on a rewritten input)
//	→ rules → yolo → repeat guard → the user → a Grant
//
// and only a Grant, spent once for the exact call that it was minted for,
// yields Hands. Hands open what the plan named and nothing else.
//
//	r := planned.Request()
//	grant, decision := g.Decide(ctx, r)   // grant is nil unless decision allows
//	hands, err := grant.Spend(r.Tool, r.Input)
//	file, err := hands.Read("main.go", 0) // planned, or an error
//
// It must never know a particular tool, a model's vendor, a front or the
// configuration file. It judges nothing itself: subjects are judged by policy,
// refusals come from guard; this package puts them in order.
//
// Laws, each held by a test:
//
//   - No effect without a grant; a grant is spent at most once, for its own
//     call. The zero value, nil, a copy of a spent one, another tool or input
//     are refused.
//   - A guard's refusal stands whatever the rules, the hooks, the switches and
//     the user say; a guard that panics or fails refuses.
//   - Whoever does not answer has refused: no asker, a failing hook, an ended
//     context.
//   - A path is judged in both spellings, as written and with every link
//     followed, and hands refuse a path that leads elsewhere than when it was
//     judged.
//   - Explain runs the same code as Decide and has no effect.
//   - The hands of Try say of each change what those of the call would, and
//     change nothing.
package gate

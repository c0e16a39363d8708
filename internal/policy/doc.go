// Package policy decides: it holds the words of a decision (effect, subject,
// plan, verdict), the ordered rules that judge subjects, the modes that narrow
// an agent and the patterns that "always" offers. It is pure: it never touches
// the disk, the clock or a process. What it must know of the disk it asks a
// Paths, which its caller (the gate) implements over the workspace.
//
// The flow of one call:
//
//	plan := policy.ShellPlan(command, options)      // or a tool's own plan
//	mode.Decide(call)                                // may refuse, by mode
//	rules.Decide(call, paths)                        // allow, ask or deny
//	rules.Always(call, decision)                     // what "always" would add
//
// How rules are read: every (tool key, pattern) pair of every layer is one
// list, ordered by layer and then as written, and the last match wins. Laws:
//
//   - An allow rule matches only what is certain: a subject that cannot be
//     known matches only the pattern "*", and an assignment in front of a
//     command is part of its text. Rules that ask or deny match in every
//     spelling: without assignments, by base name, without global options.
//   - The decision of a call is the strictest over its subjects, and a path is
//     judged in each of its spellings.
//   - Nothing that was not matched is allowed, other than by the default of
//     the tool's effect; a shell call with nothing to run always asks.
//   - --deny always wins; --allow, grants and an untrusted project never lift
//     a deny of the user's; an untrusted project cannot allow at all.
//   - A deny of a path, in the table of any tool that writes, binds every tool
//     that writes and every redirection; likewise for reading.
//   - Secret files are a layer of their own (see Secret).
package policy

// Package proc owns child processes: it starts them, drains what they print,
// and ends them with everything they started.
//
// It must never know what a tool, a permission or a model is; who may run what
// was decided before it is called.
//
// The flow of one command:
//
//	Start ── new session, no terminal, stdin closed ──► leader (the shell)
//	   │                                                   │ stdout, stderr
//	   ├─ two readers ──► one collector ──► Spec.Out, kept head and tail
//	   └─ supervisor: leader ended │ timeout │ context │ Interrupt
//	        └─► short drain ──► what is left of the tree: TERM, then KILL
//
// Laws:
//
//   - A call ends when its leader ends plus a short drain, whoever still holds
//     the pipes; what the leader left behind is ended and counted.
//   - Timeout, cancel and interrupt end the whole tree, and the output so far
//     is kept. What cannot be ended is named, and not waited for.
//   - Memory is bounded whatever is printed.
//   - No process is signalled that is not provably of the command's tree; see
//     the tree of each platform for what counts as proof.
package proc

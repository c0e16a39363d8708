// Package guard refuses: it looks at a parsed call and says no to what cannot
// be undone or must not be touched, whatever the rules allow. It is pure; what
// it must know of the disk comes with the call.
//
// A guard sees every command at any depth, inside every wrapper and
// substitution, because the shell package has already taken them apart. A
// refusal names the part, the reason and what to do instead. Nothing lifts it:
// no rule, no hook, no --yolo. Laws:
//
//   - a guard that panics refuses;
//   - what the shell package could not read is not refused for that: it is
//     unknown, and asks;
//   - a word that is an argument (a commit message, a search pattern) is never
//     taken for a command.
//
// Installed plugins are data: manifests of refusal rules (see ParseManifest),
// evaluated here on the same parsed calls.
package guard

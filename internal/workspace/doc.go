// Package workspace owns the user's files: it says where a path leads, reads
// and writes regular files below its roots, decodes and encodes text, and keeps
// what a turn overwrote so that it can be put back.
//
// It must never know tools, rules or conversations: the gate decides about a
// Path, and this package only refuses what leaves the roots or is no file.
//
//	name as written ─ Resolve ─▶ Path{Abs, Real} ─ judged above ─▶ Read, Write, Move, Remove
//	                              │ every link followed              │ opened from the root's handle,
//	                              └ true spelling of each part       └ one part at a time, no link on the way
//
// Laws:
//
//   - A Path that was judged is the path that is opened: a folder or file that
//     became a link in between is refused with ErrChanged, never followed.
//   - Nothing outside the roots is opened, whatever is swapped meanwhile.
//   - Only regular files are opened, and opening never waits.
//   - A write replaces a file whole or not at all, keeps its mode (and owner,
//     where the system lets it), and leaves nothing behind when it fails.
//   - Decode and Encode lose no byte or refuse.
//   - Undo touches only files that were changed through this package and that
//     still hold what it left in them.
package workspace

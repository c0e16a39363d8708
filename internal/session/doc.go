// Package session owns what must last of a conversation: the records of a
// session, the tree that they form, the file that holds them and the folder in
// which the files of a project lie.
//
// It knows nothing of a provider, a tool, the gate or a screen. It never
// stores reasoning, request headers or opaque vendor data; text is masked by
// the redaction it was given before it reaches the disk.
//
// The flow:
//
//	Store.Create / Open → Log ── Append(Record) → one line on disk, a leaf in the tree
//	                       └─── Tree() → Tree.Branch(leaf) → Fold → []llm.Item
//	Load(path) → Tree, faults (without a lock)      Export(w, tree, format)
//
// Laws:
//
//   - A log is only appended to. A record that Append acknowledged is in every
//     later Load, whatever happens to the process.
//   - A line that cannot be read costs itself and nothing else; it is reported
//     by number, length and kind, never by content.
//   - Every record but the first names its parent, so going back and going on
//     makes a branch and loses nothing.
//   - Fold and its kin are pure: the same branch gives the same items. Every
//     call that Fold emits is followed by its result, in the order of the calls.
//   - Records and fields that this version does not know are kept and ignored.
package session

// Package files holds the tools that read and change files: read_file,
// read_many_files, write_file, edit_file, multi_edit, apply_patch, move_file,
// delete_file and list_dir.
//
// It must never know how a path is judged or opened: a plan names paths as the
// model wrote them, and the hands of the grant open only those.
//
//	input ─ plan ─▶ subjects ─ gate ─▶ hands ─ Read ─▶ decode ─ edit ─▶ encode ─ Write
//
// Laws:
//
//   - All of a call is done, or nothing of it; a call that fails says so. What a
//     patch takes the place of is kept until the patch is whole, so that it is
//     brought back itself.
//   - Content replaces only what it was made from.
//   - A file keeps its encoding, byte order mark and line ends, and every byte
//     that an edit does not name.
//   - Results count exactly, say how a text was matched, and show what stands
//     there now; errors say what to do next.
//   - Whether a file changed since the model saw it is judged by its content.
package files

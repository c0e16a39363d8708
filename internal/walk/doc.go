// Package walk owns going down a tree of files quickly: in parallel, by
// handles, without following links, under the ignore rules.
//
// It must never know who may read what: its caller says which entries to skip,
// and hands it an open folder. It never scans before it is asked to, keeps
// nothing between walks, and stops when its context ends.
//
//	root (open) ──► stack of work ──► workers: list a folder, ask Skip,
//	                 ▲                call fn for its entries in batches
//	                 └── subfolders and batches of large folders
//
// Laws:
//
//   - Every entry is reached through the handle of the folder that lists it;
//     what is swapped for a link meanwhile is not followed.
//   - Fn is called from several goroutines and in no order; each entry is seen
//     once. Walk returns after the last call.
//   - The folder .git is never shown, unless it is the root.
//   - A named pipe, a device or a socket is shown but never opened.
package walk

// Package search holds the tools that find files and lines: glob and grep.
//
// It must never know how a path is judged, what git ignores or where ripgrep
// lies: the hands of the grant go down the tree and leave out and count what
// may not be seen.
//
//	pattern ─► syntax tree ─► Go expression, needles every match contains,
//	           the same expression for ripgrep
//	sweep ─► files ─┬─ needles ─► candidate lines ─► expression ─► hits
//	                └─ no needle, ripgrep there ─► names of candidate files
//	                                                   └─► the same search
//
// Laws:
//
//   - Lines are matched one by one; a pattern never spans two. Its syntax is
//     Go's (RE2), also when ripgrep helps: ripgrep only names candidate files,
//     and what is shown is always found by the same code, so the answer is the
//     same without it.
//   - Hits come in the order of paths, files of a glob newest first. A limit
//     that was met is said, and so is what was hidden or skipped.
//   - An invalid pattern is an error, never an empty result.
package search

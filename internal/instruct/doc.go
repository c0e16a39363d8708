// Package instruct owns the finding and reading of instruction files: which of
// AGENTS.override.md, AGENTS.md and CLAUDE.md hold for a folder, in which
// order, and what they import.
//
// It knows nothing of how a model is told, and never writes.
//
// The flow: [New] finds the project around the workspace (the nearest folder
// above with a .git, else the workspace itself). [Finder.Start] reads the
// user's file and those from the project's root down to the workspace;
// [Finder.Below] reads those of the folders between the workspace and a file
// that is being read. Each file is given once.
//
// Laws:
//
//   - One file a folder: AGENTS.override.md, else AGENTS.md, else CLAUDE.md.
//     The same file or the same text is given once, by whatever name.
//   - Only files named CLAUDE.md import with @path, at most [MaxDepth] deep and
//     never from outside the project; in the others an @ is prose.
//   - The project's files share [Budget] bytes. What does not fit is cut at a
//     line, and a notice says so; nothing is left out silently.
//   - Nothing above the project's root is looked at but the user's own folder.
//   - Only regular text files are read, never more of one than the budget.
package instruct

// Package config reads and edits the configuration: JSON with comments in a
// user file and a project file, the environment, and the flags, in that order,
// later wins.
//
// It owns the names of the fields, what each may hold, and where each value
// came from. It knows nothing of what the values do: app translates them into
// the options of the packages that need them, and gives the valid words in
// [Words].
//
// The laws: a file is never rewritten on load; an unknown field or word is a
// [Fault] with file, line and the nearest valid word, and all faults of a file
// are found at once; a project file may never set a key, a base URL or a
// provider, and what could loosen a rule or run code counts only when the
// project is trusted; an edit keeps comments and unknown text.
package config

// Package notes holds the tools with which the agent keeps its own state: the
// task list, the output that was kept aside, and the time.
//
// It must never touch a file or a process: the stores are given when the tools
// are made, and every call still needs a grant.
package notes

// Package bash holds the tools that run shell commands: bash, and bash_output
// and bash_kill for commands in the background.
//
// It owns the wording of how a command ended. It must never start a process
// itself: a command runs with the hands of its grant, and only the command
// that was granted. Its flow is parse (plan) → granted hands → run → clean and
// shorten → report.
//
// Laws: a result always says how the command ended; what was cut, left running
// or stopped is told with a count; every call starts in the workspace root.
package bash

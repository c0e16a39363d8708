// Package app builds everything: it reads the configuration, opens the
// workspace, makes the gate, the tools, the model, the log, the engine and the
// host, and hands them to a front. It is the only package that sees all of
// them and holds the only list of tools.
//
// It decides nothing about a call or a turn: what it knows is which parts a
// flag, a field or a variable asks for. What a command prints is written to
// the writers it was given, so that cmd is left with flags and exit codes.
package app

//go:build !race

package tui_test

// raced says that everything is ten times as slow.
const raced = false

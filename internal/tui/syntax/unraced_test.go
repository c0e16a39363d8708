//go:build !race

package syntax_test

// raced says that everything is ten times as slow.
const raced = false

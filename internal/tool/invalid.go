package tool

import "strings"

// InvalidError says which argument broke which rule, for the model.
type InvalidError struct {
	// Tool is the tool's name.
	Tool string
	// Path leads to the argument ("edits[2].old_string"); empty is the whole.
	Path string
	// Rule is what it broke.
	Rule string
}

// Error words it for the model, which is expected to call again.
func (e *InvalidError) Error() string {
	parts := make([]string, 0, 4)
	if e.Tool != "" {
		parts = append(parts, e.Tool)
	}
	parts = append(parts, "invalid arguments")
	if e.Path != "" {
		parts = append(parts, e.Path)
	}
	return strings.Join(append(parts, e.Rule), ": ")
}

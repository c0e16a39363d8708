package app

import (
	"path/filepath"

	"assent/internal/session"
)

// longCalls stores calls that are too long to be shown beside the session, where
// they can be read as long as it is kept.
func longCalls(beside session.Artifacts) func(text string) (file string, err error) {
	return func(text string) (string, error) {
		name, err := beside.Store("approval.diff", []byte(text))
		return filepath.Join(beside.Dir, name), err
	}
}

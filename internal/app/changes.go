package app

import (
	"context"
	"fmt"
	"strings"

	"assent/internal/host"
)

// newFiles is how many files that git does not know are named.
const newFiles = 100

// changes answers "#diff": all that is not committed. What git does not know
// yet is named only, as a new file can be anything.
func (q *answers) changes(ctx context.Context) (host.Expansion, error) {
	const label = "uncommitted changes"
	open, err := q.through(ctx, label, "git_diff", map[string]any{})
	if err != nil || !open.OK {
		return open, err
	}
	staged, err := q.through(ctx, label, "git_diff", map[string]any{"staged": true})
	if err != nil {
		return host.Expansion{}, err
	}
	status, err := q.through(ctx, label, "git_status", map[string]any{})
	if err != nil {
		return host.Expansion{}, err
	}
	var parts []string
	for _, p := range []string{diffOf(staged.Text), diffOf(open.Text), unknownTo(status.Text)} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	open.Text = "Nothing has changed since the last commit."
	if len(parts) > 0 {
		open.Text = strings.Join(parts, "\n")
	}
	return open, nil
}

// diffOf is the output of a git_diff that shows a change.
func diffOf(text string) string {
	if !strings.Contains(text, "diff --") {
		return ""
	}
	return strings.TrimRight(text, "\n")
}

// unknownTo lists the files of a git_status that git does not know.
func unknownTo(status string) string {
	var files []string
	for line := range strings.Lines(status) {
		if file, ok := strings.CutPrefix(line, "?? "); ok {
			files = append(files, "  "+strings.TrimRight(file, "\n"))
		}
	}
	if len(files) == 0 {
		return ""
	}
	more := ""
	if n := len(files) - newFiles; n > 0 {
		files, more = files[:newFiles], fmt.Sprintf("\n  and %d more", n)
	}
	return "New, not known to git:\n" + strings.Join(files, "\n") + more
}

// Package git holds the tools that read a repository, and the one that drafts
// a commit message from what is staged. None of them changes anything.
//
// It owns the wording of what git says. It must never start git itself: the
// hands of a grant run it with a fixed argument list, without what may not be
// read. Laws: a revision is never taken for an option; files that were left out
// are counted; outside a repository every tool says so.
package git

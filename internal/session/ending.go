package session

import (
	"strings"

	"assent/internal/llm"
)

// endings are the words for turns that did not end by themselves, where the
// last answer does not say it.
var endings = map[string]string{
	"cancelled": "The user cancelled this turn.", "max_steps": "This turn ended at its limit of steps.",
	"max_cost": "This turn ended at its limit of cost.", "timeout": "This turn ended at its limit of time.",
	"question": "This turn waits for an answer.", "error": "This turn ended with an error.",
	"context": "This turn ended because the model's context was full.",
}

// brokenOff takes back that the last answer met the model's limit: it was
// stored so because its turn was ended from outside.
func (p *page) brokenOff() {
	if n := len(p.Blocks); n > 0 && p.Blocks[n-1].Answer != nil && p.Blocks[n-1].Answer.Cut == cut(llm.StopLength) {
		p.Blocks[n-1].Answer.Cut = "not finished"
	}
}

// ending is the end of a turn and what went wrong, if it is known.
func ending(end, failure string) (head, text string) {
	failure = strings.TrimSpace(failure)
	switch {
	case failure == "":
		return end, ""
	case strings.Contains(failure, "\n"):
		return end, failure
	}
	return strings.TrimSuffix(end, ".") + ": " + failure, ""
}

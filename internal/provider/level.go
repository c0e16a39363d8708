package provider

import (
	"fmt"
	"slices"

	"assent/internal/llm"
)

// effortWords are the words that vendors have for how hard a model thinks, least
// first.
var effortWords = []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}

// Effort returns the word of a model for a thinking level. supported are the
// model's words; exact is false where the level is missing and the word is
// the nearest there is. "max" is whatever the model has above high.
func Effort(level llm.Level, supported []string) (word string, exact bool) {
	var want int
	switch level {
	case llm.LevelOff:
		want = 0
	case llm.LevelLow:
		want = 2
	case llm.LevelMedium:
		want = 3
	case llm.LevelHigh:
		want = 4
	case llm.LevelMax:
		want = 6
	default:
		return "", true
	}
	best := -1
	for _, s := range supported {
		rank := slices.Index(effortWords, s)
		if rank < 0 {
			continue
		}
		if best < 0 || distance(rank, want) < distance(best, want) {
			best = rank
		}
	}
	if best < 0 {
		return "", false
	}
	return effortWords[best], best == want || level == llm.LevelMax && best == 5
}

func distance(a, b int) int { return max(a-b, b-a) }

// LevelWarning tells that a model lacks a level and what it got instead.
func LevelWarning(model string, level llm.Level, got string) *llm.Warning {
	return &llm.Warning{Text: fmt.Sprintf("%s has no thinking level %q; using its nearest, %s", model, level, got)}
}

package gemini

import (
	"strconv"
	"strings"

	"assent/internal/llm"
	"assent/internal/provider"
)

// thinking returns the thinkingConfig for a level, empty when there is none to
// send, and what the user should know of it. The families since Gemini 3 have
// levels, Gemini 2.5 has a budget of tokens.
func thinking(model string, level llm.Level, facts provider.Facts) (string, *llm.Warning) {
	if level == "" || facts.Known && !facts.Thinking {
		return "", nil
	}
	name := strings.ToLower(bare(model))
	if strings.Contains(name, "gemini-2.5") {
		return budget(name, level)
	}
	words := facts.Efforts
	if len(words) == 0 {
		if facts.Known || !demandsSignatures(name) {
			return "", nil
		}
		words = []string{"low", "high"} // what every model of the family has
	}
	word, exact := provider.Effort(level, words)
	if word == "" {
		return "", nil
	}
	var warn *llm.Warning
	if !exact {
		w := provider.LevelWarning(model, level, word)
		warn = &w
	}
	return `{"includeThoughts":` + strconv.FormatBool(level != llm.LevelOff) + `,"thinkingLevel":"` + strings.ToUpper(word) + `"}`, warn
}

// budget returns the tokens that Gemini 2.5 may think. Its larger model cannot
// do without.
func budget(name string, level llm.Level) (string, *llm.Warning) {
	tokens := map[llm.Level]int{
		llm.LevelOff: 0, llm.LevelLow: 1024, llm.LevelMedium: 8192, llm.LevelHigh: 16384, llm.LevelMax: 24576,
	}[level]
	var warn *llm.Warning
	if strings.Contains(name, "pro") {
		switch level {
		case llm.LevelOff:
			tokens = 128
			w := provider.LevelWarning(name, level, "128 tokens")
			warn = &w
		case llm.LevelMax:
			tokens = 32768
		case llm.LevelLow, llm.LevelMedium, llm.LevelHigh:
		}
	}
	return `{"includeThoughts":` + strconv.FormatBool(level != llm.LevelOff) + `,"thinkingBudget":` + strconv.Itoa(tokens) + `}`, warn
}

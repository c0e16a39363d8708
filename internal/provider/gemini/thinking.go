package gemini

import (
	"strconv"
	"strings"

	"assent/internal/llm"
	"assent/internal/provider"
)

// thought is what a request says about thinking.
type thought struct {
	config string       // the thinkingConfig, empty when there is none to send
	effort string       // its level as one of our words, empty for a budget
	notice *llm.Warning // what the user should know of it
}

// thinking decides what a request says about thinking. The families since
// Gemini 3 have levels, Gemini 2.5 has a budget of tokens.
func (c *codec) thinking(req llm.Request) thought {
	facts := c.endpoint.Facts(req.Model)
	if req.Level == "" || facts.Thoughtless() {
		return thought{}
	}
	name := strings.ToLower(bare(req.Model))
	if strings.Contains(name, "gemini-2.5") {
		return budget(name, req.Level)
	}
	words := facts.Efforts
	if len(words) == 0 {
		if facts.Thinking || !demandsSignatures(name) {
			return thought{}
		}
		words = []string{"low", "high"} // what every model of the family has
	}
	word, exact := provider.Effort(req.Level, c.endpoint.Efforts(req.Model, words))
	if word == "" {
		return thought{}
	}
	t := thought{effort: word, config: thinkingConfig(req.Level, "thinkingLevel", `"`+strings.ToUpper(word)+`"`)}
	if !exact {
		t.notice = provider.LevelWarning(req.Model, req.Level, word)
	}
	return t
}

func thinkingConfig(level llm.Level, name, value string) string {
	return `{"includeThoughts":` + strconv.FormatBool(level != llm.LevelOff) + `,"` + name + `":` + value + `}`
}

// budget returns the tokens that Gemini 2.5 may think. Its larger model cannot
// do without.
func budget(name string, level llm.Level) thought {
	tokens := map[llm.Level]int{
		llm.LevelOff: 0, llm.LevelLow: 1024, llm.LevelMedium: 8192, llm.LevelHigh: 16384, llm.LevelMax: 24576,
	}[level]
	var t thought
	if strings.Contains(name, "pro") {
		switch level {
		case llm.LevelOff:
			tokens = 128
			t.notice = provider.LevelWarning(name, level, "128 tokens")
		case llm.LevelMax:
			tokens = 32768
		case llm.LevelLow, llm.LevelMedium, llm.LevelHigh:
		}
	}
	t.config = thinkingConfig(level, "thinkingBudget", strconv.Itoa(tokens))
	return t
}

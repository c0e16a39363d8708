package anthropic

import (
	"strings"

	"assent/internal/llm"
	"assent/internal/provider"
)

// mode is how a model generation is asked to think.
type mode int

const (
	silent   mode = iota // nothing is sent
	adaptive             // the model decides, under an effort
	budget               // a number of tokens
	disabled             // said explicitly, where the default is to think
)

// thought is what a request says about thinking.
type thought struct {
	mode   mode
	effort string // for adaptive; empty: the model's default
	tokens int    // for budget
	// instead names what a missing level became; empty when it is exact.
	instead string
}

// budgets are the tokens of a level on models that take a number.
var budgets = map[llm.Level]int{llm.LevelLow: 4096, llm.LevelMedium: 10240, llm.LevelHigh: 20480, llm.LevelMax: 31999}

// thinking decides what a request says about thinking.
func (c *codec) thinking(req llm.Request) thought {
	facts := c.endpoint.Facts(req.Model)
	gen := generationOf(req.Model)
	no := func(param string) bool { return c.endpoint.Refused(req.Model, param) }
	if req.Level == "" || no("thinking") {
		return thought{}
	}
	takesAdaptive := gen.adaptive() && !no("adaptive") || no("enabled") || no("budget_tokens")
	if req.Level == llm.LevelOff {
		switch {
		case gen.always() || no("disabled"):
			return thought{mode: adaptive, effort: c.effort(req.Model, "low"), instead: "low"}
		case takesAdaptive:
			return thought{mode: disabled}
		}
		return thought{}
	}
	if facts.Thoughtless() || gen.known() && !gen.thinks() {
		return thought{instead: string(llm.LevelOff)}
	}
	if takesAdaptive {
		if no("adaptive") {
			return thought{}
		}
		word, exact := provider.Effort(req.Level, c.endpoint.Efforts(req.Model, efforts(facts, gen)))
		t := thought{mode: adaptive, effort: c.effort(req.Model, word)}
		if !exact {
			t.instead = word
		}
		return t
	}
	return c.budget(req)
}

// effort is the word to send, empty where the model takes none.
func (c *codec) effort(model, word string) string {
	if c.endpoint.Refused(model, "effort") || c.endpoint.Refused(model, "output_config") {
		return ""
	}
	return word
}

// budget gives thinking a share of the output that leaves room for the answer.
func (c *codec) budget(req llm.Request) thought {
	if c.bare { // the last calls came without thinking, which these models refuse
		return thought{}
	}
	tokens := min(budgets[req.Level], c.maxTokens(req)*3/4)
	if tokens < 1024 {
		return thought{instead: string(llm.LevelOff)}
	}
	return thought{mode: budget, tokens: tokens}
}

// efforts are the words that a model takes.
func efforts(f provider.Facts, g generation) []string {
	switch {
	case len(f.Efforts) > 0:
		return f.Efforts
	case g.atLeast(4, 7):
		return []string{"low", "medium", "high", "xhigh", "max"}
	}
	return []string{"low", "medium", "high", "max"}
}

// maxTokens is the limit of a response: the request's, else the model's, kept
// where a long input would leave a small window no room for so much.
func (c *codec) maxTokens(req llm.Request) int {
	facts := c.endpoint.Facts(req.Model)
	limit := facts.MaxOutput
	switch {
	case c.endpoint.MaxOutput(req.Model) > 0:
		limit = c.endpoint.MaxOutput(req.Model)
	case limit == 0 && generationOf(req.Model).known() && !generationOf(req.Model).atLeast(3, 7):
		limit = 4096
	case limit == 0 || limit > 32000 && facts.ContextWindow <= 200_000:
		limit = 32000
	case limit > 64000:
		limit = 64000
	}
	if req.MaxOutput > 0 {
		return min(limit, req.MaxOutput)
	}
	return limit
}

// generation is what an id says of a model's age: "claude-opus-4-8" is 4.8.
type generation struct {
	family       string
	major, minor int
}

func generationOf(id string) generation {
	_, id, ok := strings.Cut(strings.ToLower(id), "claude")
	if !ok {
		return generation{}
	}
	var g generation
	numbers := 0
	for _, word := range strings.FieldsFunc(id, func(r rune) bool { return strings.ContainsRune("-._@:/", r) }) {
		n, isNumber := small(word)
		switch {
		case isNumber && numbers == 0:
			g.major, numbers = n, 1
		case isNumber && numbers == 1 && g.family == "" || isNumber && numbers == 1 && g.minor == 0:
			g.minor, numbers = n, 2
		case !isNumber && g.family == "":
			if numbers == 1 {
				numbers = 2 // claude-3-opus: no minor follows the family
			}
			g.family = word
		}
	}
	return g
}

// small reads a version number of one or two digits; a date is none.
func small(word string) (int, bool) {
	if len(word) > 2 {
		return 0, false
	}
	n := 0
	for _, r := range word {
		if r < '0' || r > '9' {
			return 0, false
		}
		n = n*10 + int(r-'0')
	}
	return n, true
}

func (g generation) known() bool { return g.major > 0 }

func (g generation) atLeast(major, minor int) bool {
	return g.major > major || g.major == major && g.minor >= minor
}

// adaptive says that the model decides how much it thinks; from 4.7 on it
// refuses a budget.
func (g generation) adaptive() bool { return g.atLeast(4, 6) }

// thinks says that the model can think at all.
func (g generation) thinks() bool { return g.atLeast(3, 7) }

// always says that thinking cannot be switched off.
func (g generation) always() bool {
	return g.atLeast(5, 5) || g.atLeast(5, 0) && (g.family == "fable" || g.family == "mythos")
}

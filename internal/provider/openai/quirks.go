package openai

import (
	"strings"

	"assent/internal/late"
	"assent/internal/llm"
	"assent/internal/provider"
	"assent/internal/wireview"
)

// echo says what a server wants to see again of the reasoning it sent.
type echo int

const (
	echoNone     echo = iota // nothing: unknown fields are refused by many
	echoReceived             // what it sent, in the field that it came in
	echoCalls                // also an empty one on every response with calls
)

// thinking says how a server is told to think.
type thinking int

const (
	thinkEffort   thinking = iota // reasoning_effort
	thinkDeepSeek                 // thinking.type, and reasoning_effort when on
	thinkSwitch                   // thinking.type alone
	thinkRouter                   // reasoning.effort or reasoning.enabled
)

// quirks are the ways in which a server or model family differs. The zero
// value is a plain compatible server.
type quirks struct {
	echo     echo
	thinking thinking
	// maxTokens is the name of the output limit.
	maxTokens string
	// off is the effort for no thinking where the catalogue does not say.
	off string
	// cacheKey: prompt_cache_key is known.
	cacheKey bool
	// cacheControl: caching is asked for with a field of its own.
	cacheControl bool
	// noUserAfterTool: a user message must not follow a result.
	noUserAfterTool bool
	// id is the form that call ids must have.
	id func(string) string
}

// quirksOf knows servers by their address and families by the model's name.
func quirksOf(name, host, model string) quirks {
	model = strings.ToLower(model)
	at := func(domain string) bool { return host == domain || strings.HasSuffix(host, "."+domain) }
	q := quirks{maxTokens: "max_tokens", id: anyID}
	switch {
	case at("openai.com"), at("openai.azure.com"):
		return quirks{maxTokens: "max_completion_tokens", cacheKey: at("openai.com"), id: func(s string) string { return wireview.SafeID(s, 40) }}
	case at("openrouter.ai"):
		q.echo, q.thinking, q.cacheControl = echoReceived, thinkRouter, strings.HasPrefix(model, "anthropic/")
		return q
	case at("groq.com"):
		q.maxTokens = "max_completion_tokens"
		return q
	case at("mistral.ai"):
		q.noUserAfterTool, q.id = true, mistralID
		return q
	case name == ollama:
		q.off = "none"
	}
	switch {
	case at("deepseek.com"):
		q.echo, q.thinking = echoCalls, thinkDeepSeek
	case at("moonshot.ai"), at("moonshot.cn"), at("kimi.com"):
		q.echo, q.thinking = echoCalls, thinkSwitch
	case strings.Contains(model, "deepseek"), strings.Contains(model, "kimi"):
		q.echo = echoCalls
	}
	return q
}

// anyID keeps the ids of servers that take any; a model may depend on the form
// of its own.
func anyID(id string) string {
	if id != "" && len(id) <= 64 && !strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return id
	}
	return wireview.SafeID(id, 64)
}

var nineLetters = late.Regexp(`^[A-Za-z0-9]{9}$`)

func mistralID(id string) string {
	if nineLetters().MatchString(id) {
		return id
	}
	return wireview.ShortID(id, 9)
}

// effortParam is the parameter for effort of most servers.
const effortParam = "reasoning_effort"

// effort is how a server is told how hard to think.
type effort struct {
	params [][2]string  // name and JSON value
	word   string       // the word among them, empty for none
	notice *llm.Warning // what the user should know of it
}

// effort decides how a server is told how hard to think.
func (q quirks) effort(req llm.Request, e *provider.Endpoint) effort {
	level, facts := req.Level, e.Facts(req.Model)
	if level == "" || facts.Thoughtless() {
		return effort{}
	}
	var how effort
	words := facts.Efforts
	switch {
	case q.thinking == thinkSwitch || q.thinking == thinkDeepSeek && level == llm.LevelOff:
		return effort{params: [][2]string{{"thinking", `{"type":"` + onOff(level) + `"}`}}}
	case q.thinking == thinkDeepSeek:
		how.params = [][2]string{{"thinking", `{"type":"enabled"}`}}
		if len(words) == 0 {
			words = []string{"low", "high", "max"}
		}
	case q.thinking == thinkRouter && level == llm.LevelOff:
		return effort{params: [][2]string{{"reasoning", `{"enabled":false}`}}}
	case len(words) > 0:
	case facts.Known && facts.Thinking:
		return effort{} // it thinks as it likes
	case level == llm.LevelOff:
		if q.off == "" {
			return effort{}
		}
		words = []string{q.off}
	default:
		words = []string{"low", "medium", "high"} // what most servers know
	}
	word, exact := provider.Effort(level, e.Efforts(req.Model, words))
	if word == "" {
		return how
	}
	if how.word = word; !exact {
		how.notice = provider.LevelWarning(req.Model, level, word)
	}
	if q.thinking == thinkRouter {
		how.params = append(how.params, [2]string{"reasoning", `{"effort":"` + word + `"}`})
	} else {
		how.params = append(how.params, [2]string{effortParam, `"` + word + `"`})
	}
	return how
}

func onOff(level llm.Level) string {
	if level == llm.LevelOff {
		return "disabled"
	}
	return "enabled"
}

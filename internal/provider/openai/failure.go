package openai

import (
	"errors"
	"net/http"
	"strings"

	"assent/internal/llm"
	"assent/internal/provider"
)

// failure returns the failure in an error.
func failure(err error) (*llm.Failure, bool) {
	var f *llm.Failure
	return f, errors.As(err, &f)
}

// apiError returns the server's own words on a refusal.
func apiError(f *llm.Failure) provider.APIError {
	var api *provider.APIError
	if errors.As(f, &api) {
		return *api
	}
	return provider.APIError{Message: f.Message}
}

// refusedParam returns which of the sent parameters a refusal names, "" for
// none. Longer names are looked for first, since one may contain another.
func refusedParam(f *llm.Failure, sent []string) string {
	if f.Kind != llm.KindProvider || f.Status != http.StatusBadRequest && f.Status != http.StatusUnprocessableEntity {
		return ""
	}
	api := apiError(f)
	best := ""
	for _, p := range sent {
		if api.Param == p {
			return p
		}
		if len(p) > len(best) && (strings.HasPrefix(api.Param, p+".") || mentions(api.Message, p)) {
			best = p
		}
	}
	return best
}

// mentions tells a parameter's name as a word of its own. "include" is a word
// of plain English too, so a name without a mark must be quoted.
func mentions(text, param string) bool {
	if !strings.ContainsAny(param, "_.") {
		for _, q := range []string{"'", `"`, "`"} {
			if strings.Contains(text, q+param+q) {
				return true
			}
		}
		return false
	}
	for rest := text; ; {
		before, after, ok := strings.Cut(rest, param)
		if !ok {
			return false
		}
		if !endsInWord(before) && !beginsWithWord(after) {
			return true
		}
		rest = after
	}
}

func endsInWord(s string) bool { return s != "" && wordByte(s[len(s)-1]) }

func beginsWithWord(s string) bool { return s != "" && wordByte(s[0]) }

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// toolless rewrites the failure of a model that cannot call tools, in the
// words of the servers that say so.
func toolless(f *llm.Failure, model string) {
	if f.Kind != llm.KindProvider {
		return
	}
	text := strings.ToLower(apiError(f).Message)
	for _, words := range []string{
		"does not support tools", "support tool use", "tools is not supported", "`tools` is not supported",
		"tool calling is not supported", "does not support tool calling", "does not support function calling",
		"function calling is not enabled", "tool choice requires",
	} {
		if strings.Contains(text, words) {
			f.Message = "the model " + model + " cannot call tools here, and assent works through tools; choose another model, or turn tool calls on in the server (" + f.Message + ")"
			return
		}
	}
}

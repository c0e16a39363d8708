package provider

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"assent/internal/llm"
)

// plainLimit is an output limit that nearly every model takes.
const plainLimit = 8192

// MaxOutput is the most output tokens that the server said to take for a model,
// 0 when it said nothing.
func (e *Endpoint) MaxOutput(model string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.outputs[model]
}

// LowerOutput answers a refusal of the output limit that was sent: from now on
// the limit that the refusal names is sent, or a small one where it names none.
// It returns false when that is no lower limit than before.
func (x *Exchange) LowerOutput(err error, model string, sent int, emit func(llm.Chunk)) bool {
	text := err.Error()
	var api *APIError
	if errors.As(err, &api) {
		text = api.Message
	}
	limit := namedLimit(text, sent)
	if limit == 0 {
		limit = plainLimit
	}
	if limit >= sent {
		return false
	}
	x.endpoint.mu.Lock()
	if x.endpoint.outputs == nil {
		x.endpoint.outputs = map[string]int{}
	}
	x.endpoint.outputs[model] = limit
	x.endpoint.mu.Unlock()
	emit(llm.Warning{Text: fmt.Sprintf("%s refused an output limit of %d tokens for %s; going on with %d", x.endpoint.Name(), sent, model, limit)})
	return true
}

// namedLimit is the largest number below the refused one that a text names by
// itself, 0 when there is none. Numbers within words are versions and dates;
// very small ones are no limit of a model.
func namedLimit(text string, sent int) int {
	best := 0
	for _, word := range strings.Fields(text) {
		n, err := strconv.Atoi(strings.ReplaceAll(strings.Trim(word, "().,:;'\"`"), ",", ""))
		if err == nil && n < sent && n >= 256 {
			best = max(best, n)
		}
	}
	return best
}

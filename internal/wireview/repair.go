package wireview

import (
	"assent/internal/llm"
)

// Repair returns what a provider may see of items.
func Repair(items []llm.Item, provider, model string) []llm.Item {
	r := newRepairer(provider, model)
	return r.batch(items)
}

// Strip returns items as a new epoch may show them: without reasoning, and
// without the opaque data of any provider.
func Strip(items []llm.Item) []llm.Item { return items }

type repairer struct {
	provider, model string
	used            map[string]bool
}

func newRepairer(provider, model string) repairer {
	return repairer{provider: provider, model: model, used: map[string]bool{}}
}

func (r *repairer) batch(items []llm.Item) []llm.Item { return items }

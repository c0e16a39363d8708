package wireview

import "assent/internal/llm"

// Strip returns items as a new epoch may show them: without reasoning, and
// without the opaque data of any provider, because both are bound to the
// bytes that stood before them. What they said in the open stays.
func Strip(items []llm.Item) []llm.Item {
	out := make([]llm.Item, len(items))
	for i, it := range items {
		if a, ok := it.(llm.Assistant); ok {
			a.Parts = stripParts(a.Parts)
			it = a
		}
		out[i] = it
	}
	return out
}

func stripParts(parts []llm.Part) []llm.Part {
	out := make([]llm.Part, 0, len(parts))
	for _, p := range parts {
		switch p := p.(type) {
		case llm.Text:
			p.Opaque = llm.Opaque{}
			out = append(out, p)
		case llm.Reasoning:
		case llm.Call:
			p.Opaque = llm.Opaque{}
			out = append(out, p)
		}
	}
	return out
}

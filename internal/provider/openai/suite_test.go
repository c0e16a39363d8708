package openai_test

import (
	"strings"
	"testing"

	"assent/internal/provider"
	"assent/internal/provider/openai"
	"assent/internal/provider/providertest"
)

func suiteMaker(wires ...provider.Wire) providertest.Maker {
	return func(o provider.Options) (providertest.Model, error) {
		c, err := openai.New(o, wires...)
		if err != nil {
			return nil, err
		}
		return c.Conversation(), nil
	}
}

func TestChatSuite(t *testing.T) {
	t.Parallel()
	providertest.Suite(t, provider.WireOpenAI, suiteMaker(provider.WireOpenAI))
}

func TestResponsesSuite(t *testing.T) {
	t.Parallel()
	providertest.Suite(t, provider.WireResponses, suiteMaker(provider.WireResponses))
}

// TestResponsesThatNeverEnd: whatever a server repeats, it is given up in time.
func TestResponsesThatNeverEnd(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 32<<10)
	chat := func(d string) string { return "data: " + delta(d) + "\n\n" }
	for name, c := range map[string]struct {
		wire  provider.Wire
		piece string
	}{
		"chat refusal":           {provider.WireOpenAI, chat(`{"refusal":"` + long + `"}`)},
		"chat details":           {provider.WireOpenAI, chat(`{"reasoning_details":[{"type":"reasoning.encrypted","data":"x"}]}`)},
		"chat detail that grows": {provider.WireOpenAI, chat(`{"reasoning_details":[{"type":"reasoning.text","index":0,"text":"` + long + `"}]}`)},
		"chat calls":             {provider.WireOpenAI, chat(`{"tool_calls":[{"id":"","function":{"name":"list","arguments":"{}"}}]}`)},
		"responses refusal":      {provider.WireResponses, `data: {"type":"response.refusal.delta","output_index":0,"delta":"` + long + `"}` + "\n\n"},
		"responses items":        {provider.WireResponses, `data: {"type":"response.output_item.added","output_index":0,"item":{"type":"message"}}` + "\n\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			providertest.Endless(t, c.wire, suiteMaker(c.wire), "", c.piece)
		})
	}
}

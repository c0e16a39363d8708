package openai_test

import (
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

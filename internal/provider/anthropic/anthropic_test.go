package anthropic_test

import (
	"testing"

	"assent/internal/provider"
	"assent/internal/provider/anthropic"
	"assent/internal/provider/providertest"
)

func TestMain(m *testing.M) { providertest.NoLeak(m) }

func TestSuite(t *testing.T) {
	t.Parallel()
	providertest.Suite(t, provider.WireAnthropic, open)
}

// open makes a conversation with the catalogue's facts.
func open(o provider.Options) (providertest.Model, error) {
	c, err := anthropic.New(o)
	if err != nil {
		return nil, err
	}
	return c.Conversation(), nil
}

package app

import (
	"context"
	"testing"

	"assent/internal/engine"
	"assent/internal/llm"
)

// plain is a model whose server says nothing of its window, serving one that
// does.
type (
	plain   struct{}
	serving int
)

func (plain) Stream(context.Context, llm.Request, func(llm.Chunk)) (llm.Reply, error) {
	return llm.Reply{}, nil
}

func (serving) Stream(context.Context, llm.Request, func(llm.Chunk)) (llm.Reply, error) {
	return llm.Reply{}, nil
}

func (s serving) Window() int { return int(s) }

// PROV-33: the smaller window counts.
func TestWindow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		known int
		model engine.Model
		want  int
	}{
		{200_000, plain{}, 200_000},
		{128_000, serving(2048), 2048},
		{0, serving(4096), 4096},
		{8192, serving(32_768), 8192},
		{8192, serving(0), 8192},
		{0, serving(0), 0},
	} {
		if got := window(c.known, c.model); got != c.want {
			t.Errorf("window of %d known and %v is %d, want %d", c.known, c.model, got, c.want)
		}
	}
}

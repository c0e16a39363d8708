package files

import (
	"fmt"

	"assent/internal/llm"
	"assent/internal/picture"
	"assent/internal/tool"
)

// picture shows an image, made to fit what providers take: a conversation that
// holds one which they refuse would be refused for ever.
func (t tools) picture(path string, data []byte) (tool.Result, error) {
	t.drawing.Lock()
	p, err := picture.Fit(data)
	t.drawing.Unlock()
	if err != nil {
		return tool.Result{}, fmt.Errorf("read %s: %w", path, err)
	}
	note := describe(p)
	return tool.Result{
		Output: fmt.Sprintf("[%s: %s]", path, note), Summary: note,
		Images: []llm.Image{{MIME: p.MIME, Data: p.Data, Name: path}},
	}, nil
}

// describe says what an image is and what was done to it: who measures in a
// copy has to know that it is one.
func describe(p picture.Picture) string {
	note := fmt.Sprintf("%s image, %d×%d, %s", p.From.Kind(), p.From.Width, p.From.Height, size(p.From.Bytes))
	if !p.Changed() {
		return note
	}
	what := "shown as"
	if p.Moving {
		what = "its first frame shown as"
	}
	return fmt.Sprintf("%s; %s a %s of %d×%d", note, what, p.Kind(), p.Width, p.Height)
}

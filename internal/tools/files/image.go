package files

import (
	"context"
	"fmt"

	"assent/internal/llm"
	"assent/internal/picture"
	"assent/internal/tool"
)

// picture shows an image, made to fit what providers take: a conversation that
// holds one which they refuse would be refused for ever.
func (t tools) picture(ctx context.Context, path string, data []byte) (tool.Result, error) {
	p, err := t.fit(ctx, data)
	if err != nil {
		return tool.Result{}, fmt.Errorf("read %s: %w", path, err)
	}
	note := describe(p)
	return tool.Result{
		Output: fmt.Sprintf("[%s: %s]", path, note), Summary: note,
		Images: []llm.Image{{MIME: p.MIME, Data: p.Data, Name: path}},
	}, nil
}

// fit makes one image at a time smaller; the others wait for it as long as
// their calls do.
func (t tools) fit(ctx context.Context, data []byte) (picture.Picture, error) {
	if p, ok := picture.Fits(data); ok {
		return p, nil
	}
	select {
	case t.drawing <- struct{}{}:
	case <-ctx.Done():
		return picture.Picture{}, ctx.Err()
	}
	defer func() { <-t.drawing }()
	return picture.Fit(data, ctx.Err)
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

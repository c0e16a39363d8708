package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"assent/internal/host"
	"assent/internal/llm"
	"assent/internal/medium"
	"assent/internal/picture"
)

// mostDropped bounds the file of an image that the user drops, in bytes.
const mostDropped = 64 << 20

// picture answers what an image is whose path the user pasted or dropped. It
// may lie anywhere: to name it is the user's own act, and nothing but an image
// is taken. In the workspace the rules for reading hold as they do for "@".
func (q *answers) picture(ctx context.Context, name string) (host.Expansion, error) {
	l := q.loaded()
	file := name
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		file = filepath.Join(q.app.home(), rest)
	} else if !filepath.IsAbs(name) {
		file = filepath.Join(l.root, name)
	}
	size, ok := regular(file)
	if !ok {
		return host.Expansion{}, nil // so it is a text
	}
	if model, blind := q.blind(); blind {
		return host.Expansion{}, fmt.Errorf("%s sees no images", model)
	}
	if rel, err := filepath.Rel(l.root, file); err == nil && filepath.IsLocal(rel) {
		rel = filepath.ToSlash(rel)
		x, err := q.through(ctx, rel, "read_file", map[string]any{"path": rel})
		if err != nil || len(x.Images) == 0 {
			return host.Expansion{}, err // its name only says that it is one
		}
		return x, nil
	}
	if size > mostDropped {
		return host.Expansion{}, fmt.Errorf("it has %d MB, at most %d are read", size>>20, mostDropped>>20)
	}
	return readPicture(ctx, file)
}

// regular is the size of a file; ok is false for everything else.
func regular(file string) (size int64, ok bool) {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	return info.Size(), true
}

// readPicture reads an image and makes it fit what providers take.
func readPicture(ctx context.Context, file string) (host.Expansion, error) {
	f, err := os.Open(file)
	if err != nil {
		return host.Expansion{}, medium.Plain(err, "file or folder")
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostDropped))
	if err != nil {
		return host.Expansion{}, medium.Plain(err, "file or folder")
	}
	p, err := picture.Fit(data, ctx.Err)
	switch {
	case errors.Is(err, picture.ErrKind):
		return host.Expansion{}, nil // its name only says that it is one
	case err != nil:
		return host.Expansion{}, err
	}
	base := filepath.Base(file)
	note := fmt.Sprintf("%s image, %d×%d", p.From.Kind(), p.From.Width, p.From.Height)
	if p.Changed() {
		note += fmt.Sprintf("; shown as a %s of %d×%d", p.Kind(), p.Width, p.Height)
	}
	return host.Expansion{
		OK: true, Label: base, Text: fmt.Sprintf("[%s: %s]", base, note),
		Images: []llm.Image{{MIME: p.MIME, Data: p.Data, Name: base}},
	}, nil
}

// blind reports whether the model that answers now is known to see no images.
func (q *answers) blind() (model string, blind bool) {
	q.c.mu.Lock()
	c := q.c.choice
	q.c.mu.Unlock()
	return c.model, q.c.models != nil && q.c.models.facts(c).Blind()
}

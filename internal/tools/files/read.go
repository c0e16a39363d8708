package files

import (
	"context"
	"fmt"
	"strings"

	"assent/internal/amount"
	"assent/internal/crew"
	"assent/internal/gate"
	"assent/internal/llm"
	"assent/internal/policy"
	"assent/internal/tool"
)

type readInput struct {
	Path   string `json:"path"`
	Offset int    `json:"offset,omitempty" jsonschema:"first line, counted from 1"`
	Limit  int    `json:"limit,omitempty" jsonschema:"number of lines (default 2000)"`
}

func (t tools) readFile() tool.Tool {
	return tool.Define(tool.Definition{
		Name: "read_file", Effect: policy.Read, Set: tool.Core,
		Description: "Read a file. Lines come as number→text; the number and the arrow are no part of the file. Images are shown.",
		Title:       "path",
	}, func(in readInput) policy.Plan {
		return touch(policy.AccessRead, in.Path)
	}, func(ctx context.Context, h gate.Hands, in readInput) (tool.Result, error) {
		return t.read(ctx, h, in, viewBytes)
	})
}

// read shows one file, as text or as an image.
func (t tools) read(ctx context.Context, h gate.Hands, in readInput, most int) (tool.Result, error) {
	f, err := h.Read(in.Path, maxFile)
	if err != nil {
		return tool.Result{}, explain(in.Path, err)
	}
	if llm.ImageType(f.Data) != "" {
		shown, err := t.picture(ctx, in.Path, f.Data)
		if err == nil {
			h.MarkSeen(in.Path, f.Data)
		}
		return shown, err
	}
	d, err := t.decode(h, in.Path, f)
	if err != nil {
		return tool.Result{}, err
	}
	v, err := show(d.text, in.Offset, in.Limit, most)
	if err != nil {
		return tool.Result{}, fmt.Errorf("%s: %w", in.Path, err)
	}
	h.MarkSeen(in.Path, f.Data)
	t.memory.put(gate.Hash(f.Data), d.text.Content)
	summary := amount.Of(v.last-v.first+1, "line")
	if v.last-v.first+1 < v.total {
		summary = fmt.Sprintf("lines %d-%d of %d", v.first, v.last, v.total)
	}
	return tool.Result{Output: v.text, Summary: summary}, nil
}

type manyInput struct {
	Files []readInput `json:"files" jsonschema:"the files to read, at most 20"`
}

func (t tools) readMany() tool.Tool {
	return tool.Define(tool.Definition{
		Name: "read_many_files", Effect: policy.Read, Set: tool.EditPlus,
		Description: "Read up to 20 files at once. Each comes as a block, in order; one that cannot be read says why in its block.",
		Title:       "files",
		Bounds:      map[string]tool.Bound{"files": {Min: 1, Max: 20}},
	}, func(in manyInput) policy.Plan {
		paths := make([]string, 0, len(in.Files))
		for _, f := range in.Files {
			paths = append(paths, f.Path)
		}
		return touch(policy.AccessRead, paths...)
	}, t.readAll)
}

// readers is how many files are read at the same time.
const readers = 6

func (t tools) readAll(ctx context.Context, h gate.Hands, in manyInput) (tool.Result, error) {
	type block struct {
		result tool.Result
		err    error
	}
	blocks := make([]block, len(in.Files))
	most := max(2*viewBytes/len(in.Files), 16_000)
	var all crew.Group
	free := make(chan struct{}, readers)
	for i, f := range in.Files {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			if err := ctx.Err(); err != nil {
				blocks[i].err = err
				return
			}
			blocks[i].result, blocks[i].err = t.read(ctx, h, f, min(most, viewBytes))
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return tool.Result{}, err
	}
	var out strings.Builder
	var r tool.Result
	failed := 0
	for i, b := range blocks {
		fmt.Fprintf(&out, "==> %s <==\n", in.Files[i].Path)
		if b.err != nil {
			failed++
			fmt.Fprintf(&out, "error: %v\n\n", b.err)
			continue
		}
		out.WriteString(b.result.Output + "\n\n")
		r.Images = append(r.Images, b.result.Images...)
	}
	r.Output = strings.TrimSuffix(out.String(), "\n\n")
	r.Summary = amount.Of(len(blocks)-failed, "file")
	if failed > 0 {
		r.Summary += fmt.Sprintf(", %d failed", failed)
	}
	r.Failed = failed == len(blocks)
	return r, nil
}

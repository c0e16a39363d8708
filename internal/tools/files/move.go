package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/tool"
	"assent/internal/workspace"
)

type moveInput struct {
	From string `json:"from"`
	To   string `json:"to" jsonschema:"its new path, file name included"`
}

func (t tools) moveFile() tool.Tool {
	return tool.Define(tool.Definition{
		Name: "move_file", Effect: policy.Write, Set: tool.EditPlus,
		Description: "Move or rename a file. Folders are made; nothing is overwritten.",
		Title:       "from",
		Detail:      nil,
	}, func(in moveInput) policy.Plan {
		return touch(policy.AccessWrite, in.From, in.To)
	}, func(ctx context.Context, h gate.Hands, in moveInput) (tool.Result, error) {
		leave, err := t.turn(ctx)
		if err != nil {
			return tool.Result{}, err
		}
		defer leave()
		err = h.Move(in.From, in.To)
		switch {
		case errors.Is(err, fs.ErrExist):
			return tool.Result{}, fmt.Errorf("%s exists already and was not overwritten; delete it first, or give the whole new path, file name included", in.To)
		case err != nil:
			return tool.Result{}, explainMove(in, err)
		}
		return tool.Result{Output: fmt.Sprintf("Moved %s to %s.", in.From, in.To), Summary: "moved to " + in.To}, nil
	})
}

func explainMove(in moveInput, err error) error {
	if k, ok := errors.AsType[*workspace.KindError](err); ok && k.Kind == workspace.KindDirectory {
		return fmt.Errorf("%s is a directory; only files are moved, one at a time", in.From)
	}
	if errors.Is(err, workspace.ErrOutside) {
		return fmt.Errorf("move %s to %s: %w", in.From, in.To, workspace.ErrOutside)
	}
	return explain(in.From, err)
}

type deleteInput struct {
	Path string `json:"path"`
}

func (t tools) deleteFile() tool.Tool {
	return tool.Define(tool.Definition{
		Name: "delete_file", Effect: policy.Write, Set: tool.EditPlus,
		Description: "Delete a file (never a folder).",
		Title:       "path",
	}, func(in deleteInput) policy.Plan {
		return touch(policy.AccessWrite, in.Path)
	}, func(ctx context.Context, h gate.Hands, in deleteInput) (tool.Result, error) {
		leave, err := t.turn(ctx)
		if err != nil {
			return tool.Result{}, err
		}
		defer leave()
		if err := h.Remove(in.Path); err != nil {
			if k, ok := errors.AsType[*workspace.KindError](err); ok && k.Kind == workspace.KindDirectory {
				return tool.Result{}, fmt.Errorf("%s is a directory; only files are deleted, one at a time", in.Path)
			}
			return tool.Result{}, explain(in.Path, err)
		}
		return tool.Result{Output: "Deleted " + in.Path + ".", Summary: "deleted"}, nil
	})
}

package git

import (
	"context"
	"fmt"
	"strings"

	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/tool"
)

// Bounds of git_log.
const (
	defaultLog = 20
	mostLog    = 200
)

type logInput struct {
	Limit int    `json:"limit,omitempty"`
	Path  string `json:"path,omitempty"`
}

func (o Options) log() tool.Tool {
	return tool.Define(tool.Definition{
		Name: "git_log", Effect: policy.Read, Set: tool.Git, Title: "path",
		Description: "Newest commits, one a line.",
		Bounds:      map[string]tool.Bound{"limit": {Min: 1, Max: mostLog}},
	}, func(in logInput) policy.Plan {
		return reads(in.Path, policy.AccessTree)
	}, func(ctx context.Context, h gate.Hands, in logInput) (tool.Result, error) {
		if in.Limit == 0 {
			in.Limit = defaultLog
		}
		res, err := h.Git(ctx, gate.GitRead{
			Sub:   "log",
			Flags: []string{fmt.Sprintf("-n%d", in.Limit), "--format=%h %ad %an: %s%d", "--date=short"},
			Paths: only(in.Path),
		})
		if err != nil && strings.Contains(err.Error(), "does not have any commits") {
			return tool.Result{Output: "No commits yet.", Summary: "no commits"}, nil
		}
		if err != nil {
			return tool.Result{}, err
		}
		n := strings.Count(string(res.Stdout), "\n")
		return o.result(res, "git log", "No commit touches it.", fmt.Sprintf("%d commits", n)), nil
	})
}

type showInput struct {
	Ref  string `json:"ref"`
	Path string `json:"path,omitempty"`
}

func (o Options) show() tool.Tool {
	return tool.Define(tool.Definition{
		Name: "git_show", Effect: policy.Read, Set: tool.Git, Title: "ref",
		Description: "One commit: message and diff.",
		Bounds:      map[string]tool.Bound{"ref": {Min: 1}},
	}, func(in showInput) policy.Plan {
		return reads(in.Path, policy.AccessTree)
	}, func(ctx context.Context, h gate.Hands, in showInput) (tool.Result, error) {
		res, err := h.Git(ctx, gate.GitRead{
			Sub:   "show",
			Flags: []string{"--format=commit %H%d%nauthor %an <%ae>%ndate %ad%n%n%B", "--date=iso", "--stat", "--patch"},
			Revs:  []string{in.Ref}, Paths: only(in.Path),
		})
		if err != nil {
			return tool.Result{}, err
		}
		return o.result(res, "git show", "Nothing changed there.", changes(string(res.Stdout))), nil
	})
}

type blameInput struct {
	Path  string `json:"path"`
	Start int    `json:"start_line,omitempty"`
	End   int    `json:"end_line,omitempty"`
}

func (o Options) blame() tool.Tool {
	return tool.Define(tool.Definition{
		Name: "git_blame", Effect: policy.Read, Set: tool.Git, Title: "path",
		Description: "Who last changed each line of a file, and in which commit.",
		Bounds:      map[string]tool.Bound{"path": {Min: 1}, "start_line": {Min: 1}, "end_line": {Min: 1}},
	}, func(in blameInput) policy.Plan {
		return reads(in.Path, policy.AccessRead)
	}, func(ctx context.Context, h gate.Hands, in blameInput) (tool.Result, error) {
		if in.End > 0 && in.End < in.Start {
			return tool.Result{}, fmt.Errorf("blame %s: end_line %d is before start_line %d", in.Path, in.End, in.Start)
		}
		r := gate.GitRead{Sub: "blame", Flags: []string{"--date=short"}, Paths: []string{in.Path}}
		if in.Start > 0 || in.End > 0 {
			end := ""
			if in.End > 0 {
				end = fmt.Sprint(in.End)
			}
			r.Flags = append(r.Flags, fmt.Sprintf("-L%d,%s", max(in.Start, 1), end))
		}
		res, err := h.Git(ctx, r)
		if err != nil {
			return tool.Result{}, err
		}
		n := strings.Count(string(res.Stdout), "\n")
		return o.result(res, "git blame", "The file is empty.", fmt.Sprintf("%d lines", n)), nil
	})
}

type branchInput struct {
	Remote bool `json:"remote,omitempty"`
}

func (o Options) branch() tool.Tool {
	return tool.Define(tool.Definition{
		Name: "git_branch", Effect: policy.Read, Set: tool.Git,
		Description: "Branches, the current one marked *.",
	}, func(branchInput) policy.Plan {
		return reads("", policy.AccessTree)
	}, func(ctx context.Context, h gate.Hands, in branchInput) (tool.Result, error) {
		r := gate.GitRead{Sub: "branch", Flags: []string{"--format=%(HEAD) %(refname:short) %(objectname:short) %(committerdate:short) %(subject)"}}
		if in.Remote {
			r.Flags = append(r.Flags, "--remotes")
		}
		res, err := h.Git(ctx, r)
		if err != nil {
			return tool.Result{}, err
		}
		n := strings.Count(string(res.Stdout), "\n")
		return o.result(res, "git branch", "There are none.", fmt.Sprintf("%d branches", n)), nil
	})
}

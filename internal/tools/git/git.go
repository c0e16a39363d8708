package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/proc"
	"assent/internal/tool"
)

// Options make the tools.
type Options struct {
	// Shorten cuts an output to what a model should see and reports whether it
	// cut anything. Nil cuts nothing.
	Shorten func(output, command string) (short string, cut bool)
	// Writer drafts commit messages; without one that tool is not made.
	Writer Writer
}

// Tools returns the git tools.
func Tools(o Options) tool.Set {
	if o.Shorten == nil {
		o.Shorten = func(s, _ string) (string, bool) { return s, false }
	}
	set := tool.Set{o.status(), o.diff(), o.log(), o.show(), o.blame(), o.branch()}
	if o.Writer != nil {
		set = append(set, o.message())
	}
	return set
}

// reads plans to read a path and what is below it; empty is the workspace.
func reads(path string, access policy.Access) policy.Plan {
	if path == "" {
		path = "."
	}
	return policy.Plan{Subjects: []policy.Subject{{Kind: policy.KindPath, Text: path, Access: access}}}
}

// only is the path of a call, as a list.
func only(path string) []string {
	if path == "" {
		return nil
	}
	return []string{path}
}

// result words what git printed; nothing is what to say when it printed
// nothing.
func (o Options) result(res gate.GitResult, command, nothing, summary string) tool.Result {
	whole := strings.TrimRight(proc.Clean(res.Stdout), "\n")
	if whole == "" {
		whole = nothing
	}
	if res.Truncated > 0 {
		whole += fmt.Sprintf("\n[%d bytes in the middle were not kept; give a path]", res.Truncated)
	}
	short, cut := o.Shorten(whole, command)
	r := tool.Result{Output: short + leftOut(res.LeftOut), Summary: summary}
	if cut {
		r.Raw = whole
	}
	return r
}

func leftOut(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "\n[1 changed file is left out: it may not be read]"
	}
	return fmt.Sprintf("\n[%d changed files are left out: they may not be read]", n)
}

type statusInput struct{}

func (o Options) status() tool.Tool {
	return tool.Define(tool.Definition{
		Name: "git_status", Effect: policy.Read, Set: tool.Git,
		Description: "Branch and changed files.",
	}, func(statusInput) policy.Plan {
		return reads("", policy.AccessTree)
	}, func(ctx context.Context, h gate.Hands, _ statusInput) (tool.Result, error) {
		res, err := h.Git(ctx, gate.GitRead{Sub: "status", Flags: []string{"--branch"}})
		if err != nil {
			return tool.Result{}, err
		}
		text, changed := porcelain(string(res.Stdout))
		res.Stdout = []byte(text)
		summary := fmt.Sprintf("%d changed", changed)
		if changed == 0 && res.LeftOut == 0 {
			res.Stdout = []byte(text + "nothing changed")
			summary = "clean"
		}
		return o.result(res, "git status", "", summary), nil
	})
}

// porcelain turns the records of status --porcelain=v1 -z into lines, one for
// each changed file.
func porcelain(z string) (text string, changed int) {
	var b strings.Builder
	fields := strings.Split(strings.TrimSuffix(z, "\x00"), "\x00")
	for i := 0; i < len(fields); i++ {
		f := fields[i]
		switch {
		case strings.HasPrefix(f, "## "):
			fmt.Fprintf(&b, "branch %s\n", named(f[3:]))
			continue
		case len(f) < 4 || f[2] != ' ' || strings.ContainsFunc(f[:2], unicode.IsControl):
			continue // no entry
		}
		changed++
		if (f[0] == 'R' || f[0] == 'C' || f[1] == 'R' || f[1] == 'C') && i+1 < len(fields) {
			i++
			fmt.Fprintf(&b, "%s%s -> %s\n", f[:3], named(fields[i]), named(f[3:]))
			continue
		}
		b.WriteString(f[:3] + named(f[3:]) + "\n")
	}
	return b.String(), changed
}

// named is a name of a file on a line: in quotes where it would end the line,
// or be taken for something else.
func named(file string) string {
	if strings.ContainsFunc(file, unicode.IsControl) || strings.HasPrefix(file, `"`) {
		return strconv.Quote(file)
	}
	return file
}

type diffInput struct {
	Staged bool   `json:"staged,omitempty"`
	Path   string `json:"path,omitempty"`
}

func (o Options) diff() tool.Tool {
	return tool.Define(tool.Definition{
		Name: "git_diff", Effect: policy.Read, Set: tool.Git, Title: "path",
		Description: "Unstaged changes, or the staged ones.",
	}, func(in diffInput) policy.Plan {
		return reads(in.Path, policy.AccessTree)
	}, func(ctx context.Context, h gate.Hands, in diffInput) (tool.Result, error) {
		r := gate.GitRead{Sub: "diff", Paths: only(in.Path)}
		nothing := "No unstaged changes. Untracked files are not shown."
		if in.Staged {
			r.Flags, nothing = []string{"--staged"}, "Nothing is staged."
		}
		res, err := h.Git(ctx, r)
		if err != nil {
			return tool.Result{}, err
		}
		return o.result(res, "git diff", nothing, changes(string(res.Stdout))), nil
	})
}

// changes counts what a diff does, for people.
func changes(diff string) string {
	files, added, removed, hunk := 0, 0, 0, false
	for line := range strings.SplitSeq(diff, "\n") {
		switch {
		case strings.HasPrefix(line, "diff --"):
			files++
			hunk = false
		case strings.HasPrefix(line, "@@"):
			hunk = true
		case hunk && strings.HasPrefix(line, "+"):
			added++
		case hunk && strings.HasPrefix(line, "-"):
			removed++
		}
	}
	return fmt.Sprintf("%d files, +%d -%d", files, added, removed)
}

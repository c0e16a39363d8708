package files

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"assent/internal/amount"
	"assent/internal/edit"
	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/tool"
	"assent/internal/workspace"
)

type patchInput struct {
	Patch string `json:"patch" jsonschema:"the patch, from *** Begin Patch to *** End Patch"`
}

func (t tools) applyPatch() tool.Tool {
	return tool.Define(tool.Definition{
		Name: "apply_patch", Effect: policy.Write, Set: tool.EditPlus,
		Description: patchDescription,
		Title:       "patch",
		Detail: func(input json.RawMessage) string {
			var in patchInput
			_ = json.Unmarshal(input, &in) // checked already
			return in.Patch
		},
	}, planPatch, func(ctx context.Context, h gate.Hands, in patchInput) (tool.Result, error) {
		return t.patch(ctx, h, in.Patch)
	})
}

const patchDescription = `Change several files with one patch, all or none:
*** Begin Patch
*** Add File: PATH
+line
*** Update File: PATH
*** Move to: NEWPATH (optional)
@@ a line that stands before the change (optional)
 kept line
-removed line
+inserted line
*** Delete File: PATH
*** End Patch
Give about three kept lines around each change.`

// planPatch names every path of a patch. Of a malformed one it names what its
// markers name, so that it is judged all the same.
func planPatch(in patchInput) policy.Plan {
	var paths, content []string
	p, err := edit.ParsePatch(in.Patch)
	if err != nil {
		return touch(policy.AccessWrite, edit.PatchPaths(in.Patch)...)
	}
	for _, f := range p.Files {
		paths = append(paths, f.Path)
		if f.MoveTo != "" {
			paths = append(paths, f.MoveTo)
		}
		text := f.Content
		for _, c := range f.Chunks {
			for _, l := range c.Lines {
				if l.Op == '+' {
					text += l.Text + "\n"
				}
			}
		}
		if text != "" {
			content = append(content, text)
		}
	}
	plan := touch(policy.AccessWrite, paths...)
	plan.Content = content
	return plan
}

func (t tools) patch(ctx context.Context, h gate.Hands, text string) (tool.Result, error) {
	leave, err := t.turn(ctx)
	if err != nil {
		return tool.Result{}, err
	}
	defer leave()
	p, err := edit.ParsePatch(text)
	if err != nil {
		return tool.Result{}, fmt.Errorf("nothing was changed: %w", err)
	}
	s := &stage{tools: t, hands: h}
	how := make([]string, len(p.Files)) // of each section, what needs saying of it
	for i, f := range p.Files {
		if err := ctx.Err(); err != nil {
			return tool.Result{}, err // nothing is written yet
		}
		switch f.Kind {
		case edit.Add:
			how[i], err = s.add(f)
		case edit.Delete:
			err = s.remove(f)
		case edit.Update:
			var a edit.Applied
			var note string
			a, note, err = s.update(f)
			how[i] = fit(a, note)
		}
		if err != nil {
			return tool.Result{}, fmt.Errorf("nothing was changed: %w", err)
		}
	}
	if len(s.steps()) == 0 {
		return tool.Result{}, fmt.Errorf("nothing was changed: the files are already as the patch would leave them")
	}
	if err := s.commit(); err != nil {
		return tool.Result{}, fmt.Errorf("apply patch: %w", err)
	}
	return s.report(p, how), nil
}

// fit says how tolerant a section's match was, unless it was exact, and a note.
func fit(a edit.Applied, note string) string {
	var list []string
	if a.Tier != "" && a.Tier != edit.Exact {
		list = append(list, tier(a.Tier))
	}
	if a.Stripped {
		list = append(list, "after taking off the line numbers of the read view")
	}
	if len(a.First) > 0 {
		list = append(list, "the first of several such places after its anchor was taken: old "+edit.Lines(a.First))
	}
	if note != "" {
		list = append(list, note)
	}
	return strings.Join(list, ", ")
}

// report tells what a patch did: a line for each section, then the changed
// places.
func (s *stage) report(p edit.Patch, how []string) tool.Result {
	var out, places, diff strings.Builder
	out.WriteString("Applied the patch:")
	for i, f := range p.Files {
		out.WriteString("\n" + sectionLine(f))
		if how[i] != "" {
			out.WriteString(" (" + how[i] + ")")
		}
	}
	inserted, removed := 0, 0
	told := map[string]bool{}
	for _, f := range s.files {
		old, text := f.texts()
		if old == text {
			continue
		}
		told[f.name] = true
		in, rm := edit.Stat(old, text)
		inserted, removed = inserted+in, removed+rm
		diff.WriteString(edit.Diff(f.name, old, text))
		if f.exists {
			s.memory.put(gate.Hash(f.data), text)
			for _, n := range notes(f.name, f.found) {
				out.WriteString("\n" + n)
			}
		}
		if f.stale && f.exists {
			out.WriteString("\n" + f.name + " had moved on since you read it; the patch still fitted.")
		}
		if f.exists && old != "" {
			fmt.Fprintf(&places, "\n\n%s:\n%s", f.name, strings.TrimSuffix(snippet(text, edit.Changed(old, text)), "\n"))
		}
	}
	for _, warning := range s.warnings {
		out.WriteString("\n" + warning)
	}
	if diff.Len() > 0 {
		diff.WriteString(remarks(p, told))
	}
	return tool.Result{
		Output:  out.String() + places.String(),
		Summary: fmt.Sprintf("%s, +%d -%d", amount.Of(len(p.Files), "file"), inserted, removed),
		Diff:    diff.String(),
	}
}

// remarks tell, below a diff, what it does not: that a file goes or gets another
// name, and each section of a file whose text it does not show.
func remarks(p edit.Patch, told map[string]bool) string {
	var b strings.Builder
	for _, f := range p.Files {
		if f.Kind == edit.Delete || f.MoveTo != "" || !told[f.Path] {
			b.WriteString(`\ ` + sectionLine(f) + "\n")
		}
	}
	return b.String()
}

// texts are a file's content before and after, as far as they are text.
func (f *staged) texts() (old, text string) {
	found := f.found.Data
	if f.from != nil {
		found = f.from.found.Data
	}
	if f.gone && !f.exists || f.exists && !f.own {
		return "", "" // told at its new name, or as it was
	}
	for _, side := range []struct {
		data []byte
		text *string
	}{{found, &old}, {f.data, &text}} {
		if t, err := workspace.Decode(side.data); err == nil {
			*side.text = t.Content
		}
	}
	return old, text
}

func sectionLine(f edit.FilePatch) string {
	switch {
	case f.Kind == edit.Add:
		return "A " + f.Path
	case f.Kind == edit.Delete:
		return "D " + f.Path
	case f.MoveTo != "" && len(f.Chunks) == 0:
		return "R " + f.Path + " → " + f.MoveTo
	case f.MoveTo != "":
		return "R " + f.Path + " → " + f.MoveTo + ", " + amount.Of(len(f.Chunks), "change")
	default:
		return "M " + f.Path + ", " + amount.Of(len(f.Chunks), "change")
	}
}

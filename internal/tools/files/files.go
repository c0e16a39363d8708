package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"golang.org/x/text/unicode/norm"

	"assent/internal/amount"
	"assent/internal/gate"
	"assent/internal/policy"
	"assent/internal/tool"
	"assent/internal/workspace"
)

// maxFile is the size in bytes up to which a file is read or edited.
const maxFile = 20_000_000

// Tools returns the file tools. Tools made by one call share the memory of
// contents that changed files are compared with, and take turns at writing, so
// make them once for all agents of a workspace.
func Tools() tool.Set {
	t := tools{memory: newMemory(32 << 20), writing: make(chan struct{}, 1), drawing: make(chan struct{}, 1)}
	return tool.Set{
		t.readFile(), t.writeFile(), t.editFile(),
		t.multiEdit(), t.applyPatch(), t.moveFile(), t.deleteFile(), t.listDir(), t.readMany(),
	}
}

type tools struct {
	memory *memory
	// writing is filled from reading a file to writing it back, so that agents
	// that work side by side do not lose each other's edits. Of other programs
	// the hands know when they replace a file.
	writing chan struct{}
	// drawing is filled while an image is made smaller: a large one takes memory
	// and time. One that fits is not waited for.
	drawing chan struct{}
}

// turn waits for the turn to write, which ends with leave. A patch of another
// agent may take long; the error is the context's.
func (t tools) turn(ctx context.Context) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case t.writing <- struct{}{}:
		return func() { <-t.writing }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// touch plans paths that are touched in one way.
func touch(access policy.Access, paths ...string) policy.Plan {
	var p policy.Plan
	for _, path := range paths {
		p.Subjects = append(p.Subjects, policy.Subject{Kind: policy.KindPath, Text: path, Access: access})
	}
	return p
}

// document is a text file as it was found.
type document struct {
	workspace.File
	text workspace.Text
	// stale says that the file changed since the model saw it; was is what it
	// saw, when that is still remembered.
	stale bool
	was   string
	knew  bool
}

// open reads a text file.
func (t tools) open(h gate.Hands, path string) (document, error) {
	f, err := h.Read(path, maxFile)
	if err != nil {
		return document{}, explain(path, err)
	}
	return t.decode(h, path, f)
}

// decode reads what was found as text.
func (t tools) decode(h gate.Hands, path string, f workspace.File) (document, error) {
	text, err := workspace.Decode(f.Data)
	if err != nil {
		return document{}, fmt.Errorf("%s (%s): %w", path, size(len(f.Data)), err)
	}
	d := document{File: f, text: text}
	if hash, ok := h.Seen(path); ok && hash != gate.Hash(f.Data) {
		d.stale = true
		d.was, d.knew = t.memory.get(hash)
	}
	return d, nil
}

// save writes a text file in its encoding, and remembers it as seen.
func (t tools) save(h gate.Hands, path string, d document, content string) error {
	data, err := d.text.Encode(content)
	if err != nil {
		return fmt.Errorf("%s was left as it is: %w; write it without that character, or convert the file first", path, err)
	}
	if err := h.Replace(path, data, 0, &d.File); err != nil {
		return explain(path, err)
	}
	t.memory.put(gate.Hash(data), content)
	return nil
}

// explain words an error of the hands for the model, with what to do next.
func explain(path string, err error) error {
	if k, ok := errors.AsType[*workspace.KindError](err); ok {
		switch k.Kind {
		case workspace.KindDirectory:
			return fmt.Errorf("%s is a directory, not a file; list it with list_dir", path)
		case workspace.KindTooLarge:
			return fmt.Errorf("%s is too large (%s, at most %s); search it with grep or cut a part out with bash", path, size(int(k.Size)), size(int(k.Max)))
		default:
			return fmt.Errorf("%s is a %s, not a regular file", path, k.Kind)
		}
	}
	switch {
	case errors.Is(err, workspace.ErrOutside):
		return fmt.Errorf("%s is outside the workspace; only the user can add folders to it", path)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file (paths are relative to the workspace root)", path)
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s exists already", path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: the system does not permit it (%w)", path, err)
	default:
		return err
	}
}

// notes are what is worth knowing about a file that was written.
func notes(path string, f workspace.File) []string {
	var list []string
	if f.Link {
		list = append(list, fmt.Sprintf("%s is a link; its target %s was written and the link kept.", path, f.Path.RealRel))
	}
	if f.HardLinks > 1 {
		list = append(list, fmt.Sprintf("The file had %d hard links; only this name has the new content.", f.HardLinks))
	}
	return list
}

// join puts the parts of an output together, a blank line before the last when
// it has several lines of its own.
func join(first string, notes []string, body string) string {
	lines := append([]string{first}, notes...)
	if body != "" {
		lines = append(lines, "", strings.TrimSuffix(body, "\n"))
	}
	return strings.Join(lines, "\n")
}

// normal gives the normal form that the unicode tier compares.
func normal(s string) string { return norm.NFC.String(s) }

// size is a number of bytes for people.
func size(n int) string {
	switch {
	case n < 1000:
		return amount.Of(n, "byte")
	case n < 1_000_000:
		return fmt.Sprintf("%.1f KB", float64(n)/1000)
	default:
		return fmt.Sprintf("%.1f MB", float64(n)/1_000_000)
	}
}

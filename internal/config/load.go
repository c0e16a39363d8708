package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/tailscale/hujson"

	"assent/internal/medium"
)

// Sources says where the layers are.
type Sources struct {
	// User and Project are the paths of the files; one that does not exist is
	// an empty layer, and "" is none.
	User, Project string
	// Root is the real path of the project, the name of its grants in the
	// user's file.
	Root string
	// Trusted says that the user trusted the project.
	Trusted bool
	// NoHooks says that the user wants none, so that it is no fault when a
	// file names some.
	NoHooks bool
	// Env looks up a variable of the environment; nil is an empty one.
	Env func(string) (string, bool)
	// Flags are values given on the command line, by field name.
	Flags map[string]string
	Words Words
}

// variables are the environment's names of fields.
var variables = []struct{ name, field string }{
	{"ASSENT_PROVIDER", "provider"},
	{"ASSENT_MODEL", "model"},
	{"ASSENT_BASE_URL", "baseUrl"},
	{"ASSENT_API_KEY", "apiKey"},
}

// Load reads every layer. The error is Faults when something is wrong with
// what a file, a variable or a flag says, and another error when a file cannot
// be read.
func Load(s Sources) (Config, error) {
	r := reader{sources: s, config: defaults()}
	if err := r.file(s.User, false); err != nil {
		return Config{}, err
	}
	r.config.FileProvider = r.config.Provider
	if err := r.file(s.Project, true); err != nil {
		return Config{}, err
	}
	if s.Env != nil {
		r.config.EnvProvider, _ = s.Env("ASSENT_PROVIDER")
		for _, v := range variables {
			if value, ok := s.Env(v.name); ok && value != "" {
				r.word(v.name, v.field, value)
			}
		}
	}
	for _, f := range fields {
		if value, ok := s.Flags[f.name]; ok {
			r.word("--"+flagName(f.name), f.name, value)
		}
	}
	if len(r.faults) > 0 {
		return Config{}, r.faults
	}
	return r.config, nil
}

// Check returns every fault of one file, and what in it has no effect yet.
func Check(path string, project bool, words Words) (Faults, []string, error) {
	r := reader{sources: Sources{Words: words}, config: defaults()}
	if err := r.file(path, project); err != nil {
		return nil, nil, err
	}
	return r.faults, r.config.Idle, nil
}

func flagName(field string) string {
	switch field {
	case "maxCostUsd":
		return "max-cost"
	case "maxSteps":
		return "max-steps"
	case "baseUrl":
		return "base-url"
	case "thinking":
		return "think"
	}
	return field
}

// reader gathers the layers into one Config.
type reader struct {
	sources Sources
	config  Config
	faults  Faults
	passed  bool // the value that was read last does not count
}

// node is a value with its place, for decoding and for faults.
type node struct {
	r       *reader
	file    string
	text    []byte
	field   string
	value   *hujson.Value
	project bool
}

func (n node) line() int {
	return 1 + bytes.Count(n.text[:min(n.value.StartOffset, len(n.text))], []byte("\n"))
}

func (n node) place() string { return fmt.Sprintf("%s:%d", n.file, n.line()) }

func (n node) fault(format string, args ...any) {
	n.r.faults = append(n.r.faults, Fault{n.file, n.line(), n.field, fmt.Sprintf(format, args...)})
}

// held notes what an untrusted project did not get.
func (n node) held(what string) {
	n.r.config.Held = append(n.r.config.Held, fmt.Sprintf("%s: %s", n.place(), what))
}

// passOver says that the value does not count, so that it is not named as the
// source of what holds.
func (n node) passOver() { n.r.passed = true }

// file reads one layer.
func (r *reader) file(path string, project bool) error {
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the config %s: %w", path, medium.Plain(err, "file"))
	}
	r.text(path, text, project)
	return nil
}

// text reads what a file holds.
func (r *reader) text(path string, text []byte, project bool) {
	_, text = cutBOM(text)
	if len(bytes.TrimSpace(text)) == 0 {
		return
	}
	whole := text
	if !bytes.HasSuffix(text, []byte("\n")) { // a comment on the last line needs its line end
		whole = append(text[:len(text):len(text)], '\n')
	}
	root, err := hujson.Parse(whole)
	if err != nil {
		r.faults = append(r.faults, Fault{File: path, Line: errorLine(err), Message: "not valid JSON with comments: " + syntax(err)})
		return
	}
	n := node{r: r, file: path, text: text, value: &root, project: project}
	members, ok := n.members()
	if !ok {
		return
	}
	for _, m := range members {
		r.field(m)
	}
}

// field decodes one member of the root object.
func (r *reader) field(n node) {
	f, ok := find(n.field)
	switch {
	case !ok && free(n.field):
	case !ok:
		n.fault("%s", Unknown("field", n.field, names()))
	case n.project && f.project == never:
		n.fault("a project's config may not set this, or a cloned repository could reach your key or your settings; set it in your own config")
	case n.project && f.project == trusted && !r.sources.Trusted:
		n.held(n.field + " waits until you trust this project (assent trust)")
	default:
		if f.later != "" && says(n.value) {
			r.idle(f, n)
		}
		r.passed = false
		f.set(&r.config, n)
		if !r.passed {
			r.config.Source[n.field] = sources(r.config.Source[n.field], n.place(), f.adds)
		}
	}
}

// sources is where a field comes from when another file sets it: from both where
// the one adds to the other.
func sources(was, now string, adds bool) string {
	if !adds || was == "" {
		return now
	}
	return was + ", " + now
}

// idle tells of a field that has no effect yet. A hook may be what keeps a call
// from running, so where none runs nothing begins, unless the user said that
// none shall.
func (r *reader) idle(f field, n node) {
	switch {
	case !f.unsafe:
		r.config.Idle = append(r.config.Idle, fmt.Sprintf("%s: %s has no effect yet: this version %s", n.place(), f.name, f.later))
	case !r.sources.NoHooks:
		n.fault("this version %s yet, and nothing may pass a hook that could not decide; take the field out, or run with --no-hooks", f.later)
	}
}

// says reports whether a value says anything: an empty list, object or text
// does not, nor one that holds only such.
func says(v *hujson.Value) bool {
	switch value := v.Value.(type) {
	case *hujson.Object:
		return slices.ContainsFunc(value.Members, func(m hujson.ObjectMember) bool { return says(&m.Value) })
	case *hujson.Array:
		return slices.ContainsFunc(value.Elements, func(e hujson.ArrayElement) bool { return says(&e) })
	}
	text := v.Value.Kind() == '"' && len(v.Value.(hujson.Literal)) == 2
	return !text && v.Value.Kind() != 'n'
}

// word sets a field from a variable or a flag.
func (r *reader) word(from, field, value string) {
	f, _ := find(field)
	text := []byte(value)
	if !f.number {
		text, _ = json.Marshal(value) // a text has no value that fails
	}
	parsed, err := hujson.Parse(text)
	if err != nil {
		r.faults = append(r.faults, Fault{File: from, Message: fmt.Sprintf("not a valid value: %q", value)})
		return
	}
	before := len(r.faults)
	f.set(&r.config, node{r: r, file: from, text: text, value: &parsed})
	for i := before; i < len(r.faults); i++ {
		r.faults[i].Line = 0 // a flag has no lines
	}
	r.config.Source[field] = from
}

func names() []string {
	list := make([]string, 0, len(fields))
	for _, f := range fields {
		list = append(list, f.name)
	}
	slices.Sort(list)
	return list
}

func find(name string) (field, bool) {
	for _, f := range fields {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}

// free reports whether a field is the user's own and ignored.
func free(name string) bool {
	return name == "$schema" || name == "schemaVersion" || len(name) > 2 && name[:2] == "x-"
}

// errorLine finds the line in a parse error's text.
func errorLine(err error) int {
	var line, column int
	text := err.Error()
	if i := bytes.Index([]byte(text), []byte("line ")); i >= 0 {
		if _, err := fmt.Sscanf(text[i:], "line %d, column %d", &line, &column); err == nil {
			return line
		}
	}
	return 0
}

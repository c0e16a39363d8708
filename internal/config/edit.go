package config

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"assent/internal/lock"
	"assent/internal/medium"
	"assent/internal/whole"
)

// Set writes one field of a config file and keeps everything else byte for
// byte, comments and unknown text included. The file and its folder are made
// when they do not exist (0600, 0700). A path of several parts goes into
// nested objects. The value is JSON; text that is no JSON is taken as a
// string. The edited file is checked before it replaces the old one. Processes
// that edit at once do so one after the other; the end of ctx ends the wait.
func Set(ctx context.Context, file string, path []string, value string, words Words) error {
	unlock, err := own(ctx, file)
	if err != nil {
		return err
	}
	defer unlock()
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the config %s: %w", file, medium.Plain(err, "file"))
	}
	text, err := Edit(old, path, value)
	if err != nil {
		return fmt.Errorf("set %s in %s: %w", JoinPath(path...), file, err)
	}
	if added := addedFaults(faultsOf(file, old, words), faultsOf(file, text, words)); len(added) > 0 {
		return added
	}
	return replace(file, text)
}

// addedFaults are those that an edit would bring, without a place: their lines
// are not in the file.
func addedFaults(before, after Faults) (added Faults) {
	for _, f := range after {
		if !slices.ContainsFunc(before, func(b Fault) bool { return b.Field == f.Field && b.Message == f.Message }) {
			added = append(added, Fault{Field: f.Field, Message: f.Message})
		}
	}
	return added
}

// own takes the lock of a config file; the folder is made when it is not there.
func own(ctx context.Context, file string) (unlock func(), err error) {
	if err := whole.Mkdir(filepath.Dir(file)); err != nil {
		return nil, fmt.Errorf("make the config folder: %w", err)
	}
	held, err := lock.Wait(ctx, file, lock.Patience)
	if err != nil {
		return nil, fmt.Errorf("edit the config: %w", err)
	}
	return func() { _ = held.Release() }, nil // closing the file unlocks it as well
}

// faultsOf checks text as the user's file.
func faultsOf(file string, text []byte, words Words) Faults {
	r := reader{sources: Sources{Words: words}, config: defaults()}
	r.text(file, text, false)
	return r.faults
}

// Edit returns the text of a config file with one field set.
func Edit(text []byte, path []string, value string) ([]byte, error) {
	if len(path) == 0 {
		return nil, errors.New("no field was named")
	}
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{\n}\n")
	}
	if !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text[:len(text):len(text)], '\n') // a comment on the last line needs its line end
	}
	bom, text := cutBOM(text)
	root, err := hujson.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the file is not valid JSON with comments, mend it first: line %d: %s", errorLine(err), syntax(err))
	}
	wanted, err := hujson.Parse([]byte(value))
	if err != nil {
		quoted, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		wanted = hujson.Value{Value: hujson.Literal(quoted)}
	}
	at := &root
	for i, part := range path {
		object, ok := at.Value.(*hujson.Object)
		if !ok {
			return nil, fmt.Errorf("%s is not an object", strings.Join(path[:i], "."))
		}
		k := slices.IndexFunc(object.Members, func(m hujson.ObjectMember) bool {
			return m.Name.Value.(hujson.Literal).String() == part
		})
		last := i == len(path)-1
		switch {
		case k >= 0 && last:
			object.Members[k].Value.Value = wanted.Value
		case k >= 0:
			at = &object.Members[k].Value
		case last:
			add(object, part, wanted, i)
		default:
			add(object, part, hujson.Value{Value: &hujson.Object{}}, i)
			at = &object.Members[len(object.Members)-1].Value
		}
	}
	return append(bom, root.Pack()...), nil
}

// cutBOM parts a byte order mark from the text behind it.
func cutBOM(text []byte) (bom, rest []byte) {
	mark := []byte("\xef\xbb\xbf")
	if rest, ok := bytes.CutPrefix(text, mark); ok {
		return mark, rest
	}
	return nil, text
}

// add appends a member in the object's own style: the indentation of the
// member before it, its trailing comma, and a comment on the last line stays
// on that line.
func add(object *hujson.Object, name string, v hujson.Value, depth int) {
	lead := hujson.Extra("\n" + strings.Repeat("  ", depth+1))
	v.BeforeExtra, v.AfterExtra = hujson.Extra(" "), nil
	if n := len(object.Members); n > 0 {
		before := object.Members[n-1].Name.BeforeExtra
		if i := bytes.LastIndexByte(before, '\n'); i >= 0 {
			lead = slices.Clone(before[i:])
		} else {
			lead = hujson.Extra(" ")
		}
		if i := bytes.IndexByte(object.AfterExtra, '\n'); i > 0 {
			if lead[0] == ' ' { // all stood on one line, and now a comment ends it
				lead = hujson.Extra("\n" + strings.Repeat("  ", depth+1))
			}
			lead = append(slices.Clone(object.AfterExtra[:i]), lead...)
			object.AfterExtra = object.AfterExtra[i:]
		}
		if object.Members[n-1].Value.AfterExtra != nil { // non-nil means a trailing comma
			v.AfterExtra = hujson.Extra{}
		}
	} else if !bytes.Contains(object.AfterExtra, []byte("\n")) {
		object.AfterExtra = hujson.Extra("\n" + strings.Repeat("  ", depth))
	}
	object.Members = append(object.Members, hujson.ObjectMember{
		Name:  hujson.Value{BeforeExtra: lead, Value: hujson.String(name)},
		Value: v,
	})
}

// Unset removes one field of a config file and keeps everything else, the
// comments included; there is false when the file did not set it.
func Unset(ctx context.Context, file string, path []string) (there bool, err error) {
	unlock, err := own(ctx, file)
	if err != nil {
		return false, err
	}
	defer unlock()
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read config: %w", err)
	}
	bom, rest := cutBOM(text)
	root, err := hujson.Parse(append(rest[:len(rest):len(rest)], '\n'))
	if err != nil {
		return false, fmt.Errorf("unset %s in %s: the file is not valid JSON with comments, mend it first: line %d: %s", strings.Join(path, "."), file, errorLine(err), syntax(err))
	}
	if root.Find(pointer(path)) == nil {
		return false, nil
	}
	patch, err := json.Marshal([]map[string]string{{"op": "remove", "path": pointer(path)}})
	if err != nil {
		return true, err
	}
	if err := root.Patch(patch); err != nil {
		return true, fmt.Errorf("unset %s in %s: %w", strings.Join(path, "."), file, err)
	}
	packed := root.Pack()
	return true, replace(file, append(bom, packed[:len(packed)-1]...))
}

// pointer is a path as a JSON pointer.
func pointer(path []string) string {
	var b strings.Builder
	for _, part := range path {
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(part))
	}
	return b.String()
}

// Get returns one field of a file as it stands there, as JSON; ok is false
// when the file does not set it. A key is masked, and so is the password of an
// address.
func Get(file string, path []string) (value string, ok bool, err error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("read config: %w", err)
	}
	_, text = cutBOM(text)
	root, err := hujson.Parse(append(text, '\n'))
	if err != nil {
		return "", false, fmt.Errorf("read %s: %w", file, err)
	}
	found := root.Find(pointer(path))
	if found == nil {
		return "", false, nil
	}
	if text, ok := found.Value.(hujson.Literal); ok && text.Kind() == '"' {
		shown, err := json.Marshal(Shown(path[0], text.String()))
		return string(shown), true, err
	}
	v := found.Clone()
	v.Standardize()
	v.Minimize()
	return string(v.Pack()), true, nil
}

// replace writes the file as a whole, so that a crash leaves the old one or the
// new one. A link stays a link. The file is the user's alone afterwards, for it
// may hold a key. The caller holds the lock.
func replace(file string, text []byte) error {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	err := whole.Sweep(file)
	if err == nil {
		err = whole.Replace(file, text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("write config: %w", err)
	}
	return nil
}

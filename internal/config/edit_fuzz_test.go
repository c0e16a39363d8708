package config_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"assent/internal/config"
)

// FuzzPath: a field that can be read is written so that it is read again.
func FuzzPath(f *testing.F) {
	for _, s := range []string{`models."gpt-5.2".contextWindow`, `"`, `a..b`, `"a"b`, `"".x`, "a b.\"c\t\"", `"\ud800".`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, field string) {
		path, err := config.ParsePath(field)
		if err != nil || !utf8.ValidString(field) {
			return
		}
		again, err := config.ParsePath(config.JoinPath(path...))
		if err != nil || !slices.Equal(again, path) {
			t.Fatalf("%q is %q, written %q, read %q, %v", field, path, config.JoinPath(path...), again, err)
		}
	})
}

// FuzzEdit: a field that was set stands there, and every other line is kept.
func FuzzEdit(f *testing.F) {
	f.Add("{ // c\n  \"a\": 1, // one\n}\n", "a", `"x"`)
	f.Add("", "a.b.c", "no json")
	f.Add("\xef\xbb\xbf{\"a\":{}}", "a.b", "[1,2,]")
	f.Add("{\"a\":1,\"a\":{}} // end", "a.b", "null")
	f.Fuzz(func(t *testing.T, text, field, value string) {
		path, err := config.ParsePath(field)
		if err != nil || !utf8.ValidString(field) {
			return
		}
		got, err := config.Edit([]byte(text), path, value)
		if err != nil {
			return
		}
		plain, err := hujson.Standardize(bytes.TrimPrefix(slices.Clone(got), []byte("\xef\xbb\xbf")))
		if err != nil {
			t.Fatalf("%q is no config: %v", got, err)
		}
		at := json.RawMessage(plain)
		for _, name := range path {
			var object map[string]json.RawMessage
			if err := json.Unmarshal(at, &object); err != nil {
				t.Fatalf("%q: %v", got, err)
			}
			at = object[name]
		}
		if at == nil {
			t.Fatalf("%q has no %q", got, path)
		}
		again, err := config.Edit(got, path, value)
		if err != nil || !bytes.Equal(again, got) {
			t.Fatalf("set twice: %q, then %q, %v", got, again, err)
		}
	})
}

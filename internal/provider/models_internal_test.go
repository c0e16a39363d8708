package provider

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// FuzzModelIDs: a list of models gives names that the server said, each once,
// and none that a terminal or a person would take for something else.
func FuzzModelIDs(f *testing.F) {
	for _, s := range []string{
		`{"object":"list","data":[{"id":"a","object":"model"},{"id":"b/c:1"},{"id":"a"},{"id":""},{"id":" "},null]}`,
		`{"data":[{"type":"model","id":"x-1","display_name":"X"}],"has_more":false}`,
		`{"models":[{"name":"models/g","supportedGenerationMethods":["generateContent"]},{"name":"models/e","supportedGenerationMethods":["embedContent"]},{"name":"models/"}]}`,
		`{"data":[{"id":"a\u001b[2J"},{"id":"b\nc"},{"id":"d\u202ee"},{"id":"f\ud83d"}],"models":[{"name":"h"}]}`,
		`{"data":null,"models":null}`, `{"data":[{"id":5}]}`, `[]`, `{"data":[]}`, "{\"data\":[{\"id\":\"\xff\"}]}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		ids, err := modelIDs(doc)
		if err != nil {
			if ids != nil {
				t.Fatalf("%q and %v", ids, err)
			}
			return
		}
		if !json.Valid(doc) {
			t.Fatalf("%q has %q", doc, ids)
		}
		seen := map[string]bool{}
		for _, id := range ids {
			odd := func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError }
			if seen[id] || strings.TrimSpace(id) == "" || !utf8.ValidString(id) || strings.ContainsFunc(id, odd) || len(id) > len(doc) {
				t.Fatalf("%q in %q", id, ids)
			}
			seen[id] = true
		}
		var list struct{ Data []struct{ ID string } }
		for _, id := range ids {
			list.Data = append(list.Data, struct{ ID string }{id})
		}
		whole, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := modelIDs(whole); len(ids) > 0 && (err != nil || !slices.Equal(again, ids)) {
			t.Fatalf("%q, again %q, %v", ids, again, err)
		}
	})
}

// TestModelIDsThatAreNone: what a server says is shown in lists and put into
// settings.
func TestModelIDsThatAreNone(t *testing.T) {
	t.Parallel()
	doc := `{"data":[{"id":"a"},{"id":""},{"id":"b\u001b]52;c;eA==\u0007"},{"id":"a"},{"id":"c\nd"},{"id":"e\u202ef"},{"id":"two words"},null]}`
	ids, err := modelIDs([]byte(doc))
	if err != nil || !slices.Equal(ids, []string{"a", "two words"}) {
		t.Errorf("%q, %v", ids, err)
	}
}

package provider

import (
	"bytes"
	"testing"
)

// FuzzPlaces: whatever place a refusal names, what is found there is a part of
// the request.
func FuzzPlaces(f *testing.F) {
	doc := []byte(`{"messages":[{"role":"user","content":[{"type":"image","source":{"data":"abc"}},"x",7,null]},{"content":"y"}],"input":{"0":[[1]]}}`)
	for _, path := range []string{".0.content.0.image.source.base64.data", "[1].content", ".[0].content.[3].", "[-1]", "..0", "[00].content[2].x", " and more"} {
		f.Add("messages", path)
	}
	f.Add("input", ".0[0][0]")
	f.Fuzz(func(t *testing.T, lead, path string) {
		if at, ok := walk(doc, lead, path); ok && (len(at) == 0 || !bytes.Contains(doc, at)) {
			t.Errorf("%s%s leads to %q", lead, path, at)
		}
		if n := namedLimit(path, 32000); n != 0 && (n < 256 || n >= 32000) {
			t.Errorf("%q names %d", path, n)
		}
	})
}

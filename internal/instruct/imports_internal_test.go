package instruct

import (
	"strings"
	"testing"
)

func FuzzImports(f *testing.F) {
	f.Add("see @a/b.md and `@c.md`\n```\n@d\n~~~\n@e.md\n```\n(@f.txt)")
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range imports(text) {
			if name == "" || strings.ContainsAny(name, " \t\n`") || !strings.Contains(text, "@"+name) {
				t.Fatalf("found %q", name)
			}
		}
	})
}

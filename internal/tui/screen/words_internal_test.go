package screen

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzCommand: a prompt is a command with a name that could be one, or a text.
func FuzzCommand(f *testing.F) {
	for _, s := range []string{"/help", "/config apiKey x", "/usr/bin", "/", "/A\tb", " /model\n x ", "/a:b-c", "//"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name, args, ok := Parse(text)
		if !ok {
			if name != "" || args != "" {
				t.Fatalf("%q is no command, but %q and %q", text, name, args)
			}
			return
		}
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz-:") != "" || args != strings.TrimSpace(args) || !strings.Contains(text, args) {
			t.Fatalf("%q is %q with %q", text, name, args)
		}
		if n, a, ok := Parse("/" + name + " " + args); !ok || n != name || a != args {
			t.Fatalf("%q is %q with %q, read again %q with %q", text, name, args, n, a)
		}
	})
}

// FuzzPicturePath: what is taken for the path of an image is one line with an
// image's ending.
func FuzzPicturePath(f *testing.F) {
	for _, s := range []string{"/a/b.png", `'/a b.png'`, `/a\ b.PNG`, "file:///a%20b.gif", "file://localhost/C:/x.jpg", `C:\x\y.webp`, `\\host\x.png`, "file:///%0a.png", "file:///%2", "x.png", `"/a.png`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := picturePath(text)
		if ok && (strings.ContainsAny(got, "\n\r") || !strings.Contains(got, ".") || len(got) > len(text)) {
			t.Fatalf("%q is %q", text, got)
		}
		if n := len(got); ok && utf8.ValidString(text) && n > 0 && got[n-1] == '/' {
			t.Fatalf("%q is a folder", got)
		}
	})
}

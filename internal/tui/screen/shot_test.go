package screen_test

import (
	"fmt"
	"strings"
	"testing"

	"assent/internal/host"
	"assent/internal/llm"
	"assent/internal/tui/screen"
)

// shot is what the host says of an image.
func shot(name string) host.Expansion {
	return host.Expansion{OK: true, Label: name, Text: "[" + name + ": PNG image]", Images: []llm.Image{{MIME: "image/png", Name: name, Data: []byte("p")}}}
}

func TestAPastedPathOfAnImage(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, path string }{
		{"bare", "/tmp/shot.png", "/tmp/shot.png"},
		{"with a blank behind it", "/tmp/shot.png ", "/tmp/shot.png"},
		{"in the home folder", "~/Pictures/a.JPG", "~/Pictures/a.JPG"},
		{"single quotes", "'/tmp/my shot.png'", "/tmp/my shot.png"},
		{"double quotes", `"/tmp/my shot.png"`, "/tmp/my shot.png"},
		{"escapes", `/tmp/my\ shot\ \(1\).png`, "/tmp/my shot (1).png"},
		{"a URL", "file:///tmp/my%20shot.png", "/tmp/my shot.png"},
		{"a URL with a host", "file://localhost/tmp/a.webp", "/tmp/a.webp"},
		{"a drive", `C:\Users\me\a.png`, `C:\Users\me\a.png`},
		{"a URL with a drive", "file:///C:/a.png", "C:/a.png"},
		{"relative", "docs/a.gif", "docs/a.gif"},
		{"a name alone", "shot.png", ""},
		{"no image", "/tmp/a.go", ""},
		{"a sentence", "look at\n/tmp/a.png", ""},
		{"a bad URL", "file:///tmp/%zz.png", ""},
		{"a control character", "file:///tmp/%0aa.png", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u := start(t)
			u.keys("see ")
			u.paste(tt.text)
			u.prompt("see " + tt.text)
			if tt.path == "" {
				want(t, u.did)
				return
			}
			want(t, u.did, screen.Ask{Query: host.Picture{Path: tt.path}})
		})
	}
}

func TestAPastedImageGoesAlong(t *testing.T) {
	t.Parallel()
	sent := func(text string) screen.Do {
		return screen.Do{Command: host.Submit{
			Text: text, Expanded: text + "\n\n--- a.png ---\n[a.png: PNG image]", Images: shot("a.png").Images,
		}}
	}
	u := start(t)
	u.keys("see ")
	u.paste("/tmp/a.png")
	u.keys(" now")
	u.answer(host.Picture{Path: "/tmp/a.png"}, shot("a.png"))
	u.prompt("see [image a.png] now")
	u.keys("!")
	u.prompt("see [image a.png] now!")
	u.did = nil
	want(t, u.keys("enter"), sent("see [image a.png] now!"))
	u.keys("up") // what is left of it is its path
	u.prompt("see /tmp/a.png now!")

	// Sent before the answer, it waits for it.
	u = start(t)
	u.paste("/tmp/a.png")
	u.did = nil
	want(t, u.keys("enter"))
	want(t, u.answer(host.Picture{Path: "/tmp/a.png"}, shot("a.png")), sent("[image a.png]"))

	// Given back, it is still there.
	u.keys("esc")
	u.take(screen.TookBack(u.s, []string{"[image a.png]"}))
	u.prompt("[image a.png]")
	u.did = nil
	want(t, u.keys("enter"), sent("[image a.png]"))

	// Who erases it does not send it.
	u = start(t)
	u.paste("/tmp/a.png")
	u.answer(host.Picture{Path: "/tmp/a.png"}, shot("a.png"))
	u.did = nil
	want(t, u.keys("backspace", "enter"), screen.Do{Command: host.Submit{Text: "[image a.png"}})
}

// What is no image, and what the model does not see, stays the text it was.
func TestAPastedPathThatIsNoImage(t *testing.T) {
	t.Parallel()
	u := start(t)
	u.paste("/tmp/a.png")
	u.did = nil
	want(t, u.keys("enter"))
	want(t, u.answer(host.Picture{Path: "/tmp/a.png"}, host.Expansion{}), screen.Do{Command: host.Submit{Text: "/tmp/a.png"}})

	u = start(t)
	u.paste("/tmp/a.png")
	u.fail(host.Picture{Path: "/tmp/a.png"}, "m sees no images")
	u.prompt("/tmp/a.png")
	if n := u.notes(); !strings.Contains(n, "m sees no images. It stays a path.") {
		t.Errorf("notes %q", n)
	}

	// In a command a path is meant as one.
	for _, begin := range []string{"!open ", "/export "} {
		u = start(t)
		u.keys(begin)
		u.did = nil
		u.paste("/tmp/a.png")
		want(t, u.did)
	}
}

func TestImagesOfOneNameAndManyOfThem(t *testing.T) {
	t.Parallel()
	u := start(t)
	for i := range 9 {
		file := fmt.Sprintf("/tmp/%d/a.png", i)
		u.paste(file)
		u.answer(host.Picture{Path: file}, shot("a.png"))
	}
	if !strings.Contains(u.text, "[image a.png][image a.png (2)]") || !strings.HasSuffix(u.text, "(8)]/tmp/8/a.png") {
		t.Errorf("the prompt is %q", u.text)
	}
	u.did = nil
	got := only(u.keys("enter"))
	if n := len(got[0].(screen.Do).Command.(host.Submit).Images); n != 8 {
		t.Errorf("%d images go along", n)
	}
	// The next prompt has room again.
	u.paste("/tmp/9/a.png")
	u.answer(host.Picture{Path: "/tmp/9/a.png"}, shot("a.png"))
	if !strings.HasPrefix(u.text, "[image a.png") {
		t.Errorf("the prompt is %q", u.text)
	}
}

package paint_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"assent/internal/tui/ink"
	"assent/internal/tui/paint"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// sizes are the terminals that each script is shown on.
var sizes = []struct {
	name  string
	style paint.Style
}{
	{"40x20 plain", paint.Style{Width: 40, Height: 20}},
	{"80x24", paint.Style{Width: 80, Height: 24, Color: ink.Mono}},
	{"80x24 dark", paint.Style{Width: 80, Height: 24, Color: ink.ANSI256}},
	{"120x40", paint.Style{Width: 120, Height: 40, Color: ink.Mono}},
	{"24x6", paint.Style{Width: 24, Height: 6, Color: ink.Mono}},
}

// picture is what a person sees: what was printed, a line, the live region and
// where the cursor is. Escapes are written as ␛; without colours they are left
// out.
func picture(printed []string, f paint.Frame, st paint.Style) string {
	var b strings.Builder
	for _, l := range printed {
		b.WriteString(l + "\n")
	}
	b.WriteString("~~~~\n")
	for _, l := range f.Lines {
		b.WriteString(l + "\n")
	}
	at := "hidden"
	if !f.Cursor.Hidden {
		at = fmt.Sprintf("%d,%d", f.Cursor.X, f.Cursor.Y)
	}
	fmt.Fprintf(&b, "~~~~ cursor %s", at)
	if f.Clipped {
		b.WriteString(", clipped")
	}
	text := b.String() + "\n"
	if st.Color == ink.Mono {
		return escapes.ReplaceAllString(text, "")
	}
	return strings.ReplaceAll(text, "\x1b", "␛")
}

func TestGoldens(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			u := start(t)
			u.run(string(archive.Files[0].Data))
			want := map[string]string{}
			for _, f := range archive.Files[1:] {
				want[f.Name] = string(f.Data)
			}
			archive.Files = archive.Files[:1]
			for _, size := range sizes {
				printed, frame := u.show(size.style)
				sound(t, printed, frame, size.style)
				got := picture(printed, frame, size.style)
				archive.Files = append(archive.Files, txtar.File{Name: size.name, Data: []byte(got)})
				if !*update && got != want[size.name] {
					t.Errorf("%s: got\n%s\nwant\n%s", size.name, got, want[size.name])
				}
			}
			if *update {
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

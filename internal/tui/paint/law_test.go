package paint_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"assent/internal/tui/ink"
	"assent/internal/tui/paint"
	"assent/internal/tui/screen"
)

// scripts are the lines of all goldens, to be mixed.
func scripts(tb testing.TB) [][]string {
	tb.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		tb.Fatal(err)
	}
	var all [][]string
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, strings.Split(strings.TrimSpace(string(txtar.Parse(data).Files[0].Data)), "\n"))
	}
	return all
}

// nasty are texts that test every place where a text from outside is drawn.
var nasty = []string{
	"\x1b[31mred\x1b[2J", "\x00\a\x7f", "\u202eabc", "\xff\xfe", "日本語のとても長い文です。", "👩‍👩‍👧👩‍👩‍👧", "e\u0301\u0301", strings.Repeat("word ", 60),
	strings.Repeat("x", 300), "a\nb\r\nc\td", "☺\ufe0f", "```go\nx", "| a |\n|---|\n| b |", "\n\n\n", "",
}

// spoil replaces the texts of an event by a nasty one.
func spoil(line, text string) string {
	var v any
	if json.Unmarshal([]byte(line), &v) != nil {
		return line
	}
	var walk func(v any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				if k != "type" && k != "id" && k != "status" && k != "kind" && k != "costUsd" {
					v[k] = walk(x)
				}
			}
		case []any:
			for i, x := range v {
				v[i] = walk(x)
			}
		case string:
			return text
		}
		return v
	}
	out, err := json.Marshal(walk(v))
	if err != nil {
		return line
	}
	return string(out)
}

func TestLawFramesFitAndAreSafe(t *testing.T) {
	t.Parallel()
	all := scripts(t)
	keys := []string{"up", "down", "enter", "esc", "ctrl+r", "ctrl+s", "left", "right", "a", "y", "e", "d", "tab", "/", "@"}
	rapid.Check(t, func(r *rapid.T) {
		u := start(t)
		for range rapid.IntRange(1, 3).Draw(r, "scripts") {
			for _, line := range rapid.SampledFrom(all).Draw(r, "script") {
				if strings.HasPrefix(line, "{") && rapid.IntRange(0, 3).Draw(r, "spoil") == 0 {
					line = spoil(line, rapid.SampledFrom(nasty).Draw(r, "nasty"))
				}
				u.run(line)
				if rapid.IntRange(0, 5).Draw(r, "key") == 0 {
					u.now = u.now.Add(1e9)
					u.press(rapid.SampledFrom(keys).Draw(r, "which"))
				}
			}
		}
		st := paint.Style{
			Width: rapid.IntRange(1, 130).Draw(r, "width"), Height: rapid.IntRange(1, 40).Draw(r, "height"),
			Color: ink.Color(rapid.IntRange(0, 4).Draw(r, "color")), Links: rapid.Bool().Draw(r, "links"),
		}
		printed, frame := u.show(st)
		sound(t, printed, frame, st)
		for _, l := range frame.Lines {
			if strings.Contains(escapes.ReplaceAllString(l, ""), strings.Repeat("─", 60)) {
				t.Fatalf("a rule in the frame: %q", l)
			}
		}
		for _, a := range u.s.Approvals {
			sound(t, paint.Preview(a, st), paint.Frame{Cursor: paint.Cursor{Hidden: true}}, st)
		}
	})
}

// TestLawThePromptIsNeverLost draws prompts of any kind and finds the
// character under the cursor where the frame says that it is.
func TestLawTheCursorStandsOnItsCharacter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab cd  efg\nhij日本")), 0, 120, -1).Draw(r, "text")
		at := rapid.IntRange(0, len(text)).Draw(r, "at")
		for at > 0 && at < len(text) && text[at]&0xc0 == 0x80 {
			at--
		}
		text = text[:at] + "X" + text[at:]
		u := start(t)
		st := paint.Style{Width: rapid.IntRange(screen.MinWidth, 60).Draw(r, "width"), Height: rapid.IntRange(screen.MinHeight, 30).Draw(r, "height")}
		s := screen.Resize(u.s, st.Width, st.Height)
		s, _ = screen.Edited(s, screen.Snapshot{Text: text, Cursor: at, Top: true, Bottom: true})
		f := paint.Live(s, st)
		if f.Cursor.Hidden {
			r.Fatalf("no cursor for %q", text)
		}
		line := f.Lines[f.Cursor.Y]
		n := ink.Fit(line, f.Cursor.X)
		if !strings.HasPrefix(line[n:], "X") {
			r.Fatalf("at %d,%d of %q stands %q, want X", f.Cursor.X, f.Cursor.Y, f.Lines, line[n:])
		}
	})
}

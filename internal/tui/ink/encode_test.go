package ink_test

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"assent/internal/tui/ink"
)

func TestEncode(t *testing.T) {
	t.Parallel()
	l := ink.Line{{Text: "a "}, ink.B("b", ink.Accent), ink.S(" c", ink.Accent), {Text: " d"}}
	link := ink.Line{{Text: "see "}, {Text: "x", Link: "http://x", Look: ink.Look{Role: ink.Link}}, {Text: "."}}
	tests := []struct {
		name string
		line ink.Line
		st   ink.Style
		want string
	}{
		{"plain has no escapes", l, ink.Style{}, "a b c d"},
		{"plain drops blanks at the end", ink.Line{{Text: "a  "}}, ink.Style{}, "a"},
		{"mono has attributes only", l, ink.Style{Color: ink.Mono}, "a \x1b[1mb\x1b[m c d"},
		{"sixteen", l, ink.Style{Color: ink.ANSI16}, "a \x1b[1;94mb\x1b[0;94m c\x1b[m d"},
		{"two hundred", l, ink.Style{Color: ink.ANSI256}, "a \x1b[1;38;5;111mb\x1b[0;38;5;111m c\x1b[m d"},
		{"true", ink.Line{ink.S("x", ink.Warn)}, ink.Style{Color: ink.TrueColor, Theme: ink.Light}, "\x1b[38;2;132;80;0mx\x1b[m"},
		{"blanks take no colour", ink.Line{{Text: "  "}, ink.S("x", ink.Good), {Text: " "}, ink.S("y", ink.Good)}, ink.Style{Color: ink.ANSI16}, "  \x1b[32mx y\x1b[m"},
		{"a background is kept on blanks", ink.Line{ink.S("a", ink.AddMark), ink.S(" ", ink.AddMark), ink.S("b", ink.Add)}, ink.Style{Color: ink.ANSI256}, "\x1b[38;5;194;48;5;22ma \x1b[0;38;5;114mb\x1b[m"},
		{"a mark without colours is underlined", ink.Line{ink.S("a", ink.AddMark)}, ink.Style{Color: ink.Mono}, "\x1b[4ma\x1b[m"},
		{"links where they work", link, ink.Style{Color: ink.Mono, Links: true}, "see \x1b]8;id=1wldzmb;http://x\x1b\\\x1b[4mx\x1b]8;;\x1b\\\x1b[m."},
		{"no links elsewhere", link, ink.Style{Color: ink.Mono}, "see \x1b[4mx\x1b[m."},
		{"empty spans are nothing", ink.Line{ink.S("", ink.Bad)}, ink.Style{Color: ink.TrueColor}, ""},
	}
	id := regexp.MustCompile(`id=\w+`)
	for _, tt := range tests {
		got := ink.EncodeAll([]ink.Line{tt.line}, tt.st)[0]
		if id.ReplaceAllString(got, "id=") != id.ReplaceAllString(tt.want, "id=") {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// escapes are all that an encoded line may hold.
var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m|\x1b\\]8;(id=[0-9a-z]+)?;[!-~]*\x1b\\\\")

func TestLawALineStandsAlone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var line ink.Line
		text := ""
		for _, s := range rapid.SliceOfN(rapid.StringMatching(`[ab ]{0,4}`), 0, 6).Draw(t, "texts") {
			look := ink.Look{Role: ink.Role(rapid.IntRange(0, int(ink.TypeName)).Draw(t, "role")), Attr: ink.Attr(rapid.IntRange(0, 31).Draw(t, "attr"))}
			link := rapid.SampledFrom([]string{"", "http://x", "http://y"}).Draw(t, "link")
			line = append(line, ink.Span{Text: s, Look: look, Link: link})
			text += s
		}
		st := ink.Style{
			Color: ink.Color(rapid.IntRange(1, 4).Draw(t, "color")), Theme: ink.Theme(rapid.IntRange(0, 1).Draw(t, "theme")),
			Links: rapid.Bool().Draw(t, "links"),
		}
		got := ink.Encode(line, st)
		if s := ansi.Strip(got); s != text {
			t.Fatalf("text %q, want %q", s, text)
		}
		if rest := escapes.ReplaceAllString(got, ""); strings.Contains(rest, "\x1b") {
			t.Fatalf("an escape of another kind in %q", got)
		}
		if all := regexp.MustCompile("\x1b\\[[0-9;]*m").FindAllString(got, -1); len(all) > 0 && all[len(all)-1] != "\x1b[m" {
			t.Fatalf("a colour stays on after %q", got)
		}
		if all := regexp.MustCompile("\x1b\\]8;[^\x1b]*").FindAllString(got, -1); len(all) > 0 && all[len(all)-1] != "\x1b]8;;" {
			t.Fatalf("a link stays open after %q", got)
		}
	})
}

func TestStyle(t *testing.T) {
	t.Parallel()
	var zero ink.Style
	if zero.Cols() != 79 || zero.Rows() != 23 {
		t.Errorf("zero style: %d by %d", zero.Cols(), zero.Rows())
	}
	st := ink.Style{Width: 40, Height: 10}
	if st.Cols() != 39 || st.Rows() != 9 || st.Narrow(2).Cols() != 37 || st.Narrow(100).Cols() != 1 {
		t.Errorf("40x10: %d by %d, narrow %d and %d", st.Cols(), st.Rows(), st.Narrow(2).Cols(), st.Narrow(100).Cols())
	}
	if st.Pick("•", "-") != "-" || (ink.Style{Color: ink.Mono}).Pick("•", "-") != "•" {
		t.Error("Pick gives the wrong glyph")
	}
}

// luminance is that of WCAG for a colour written by sgr.
func luminance(rgb [3]float64) float64 {
	for i, c := range rgb {
		if c /= 255; c <= 0.04045 {
			rgb[i] = c / 12.92
		} else {
			rgb[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*rgb[0] + 0.7152*rgb[1] + 0.0722*rgb[2]
}

func contrast(a, b [3]float64) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// index is a colour of the 256 as terminals draw it.
func index(n int) [3]float64 {
	if n >= 232 {
		g := float64(8 + (n-232)*10)
		return [3]float64{g, g, g}
	}
	steps := [...]float64{0, 95, 135, 175, 215, 255}
	n -= 16
	return [3]float64{steps[n/36], steps[n/6%6], steps[n%6]}
}

var ground = regexp.MustCompile(`([34])8;(?:2;(\d+);(\d+);(\d+)|5;(\d+))`)

// inks reads the colours of a role off what Encode writes.
func inks(t *testing.T, role ink.Role, st ink.Style) (fg, bg *[3]float64) {
	t.Helper()
	for _, m := range ground.FindAllStringSubmatch(ink.Encode(ink.Line{ink.S("x", role)}, st), -1) {
		var c [3]float64
		if m[5] != "" {
			c = index(atoi(m[5]))
		} else {
			c = [3]float64{float64(atoi(m[2])), float64(atoi(m[3])), float64(atoi(m[4]))}
		}
		if m[1] == "3" {
			fg = &c
		} else {
			bg = &c
		}
	}
	return fg, bg
}

func atoi(s string) int {
	n := 0
	for _, r := range s {
		n = n*10 + int(r-'0')
	}
	return n
}

func TestColoursStandOutOnTheBackgroundsInUse(t *testing.T) {
	t.Parallel()
	grounds := map[ink.Theme][][3]float64{
		ink.Dark:  {{0, 0, 0}, {0x1e, 0x1e, 0x2e}, {0x28, 0x2c, 0x34}, {0x00, 0x2b, 0x36}, {0x2e, 0x34, 0x40}},
		ink.Light: {{255, 255, 255}, {0xfa, 0xfa, 0xfa}, {0xfd, 0xf6, 0xe3}, {0xef, 0xf1, 0xf5}},
	}
	for theme, list := range grounds {
		for _, color := range []ink.Color{ink.ANSI256, ink.TrueColor} {
			for role := ink.Dim; role <= ink.TypeName; role++ {
				fg, bg := inks(t, role, ink.Style{Color: color, Theme: theme})
				if fg == nil {
					t.Fatalf("role %d has no colour", role)
				}
				for _, g := range list {
					if bg != nil {
						g = *bg
					}
					if c := contrast(*fg, g); c < 4.5 {
						t.Errorf("theme %d, colour level %d, role %d: contrast %.1f on %v, want 4.5", theme, color, role, c, g)
					}
				}
			}
		}
	}
}

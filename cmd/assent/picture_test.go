//go:build unix

package main

import (
	"fmt"
	"html"
	"image/color"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
)

// picture is the file that the README shows.
const picture = "../../docs/screen.svg"

// TestPicture plays the demo in a terminal and holds the picture of it to what
// is seen; with -update it draws the picture anew.
func TestPicture(t *testing.T) {
	t.Parallel()
	rows := demoRows(t, 96, 70)
	drawn := draw(rows)
	if *updating {
		if err := os.WriteFile(picture, []byte(drawn), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != drawn {
		t.Errorf("the picture shows another screen than the demo (make picture draws it anew):\n%s", plainText(rows))
	}
}

// cell is a character with its colours.
type cell struct {
	text   string
	fg, bg string // as SVG writes them, empty for the terminal's own
	bold   bool
	faint  bool
}

// demoRows is the screen of the demo when its last call waits for an answer,
// without what differs from run to run.
func demoRows(t *testing.T, cols, height int) [][]cell {
	t.Helper()
	// A short name, so that the rows break at the same words everywhere.
	dir, err := os.MkdirTemp("/tmp", "a") //nolint:usetesting // see above
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	cmd := exec.CommandContext(t.Context(), named(t, dir), "demo")
	cmd.Dir = dir
	cmd.Env = append([]string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + dir}, terminal...)
	g := behind(t, cmd, cols, height)
	g.answer("y", "sh test.sh")
	g.answer("y", "allow edit_file", "till.sh")
	g.see("guard refused", "allow bash", ask)
	g.until("the last approval", func() bool { return strings.Contains(g.asked(), "sh test.sh") })
	g.answerable()
	return settled(g.Cells())
}

// differs are texts that are another at each run, and what stands for them.
var differs = []struct {
	is *regexp.Regexp
	as string
}{
	{regexp.MustCompile(`\S*/assent-demo-\d+/`), "~/"},
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "01a22d65"},
	{regexp.MustCompile(`\d+ms`), "40ms"},
	{regexp.MustCompile(`\d+\.\d+s`), "0.2s"},
	{regexp.MustCompile(`medium · \d+s`), "medium · 0s"},
	{regexp.MustCompile(`assent (dev|v?\d\S*)`), "assent"},
}

// settled takes the rows off the terminal.
func settled(cells [][]*uv.Cell) [][]cell {
	var rows [][]cell
	for _, all := range cells {
		var row []cell
		for _, c := range all {
			if c != nil && c.Width > 0 {
				row = append(row, cellOf(c))
			}
		}
		rows = append(rows, steady(row))
	}
	for len(rows) > 0 && text(rows[len(rows)-1]) == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}

func cellOf(c *uv.Cell) cell {
	out := cell{text: c.Content, fg: svgColor(c.Style.Fg), bg: svgColor(c.Style.Bg), bold: c.Style.Attrs&uv.AttrBold != 0, faint: c.Style.Attrs&uv.AttrFaint != 0}
	if out.text == "" {
		out.text = " "
	}
	return out
}

func svgColor(c color.Color) string {
	if c == nil {
		return ""
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// steady replaces what differs; the colours are those of its first character.
func steady(row []cell) []cell {
	for _, d := range differs {
		for from := 0; ; {
			line := text(row)
			at := d.is.FindStringIndex(line[min(from, len(line)):])
			if at == nil {
				break
			}
			at[0], at[1] = at[0]+from, at[1]+from
			first, last := len([]rune(line[:at[0]])), len([]rune(line[:at[1]]))
			look := row[first]
			var in []cell
			for _, r := range d.as {
				look.text = string(r)
				in = append(in, look)
			}
			row = append(append(row[:first:first], in...), row[last:]...)
			from = at[0] + len(d.as)
		}
	}
	return row
}

// text is what a row says.
func text(row []cell) string { return strings.TrimRight(joined(row), " ") }

func plainText(rows [][]cell) string {
	var lines []string
	for _, row := range rows {
		lines = append(lines, text(row))
	}
	return strings.Join(lines, "\n")
}

// draw makes the picture.
func draw(rows [][]cell) string {
	const wide, high, pad, bar = 8.4, 18.0, 16.0, 30.0
	cols := 0
	for _, row := range rows {
		cols = max(cols, len([]rune(text(row))))
	}
	w, h := float64(cols+2)*wide+2*pad, float64(len(rows))*high+2*pad+bar
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" role="img" aria-label="assent at work in a terminal">`+"\n", w, h, w)
	fmt.Fprintf(&b, `<rect width="%.0f" height="%.0f" rx="8" fill="#16181d"/>`+"\n", w, h)
	for i, c := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="18" r="6" fill="%s"/>`+"\n", 20+i*20, c)
	}
	b.WriteString(`<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="#d7dae0">` + "\n")
	for y, row := range rows {
		top := bar + pad + float64(y)*high
		for x := 0; x < len(row); {
			n := x
			for n < len(row) && row[n].fg == row[x].fg && row[n].bg == row[x].bg && row[n].bold == row[x].bold && row[n].faint == row[x].faint {
				n++
			}
			run, look := joined(row[x:n]), row[x]
			left := pad + float64(x)*wide
			if look.bg != "" {
				fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.0f" fill="%s"/>`+"\n", left, top, float64(n-x)*wide, high, look.bg)
			}
			body := strings.TrimLeft(run, " ")
			left += float64(len(run)-len(body)) * wide
			if body = strings.TrimRight(body, " "); body != "" {
				fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" textLength="%.1f"%s>%s</text>`+"\n", left, top+13, float64(len([]rune(body)))*wide, attributes(look), html.EscapeString(strings.ReplaceAll(body, "  ", "\u00a0 ")))
			}
			x = n
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

func joined(row []cell) string {
	var b strings.Builder
	for _, c := range row {
		b.WriteString(c.text)
	}
	return b.String()
}

func attributes(c cell) string {
	out := ""
	if c.fg != "" {
		out += ` fill="` + c.fg + `"`
	}
	if c.bold {
		out += ` font-weight="bold"`
	}
	if c.faint {
		out += ` opacity="0.7"`
	}
	return out
}

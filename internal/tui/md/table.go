package md

import (
	"strings"

	extast "github.com/yuin/goldmark/extension/ast"

	"assent/internal/tui/ink"
)

const (
	// gutter is what parts the columns of a table, in cells.
	gutter = 2
	// minColumn is the narrowest column that is still read as one.
	minColumn = 6
)

// grid is a table: its cells by row, the head first.
type grid struct {
	rows  [][][]ink.Span
	align []extast.Alignment
}

func (r *renderer) grid(t *extast.Table) grid {
	g := grid{align: t.Alignments}
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		look := ink.Look{}
		if row.Kind() == extast.KindTableHeader {
			look.Attr = ink.Bold
		}
		cells := make([][]ink.Span, len(g.align))
		i := 0
		for c := row.FirstChild(); c != nil && i < len(cells); c = c.NextSibling() {
			cells[i] = r.text(c, look)
			i++
		}
		g.rows = append(g.rows, cells)
	}
	return g
}

// table draws a table in columns as wide as they need, their text wrapped when
// the line is too short; where that leaves nothing to read each row becomes a
// list of its cells.
func (r *renderer) table(t *extast.Table, w int) []ink.Line {
	g := r.grid(t)
	if len(g.align) == 0 {
		return nil
	}
	widths, ok := g.widths(w)
	if !ok {
		return r.records(g, w)
	}
	var out []ink.Line
	for i, row := range g.rows {
		out = append(out, g.row(row, widths)...)
		if i == 0 {
			out = append(out, r.rule(widths))
		}
	}
	return out
}

// widths shares w among the columns. It reports false when a column would
// become too narrow.
func (g grid) widths(w int) ([]int, bool) {
	n := len(g.align)
	want, least := make([]int, n), make([]int, n)
	for _, row := range g.rows {
		for i, cell := range row {
			for _, line := range ink.Wrap(cell, 1<<20) {
				want[i] = max(want[i], line.Width())
			}
			least[i] = max(least[i], min(longestWord(cell), max(minColumn, w/n-gutter)))
		}
	}
	free := w - gutter*(n-1)
	total := 0
	for i := range want {
		want[i] = max(want[i], 1)
		least[i] = max(least[i], min(want[i], minColumn), 1)
		total += want[i]
	}
	if total <= free {
		return want, true
	}
	for _, m := range least {
		free -= m
	}
	if free < 0 {
		return nil, false
	}
	return share(want, least, free), true
}

// share gives each column its least and a part of what is free by what it
// still wants.
func share(want, least []int, free int) []int {
	missing := 0
	for i := range want {
		missing += want[i] - least[i]
	}
	widths := make([]int, len(want))
	left := free
	for i := range want {
		part := 0
		if missing > 0 {
			part = min((want[i]-least[i])*free/missing, left)
		}
		widths[i] = least[i] + part
		left -= part
	}
	for i := range widths { // what rounding left over
		if n := min(left, want[i]-widths[i]); n > 0 {
			widths[i] += n
			left -= n
		}
	}
	return widths
}

func longestWord(cell []ink.Span) int {
	n := 0
	for word := range strings.FieldsSeq(ink.Line(cell).String()) {
		n = max(n, ink.Width(word))
	}
	return n
}

// row draws the cells of a row beside each other.
func (g grid) row(cells [][]ink.Span, widths []int) []ink.Line {
	columns := make([][]ink.Line, len(cells))
	height := 1
	for i, c := range cells {
		columns[i] = ink.Wrap(c, widths[i])
		height = max(height, len(columns[i]))
	}
	out := make([]ink.Line, height)
	for y := range out {
		gap := 0
		for i, c := range columns {
			var l ink.Line
			if y < len(c) {
				l = c[y]
			}
			before := 0
			free := widths[i] - l.Width()
			switch g.align[i] {
			case extast.AlignRight:
				before = free
			case extast.AlignCenter:
				before = free / 2
			case extast.AlignLeft, extast.AlignNone:
			}
			if len(l) > 0 {
				if gap+before > 0 {
					out[y] = append(out[y], ink.Span{Text: strings.Repeat(" ", gap+before)})
				}
				out[y] = append(out[y], l...)
				gap = free - before + gutter
			} else {
				gap += free + gutter
			}
		}
	}
	return out
}

// rule is the line under the head of a table.
func (r *renderer) rule(widths []int) ink.Line {
	parts := make([]string, len(widths))
	for i, n := range widths {
		parts[i] = strings.Repeat(r.st.Pick("─", "-"), n)
	}
	return ink.Line{ink.S(strings.Join(parts, strings.Repeat(" ", gutter)), ink.Dim)}
}

// records draws each row of a table as a list of its cells, named by the head.
func (r *renderer) records(g grid, w int) []ink.Line {
	var out []ink.Line
	for y, row := range g.rows[1:] {
		if y > 0 {
			out = append(out, nil)
		}
		for i, cell := range row {
			if len(cell) == 0 {
				continue
			}
			var spans []ink.Span
			if name := ink.Line(g.rows[0][i]).String(); name != "" {
				spans = append(spans, ink.B(name+": ", ink.Text))
			}
			out = append(out, ink.Hang(ink.Wrap(append(spans, cell...), w-2), nil, ink.Line{{Text: "  "}})...)
		}
	}
	if len(out) == 0 {
		for _, cell := range g.rows[0] {
			out = append(out, ink.Wrap(cell, w)...)
		}
	}
	return out
}

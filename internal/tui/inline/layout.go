package inline

import "github.com/charmbracelet/x/ansi"

// layout is what is known of where a change of size has taken the live rows.
type layout struct {
	// cols is the width that they were drawn for.
	cols int
	// row is the row of the screen on which the cursor stands, when it is known.
	row   int
	known bool
	// above are the widths of live rows that went over the top of the screen
	// and stand there still, right above what is live. A terminal that gets
	// higher may bring them back.
	above []int
}

// climb is how many rows of the screen the first one that can be redrawn is
// above the cursor. What it does not reach is remembered.
func (p *Painter) climb() int {
	var widths []int
	if p.place.known {
		widths = p.place.above
	}
	last := 0 // rows of the screen above the cursor in its own row
	for i, row := range p.rows {
		if i > p.y {
			break
		}
		if i < p.y {
			widths = append(widths, p.width(row))
			continue
		}
		last = p.within(row)
	}
	total := last
	for _, w := range widths {
		total += p.lines(w)
	}
	if !p.place.known {
		return total
	}
	up := min(total, p.place.row)
	p.place.above = p.over(widths, total-up)
	return up
}

// over gives the widths of the first n rows of the screen among rows of these
// widths.
func (p *Painter) over(widths []int, n int) []int {
	var above []int
	for _, w := range widths {
		if n <= 0 {
			break
		}
		if l := p.lines(w); l > n {
			w = n * p.cols
		}
		above, n = append(above, w), n-p.lines(w)
	}
	return above
}

// width is the width of a row as it was drawn: one that was too wide ended at
// the edge.
func (p *Painter) width(row string) int {
	w := ansi.StringWidth(row)
	if p.place.cols > 0 {
		w = min(w, p.place.cols)
	}
	if !p.Reflows || p.cols <= 0 || w <= p.cols {
		return w
	}
	// What is two cells wide does not stand in the last one.
	x, gaps := 0, 0
	for at := 0; at < len(row) && x < w+gaps; {
		_, cells, n, _ := ansi.DecodeSequence(row[at:], ansi.NormalState, nil)
		at += max(n, 1)
		if x%p.cols+cells > p.cols {
			x, gaps = x+1, gaps+1
		}
		x += cells
	}
	return w + gaps
}

// lines is how many rows of the screen a row of this width takes now.
func (p *Painter) lines(width int) int {
	if !p.Reflows || p.cols <= 0 {
		return 1
	}
	return max(1, (width+p.cols-1)/p.cols)
}

// within is how many rows of the screen are above the cursor in its own row. A
// cursor behind the text stays on the text's last one.
func (p *Painter) within(row string) int {
	if !p.Reflows || p.cols <= 0 {
		return 0
	}
	return min(max(p.x, 0)/p.cols, p.lines(p.width(row))-1)
}

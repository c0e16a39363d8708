package compress

// chooser keeps lines until a budget is full.
type chooser struct {
	lines       []line
	kept        []bool
	chars, rest int // characters and lines left
}

// choose decides which lines stay. Each class of lines first gets its share of
// the budget; what a class does not need goes to head and tail.
func choose(lines []line, b Budget) []bool {
	c := &chooser{lines, make([]bool, len(lines)), b.Chars - gapCost, b.Lines - 1}
	share := func(percent int, f func(*chooser)) {
		part := &chooser{c.lines, c.kept, min(b.Chars*percent/100, c.chars), min(b.Lines*percent/100, c.rest)}
		chars, rest := part.chars, part.rest
		f(part)
		c.chars -= chars - part.chars
		c.rest -= rest - part.rest
	}
	share(55, func(c *chooser) { c.ranked(named) })
	share(10, (*chooser).head)
	share(15, (*chooser).tail)
	share(45, func(c *chooser) { c.ranked(place) })
	share(60, (*chooser).details)
	c.ranked(place)
	share(40, (*chooser).head)
	c.tail()
	c.head()
	return c.kept
}

// keep keeps a line if it fits with the notes of the gaps around it. The note
// of a gap was paid for by the line before it.
func (c *chooser) keep(i int) bool {
	if c.kept[i] {
		return true
	}
	cost, rows := c.lines[i].cost, c.lines[i].rows
	alone := (i == 0 || !c.kept[i-1]) && (i+1 == len(c.lines) || !c.kept[i+1])
	if alone { // it opens a gap of its own
		cost += gapCost
		rows++
	}
	if cost > c.chars || rows > c.rest {
		return false
	}
	c.kept[i] = true
	c.chars -= cost
	c.rest -= rows
	return true
}

// ranked keeps the lines of a rank in order; one that does not fit does not
// keep a shorter one out.
func (c *chooser) ranked(r rank) {
	for i := range c.lines {
		if c.lines[i].rank == r {
			c.keep(i)
		}
	}
}

// details keeps what explains the failures, of each what is next to it before
// what is farther away of any.
func (c *chooser) details() {
	var at [deep + 1][]int
	for i := range c.lines {
		if c.lines[i].rank == detail {
			at[c.lines[i].depth] = append(at[c.lines[i].depth], i)
		}
	}
	for _, list := range at {
		for _, i := range list {
			c.keep(i)
		}
	}
}

func (c *chooser) head() {
	for i := range c.lines {
		if !c.keep(i) {
			return
		}
	}
}

func (c *chooser) tail() {
	for i := len(c.lines) - 1; i >= 0; i-- {
		if !c.keep(i) {
			return
		}
	}
}

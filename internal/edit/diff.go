package edit

import (
	"fmt"
	"slices"
	"strings"
)

// context is the number of unchanged lines around a change in a diff.
const context = 3

// maxSteps bounds the search for a shortest diff; texts that differ more are
// shown as replaced.
const maxSteps = 1500

// Diff is the unified diff of two versions of a file, empty when they are the
// same. An empty name leaves the two head lines out.
func Diff(name, old, text string) string {
	a, b := slices.Collect(strings.Lines(old)), slices.Collect(strings.Lines(text))
	hunks := group(changes(a, b), len(a))
	if len(hunks) == 0 {
		return ""
	}
	var out strings.Builder
	if name != "" {
		fmt.Fprintf(&out, "--- a/%s\n+++ b/%s\n", name, name)
	}
	for _, h := range hunks {
		h.print(&out, a, b)
	}
	return out.String()
}

// Stat counts the lines that a change inserts and removes.
func Stat(old, text string) (inserted, removed int) {
	for _, c := range changes(slices.Collect(strings.Lines(old)), slices.Collect(strings.Lines(text))) {
		inserted, removed = inserted+c.b1-c.b0, removed+c.a1-c.a0
	}
	return inserted, removed
}

// Changed gives the lines of a new text that differ from the old one, as pairs
// of line numbers from 1: the first line, and the one after the last (the same
// where lines were only removed).
func Changed(old, text string) [][2]int {
	var parts [][2]int
	for _, c := range changes(slices.Collect(strings.Lines(old)), slices.Collect(strings.Lines(text))) {
		parts = append(parts, [2]int{c.b0 + 1, c.b1 + 1})
	}
	return parts
}

// delta says that lines a0 to a1 of the old text became b0 to b1 of the new.
type delta struct{ a0, a1, b0, b1 int }

// changes lists what differs between two texts, in order.
func changes(a, b []string) []delta {
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	a, b = a[head:len(a)-tail], b[head:len(b)-tail]
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	list := shortest(a, b)
	for i := range list {
		list[i] = delta{list[i].a0 + head, list[i].a1 + head, list[i].b0 + head, list[i].b1 + head}
	}
	return list
}

// shortest is Myers' greedy search: for each number of steps d the furthest
// point on each diagonal, until the corner is reached.
func shortest(a, b []string) []delta {
	most := min(len(a)+len(b), maxSteps)
	reach := make([]int, 2*most+3) // by diagonal k, at k+most+1
	at := func(k int) *int { return &reach[k+most+1] }
	var trail [][]int
	for d := 0; d <= most; d++ {
		trail = append(trail, slices.Clone(reach[most+1-d:most+2+d]))
		for k := -d; k <= d; k += 2 {
			x := *at(k - 1) + 1
			if k == -d || k != d && *at(k - 1) < *at(k + 1) {
				x = *at(k + 1)
			}
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			*at(k) = x
			if x >= len(a) && x-k >= len(b) {
				return backtrack(trail, len(a), len(b))
			}
		}
	}
	return []delta{{0, len(a), 0, len(b)}}
}

// backtrack follows the trail from the corner and joins neighbouring steps.
// trail[d] holds the reach before step d, for diagonals -d to d.
func backtrack(trail [][]int, x, y int) []delta {
	var list []delta
	for d := len(trail) - 1; d > 0; d-- {
		before := func(k int) int { return trail[d][k+d] }
		k := x - y
		prev := k - 1
		if k == -d || k != d && before(k-1) < before(k+1) {
			prev = k + 1
		}
		px := before(prev)
		py := px - prev
		step := delta{px, px, py, py}
		if prev == k-1 {
			step.a1++
		} else {
			step.b1++
		}
		if n := len(list); n > 0 && list[n-1].a0 == step.a1 && list[n-1].b0 == step.b1 {
			list[n-1].a0, list[n-1].b0 = step.a0, step.b0
		} else {
			list = append(list, step)
		}
		x, y = px, py
	}
	slices.Reverse(list)
	return list
}

// hunk is a group of changes with the lines around them.
type hunk struct {
	a0, a1, b0, b1 int
	deltas         []delta
}

// group joins changes whose surroundings touch.
func group(deltas []delta, total int) []hunk {
	var hunks []hunk
	for _, d := range deltas {
		lead := min(context, d.a0)
		trail := min(context, total-d.a1)
		if n := len(hunks); n > 0 && d.a0-lead <= hunks[n-1].a1 {
			h := &hunks[n-1]
			h.a1, h.b1 = d.a1+trail, d.b1+trail
			h.deltas = append(h.deltas, d)
			continue
		}
		hunks = append(hunks, hunk{d.a0 - lead, d.a1 + trail, d.b0 - lead, d.b1 + trail, []delta{d}})
	}
	return hunks
}

func (h hunk) print(out *strings.Builder, a, b []string) {
	fmt.Fprintf(out, "@@ -%s +%s @@\n", lineRange(h.a0, h.a1), lineRange(h.b0, h.b1))
	put := func(op byte, lines []string) {
		for _, l := range lines {
			out.WriteByte(op)
			out.WriteString(strings.TrimSuffix(l, "\n"))
			out.WriteByte('\n')
			if !strings.HasSuffix(l, "\n") {
				out.WriteString("\\ No newline at end of file\n")
			}
		}
	}
	at := h.a0
	for _, d := range h.deltas {
		put(' ', a[at:d.a0])
		put('-', a[d.a0:d.a1])
		put('+', b[d.b0:d.b1])
		at = d.a1
	}
	put(' ', a[at:h.a1])
}

// lineRange is the range of a hunk as a unified diff counts it.
func lineRange(from, to int) string {
	switch n := to - from; n {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(from + 1)
	default:
		return fmt.Sprintf("%d,%d", from+1, n)
	}
}

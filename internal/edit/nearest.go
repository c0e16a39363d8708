package edit

import (
	"slices"
	"strings"
)

// Limits of the search for the nearest text: lines of content and of the text
// that are compared, bytes of a line, lines that are shown.
const (
	nearLine    = 1000
	nearContent = 50_000
	nearOld     = 200
	nearShown   = 12
)

// nearest describes why a text was not found, with the place most like it.
func nearest(content, old string, normal func(string) string) *NotFoundError {
	lines := slices.Collect(strings.Lines(content))
	want := slices.Collect(strings.Lines(old))
	e := &NotFoundError{Numbered: carriesNumbers(old)}
	if e.Numbered {
		for i, l := range want {
			if _, rest, ok := numbered(l); ok {
				want[i] = rest
			}
		}
	}
	bare := func(list []string, most int) []string {
		out := make([]string, 0, min(len(list), most))
		for _, l := range list[:min(len(list), most)] {
			out = append(out, strings.TrimSpace(strings.TrimSuffix(fold(l[:min(len(l), nearLine)], unicodeForms, normal, false).text, "\n")))
		}
		return out
	}
	at, score := likeliest(bare(lines, nearContent), bare(want, nearOld))
	if at < 0 {
		return e
	}
	e.Line = at + 1
	stop := min(len(lines), at+min(max(len(want), 1), nearShown))
	e.Text = strings.Join(lines[at:stop], "")
	e.Indentation = score == len(want) && len(want) <= nearOld
	return e
}

// likeliest finds where most lines of want stand in their order, and how many;
// without any, the line most like the longest of want. It is -1 when nothing
// is alike.
func likeliest(lines, want []string) (at, score int) {
	where := map[string][]int{}
	for j, l := range want {
		if l != "" {
			where[l] = append(where[l], j)
		}
	}
	hits := make(map[int]int)
	for i, l := range lines {
		for _, j := range where[l] {
			hits[i-j]++
		}
	}
	at, score = -1, 0
	for start, n := range hits {
		if n > score || n == score && start < at {
			at, score = start, n
		}
	}
	if score > 0 {
		for j := range want { // blank lines count where they fit
			if i := at + j; want[j] == "" && i >= 0 && i < len(lines) && lines[i] == "" {
				score++
			}
		}
		return max(at, 0), score
	}
	longest, shift := "", 0
	for j, l := range want {
		if len(l) > len(longest) {
			longest, shift = l, j
		}
	}
	best := 0.45 // less alike is not worth showing
	for i, l := range lines {
		if r := alike(l, longest); r > best {
			at, best = max(i-shift, 0), r
		}
	}
	return at, 0
}

// alike is how much two lines share, from 0 to 1: twice the pairs of
// neighbouring bytes that both have, by all pairs.
func alike(a, b string) float64 {
	const most = 400
	a, b = a[:min(len(a), most)], b[:min(len(b), most)]
	if len(a) < 2 || len(b) < 2 || len(a) > 4*len(b) || len(b) > 4*len(a) {
		return 0
	}
	pairs := make(map[[2]byte]int, len(a))
	for i := range len(a) - 1 {
		pairs[[2]byte{a[i], a[i+1]}]++
	}
	both := 0
	for i := range len(b) - 1 {
		if p := [2]byte{b[i], b[i+1]}; pairs[p] > 0 {
			pairs[p]--
			both++
		}
	}
	return 2 * float64(both) / float64(len(a)+len(b)-2)
}

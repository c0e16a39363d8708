package md

import (
	"unicode"
	"unicode/utf8"
)

// span is a part of a line, in bytes.
type span struct{ from, to int }

const (
	// maxMarked is the longest line that is compared with its counterpart, in
	// bytes.
	maxMarked = 1000
	// maxTable bounds the table of the comparison; more differs as a whole.
	maxTable = 40_000
	// Lines that share less than a third are two lines, not one that changed.
	shareOf = 3
)

// markRows finds the changed parts of the lines that replace each other: in a
// run of removed lines followed by added ones, the first with the first and so
// on.
func markRows(rows []diffRow) {
	for i := 0; i < len(rows); {
		if rows[i].op != '-' {
			i++
			continue
		}
		mid := i
		for mid < len(rows) && rows[mid].op == '-' {
			mid++
		}
		end := mid
		for end < len(rows) && rows[end].op == '+' {
			end++
		}
		for k := range min(mid-i, end-mid) {
			rows[i+k].marks, rows[mid+k].marks = changed(rows[i+k].text, rows[mid+k].text)
		}
		i = end
	}
}

// changed finds what differs between two lines, word by word. It returns
// nothing for lines that share too little.
func changed(a, b string) (inA, inB []span) {
	if len(a) > maxMarked || len(b) > maxMarked {
		return nil, nil
	}
	wa, wb := words(a), words(b)
	head := 0
	for head < min(len(wa), len(wb)) && part(a, wa[head]) == part(b, wb[head]) {
		head++
	}
	tail := 0
	for tail < min(len(wa), len(wb))-head && part(a, wa[len(wa)-1-tail]) == part(b, wb[len(wb)-1-tail]) {
		tail++
	}
	keepA, keepB := common(a, b, wa[head:len(wa)-tail], wb[head:len(wb)-tail])
	inA = join(a, wa[head:len(wa)-tail], keepA)
	inB = join(b, wb[head:len(wb)-tail], keepB)
	if mostly(a, inA) || mostly(b, inB) {
		return nil, nil
	}
	return inA, inB
}

// common is the longest common subsequence of two lists of words, as flags.
func common(a, b string, wa, wb []span) (keepA, keepB []bool) {
	n, m := len(wa), len(wb)
	keepA, keepB = make([]bool, n), make([]bool, m)
	if n*m > maxTable {
		return keepA, keepB
	}
	length := make([][]int16, n+1)
	for i := range length {
		length[i] = make([]int16, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if part(a, wa[i]) == part(b, wb[j]) {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case part(a, wa[i]) == part(b, wb[j]):
			keepA[i], keepB[j] = true, true
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return keepA, keepB
}

// join makes the words that were not kept into spans; a blank between two of
// them belongs to the change.
func join(s string, words []span, keep []bool) []span {
	var out []span
	for i, w := range words {
		if keep[i] {
			continue
		}
		n := len(out)
		if n > 0 && (out[n-1].to == w.from || blankText(s[out[n-1].to:w.from])) {
			out[n-1].to = w.to
			continue
		}
		out = append(out, w)
	}
	return out
}

// mostly reports whether so much of a line changed that to mark it says
// nothing.
func mostly(s string, marks []span) bool {
	letters, marked := letterCount(s), 0
	for _, m := range marks {
		marked += letterCount(s[m.from:m.to])
	}
	return letters > 0 && (letters-marked)*shareOf < letters
}

func letterCount(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] != ' ' && s[i] != '\t' {
			n++
		}
	}
	return n
}

func blankText(s string) bool { return letterCount(s) == 0 }

func part(s string, w span) string { return s[w.from:w.to] }

// words splits a line: runs of letters, runs of blanks, and everything else
// one by one with the marks that belong to it.
func words(s string) []span {
	var out []span
	last := -1
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		class := classOf(r)
		if len(out) > 0 && (class == joins || class == last && class != single) {
			out[len(out)-1].to = i + n
		} else {
			out = append(out, span{i, i + n})
			last = class
		}
		i += n
	}
	return out
}

const (
	single = iota // stands for itself
	word
	space
	joins // belongs to what is before it
)

func classOf(r rune) int {
	switch {
	case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
		return word
	case r == ' ' || r == '\t':
		return space
	case unicode.IsMark(r) || r == 0x200d || r >= 0x1f3fb && r <= 0x1f3ff:
		return joins
	}
	return single
}

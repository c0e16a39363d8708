package md_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assent/internal/tui/ink"
	"assent/internal/tui/md"
)

// stream gives a text in deltas and draws each finished piece, as a front
// does. It returns what was printed and the longest rest.
func stream(src string, delta int, st md.Style) (lines []ink.Line, longest int) {
	tail, joined := "", true
	add := func(piece string) {
		part := md.Lines(piece, st)
		if len(part) == 0 {
			return
		}
		if !joined {
			lines = append(lines, nil)
		}
		lines = append(lines, part...)
	}
	for src != "" {
		n := min(delta, len(src))
		tail, src = tail+src[:n], src[n:]
		for {
			n, reopen, more := md.Cut(tail)
			if n == 0 {
				break
			}
			add(tail[:n])
			joined = more || len(lines) == 0
			tail = reopen + tail[n:]
		}
		longest = max(longest, len(tail))
	}
	add(tail)
	return lines, longest
}

func TestCut(t *testing.T) {
	t.Parallel()
	code := func(n int) string { return strings.Repeat("line()\n", n) }
	calm := strings.Repeat("f()\n\n", 8)
	tests := []struct {
		name, tail    string
		piece, reopen string
		more          bool
	}{
		{"nothing", "", "", "", false},
		{"an open line", "some text", "", "", false},
		{"one open block", "some text\nmore", "", "", false},
		{"a block is finished by the next", "one\n\ntwo\n", "one\n\n", "", false},
		{"not by its first line while that grows", "1. a\n\n2", "", "", false},
		{"a heading", "# one\ntwo\n", "# one\n", "", false},
		{"items but the last", "- a\n- b\n- c", "- a\n", "", true},
		{"items apart", "- a\n\n- b\n", "- a\n\n", "", false},
		{"an item with what belongs to it", "- a\n  - x\n\n  y\n- b\n", "- a\n  - x\n\n  y\n", "", true},
		{"numbered items", "2. a\n3. b\n", "2. a\n", "", true},
		{"items that carry no number stay", "1. a\n1. b\n", "", "", false},
		{"a short fence stays", "```go\n" + code(5), "", "", false},
		{"a closed fence is finished", "```go\nx\n```\n", "```go\nx\n```\n", "", false},
		{"an empty closed fence is finished", "~~~\n~~~\n", "~~~\n~~~\n", "", false},
		{"a long fence is cut where it is calm", "```go\n" + calm + "  g()\n", "```go\n" + calm[:7*5], "```go\n", true},
		{"a longer one anywhere", "```go\n" + code(30), "```go\n" + code(28), "```go\n", true},
		{"a short table stays", "| a |\n|---|\n| 1 |\n| 2 |\n", "", "", false},
		{"a quote stays", "> a\n>\n> b\n", "", "", false},
		{"blank lines only", "\n\n\n", "", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			n, reopen, more := md.Cut(tt.tail)
			if tt.tail[:n] != tt.piece || reopen != tt.reopen || more != tt.more {
				t.Errorf("Cut(%q) = %q, %q, %v, want %q, %q, %v", tt.tail, tt.tail[:n], reopen, more, tt.piece, tt.reopen, tt.more)
			}
		})
	}
}

func TestCutInsideAStringWaits(t *testing.T) {
	t.Parallel()
	// Every empty line is inside the text, so nothing is calm.
	src := "```python\nx = '''\n" + strings.Repeat("a\n\n", 6)
	if n, _, _ := md.Cut(src); n != 0 {
		t.Errorf("cut at %q", src[n:])
	}
	if n, _, _ := md.Cut(strings.Replace(src, "'''", "1", 1)); n == 0 {
		t.Error("calm code was not cut")
	}
}

func TestLongBlocksAreCutAndLookWhole(t *testing.T) {
	t.Parallel()
	st := md.Style{Width: 80}
	var rows, code, items, quote strings.Builder
	for i := range 800 {
		fmt.Fprintf(&rows, "| row %d | %d |\n", i, i)
		if i < 200 {
			fmt.Fprintf(&code, "if x%d {\n\tcall(%d)\n}\n\n", i, i)
		}
		fmt.Fprintf(&items, "%d. item\n   - sub\n", i+1)
		fmt.Fprintf(&quote, "> para %d\n>\n", i)
	}
	words := strings.Repeat("word and another, ", 4000)
	tests := []struct {
		name, src string
		limit     int
		want      string // part of the last line
	}{
		{"fence", "```go\n" + code.String(), 6 << 10, "  }"},
		{"fence of one line", "```go\n" + strings.Repeat("x", 100_000), 8 << 10, "  xxx"},
		{"fence without end", strings.Repeat("`", 100_000), 8 << 10, ""},
		{"paragraph of one line", words, 6 << 10, "another,"},
		{"paragraph of many lines", strings.ReplaceAll(words, ", ", ",\n"), 6 << 10, "another,"},
		{"one word", strings.Repeat("x", 100_000), 6 << 10, "xxx"},
		{"table", "| a | b |\n|---|---|\n" + rows.String(), 6 << 10, "row 799  799"},
		{"list", items.String(), 1 << 10, "sub"},
		{"quote", quote.String(), 6 << 10, "> para 799"},
		{"html", "<div>\n" + strings.Repeat("text\n", 20_000), 6 << 10, "text"},
		{"indented code", strings.Repeat("    code\n", 20_000), 6 << 10, "  code"},
		{"one item", "- a\n" + strings.Repeat("  b\n", 12_000), 40 << 10, "b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			lines, longest := stream(tt.src, 1000, st)
			if longest > tt.limit {
				t.Errorf("%d bytes stay unfinished, want at most %d", longest, tt.limit)
			}
			last := lines[len(lines)-1].String()
			if !strings.Contains(last, tt.want) {
				t.Errorf("the last line is %q, want %q in it", last, tt.want)
			}
			for i, l := range lines {
				if l.Width() > st.Cols() {
					t.Fatalf("line %d is too wide: %q", i, l)
				}
			}
		})
	}
}

func TestACutFenceShowsEveryLineOnce(t *testing.T) {
	t.Parallel()
	var src, want strings.Builder
	src.WriteString("Look:\n\n```go\n")
	for i := range 120 {
		fmt.Fprintf(&src, "func f%d() {\n\n}\n\n", i)
		fmt.Fprintf(&want, "func f%d() {\n}\n", i)
	}
	src.WriteString("```\n\nDone.\n")
	lines, _ := stream(src.String(), 61, md.Style{})
	var got strings.Builder
	for _, l := range lines {
		if s := strings.TrimSpace(l.String()); s != "" && s != "Look:" && s != "Done." {
			got.WriteString(s + "\n")
		}
	}
	if got.String() != want.String() {
		t.Errorf("lines differ: got %d bytes, want %d", got.Len(), want.Len())
	}
	if last := lines[len(lines)-1].String(); last != "Done." {
		t.Errorf("after the fence comes %q", last)
	}
}

func TestLawStreamedLooksAsWhole(t *testing.T) {
	t.Parallel()
	blocks := []string{
		"Some text of a paragraph\nover two lines.\n\n", "# A heading\n\n", "- a\n- b\n  - c\n\n  d\n- e\n\n", "1. x\n2. y\n3. z\n\n", "* a\n\n* b\n\n",
		"```go\nfunc f() {\n\n\treturn\n}\n```\n\n", "> q\n>\n> - r\n\n", "| a | b |\n|--|--|\n| 1 | 2 |\n\n", "---\n\n", "- [ ] t\n- [x] u\n\n", "<div>\nx\n</div>\n\n",
		"Text:\n```sh\nls\n```\nand so on\n\n", "[1]: http://x.y\n\n", "    indented\n\n    code\n\n",
	}
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(rapid.SampledFrom(blocks), 1, 8).Draw(t, "blocks"), "")
		st := md.Style{Width: rapid.IntRange(20, 100).Draw(t, "width"), Color: ink.ANSI256}
		got, _ := stream(src, rapid.IntRange(1, 40).Draw(t, "delta"), st)
		want := md.Render(src, st)
		if g, w := strings.Join(ink.EncodeAll(got, st), "\n"), strings.Join(want, "\n"); g != w {
			t.Fatalf("streamed:\n%s\nwhole:\n%s", g, w)
		}
	})
}

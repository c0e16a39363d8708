package tui

import (
	"fmt"
	"strings"
	"testing"
)

// spell writes inputs out.
func spell(list []input) string {
	var out []string
	for _, in := range list {
		switch {
		case in.pasted:
			out = append(out, fmt.Sprintf("paste(%s)", strings.NewReplacer("\r", "↵", "\n", "↵").Replace(in.paste)))
		case in.focus != 0:
			out = append(out, fmt.Sprintf("focus(%d)", in.focus))
		case in.mode != nil:
			out = append(out, fmt.Sprintf("mode(%d %v)", in.mode.Mode(), in.known))
		case in.ground != 0:
			out = append(out, fmt.Sprintf("ground(%d)", in.ground))
		default:
			out = append(out, in.name)
		}
	}
	return strings.Join(out, " ")
}

func TestScanner(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		// reads are what comes at once; "·" means that nothing came in time.
		reads []string
		want  string
	}{
		{"letters", []string{"aB1"}, "a B 1"},
		{"letters of other scripts", []string{"żש日"}, "ż ש 日"},
		{"a letter in two reads", []string{"\xe6\x97", "\xa5"}, "日"},
		{"enter, tab, backspace, space", []string{"\r\t\x7f "}, "enter tab backspace space"},
		{"control keys", []string{"\x01\x03\x07\x0a\x12\x13\x1a\x1f"}, "ctrl+a ctrl+c ctrl+g ctrl+j ctrl+r ctrl+s ctrl+z ctrl+_"},
		{"arrows", []string{"\x1b[A\x1b[B\x1bOC\x1b[D"}, "up down right left"},
		{"home and end in all spellings", []string{"\x1b[H\x1b[F\x1b[1~\x1b[4~\x1bOH"}, "home end home end home"},
		{"esc alone", []string{"\x1b", "·"}, "esc"},
		{"esc, then a letter at once is alt", []string{"\x1bb"}, "alt+b"},
		{"an arrow in pieces", []string{"\x1b", "[", "A"}, "up"},
		{"TUI-14: shift+enter in both protocols", []string{"\x1b[13;2u\x1b[27;2;13~"}, "shift+enter shift+enter"},
		{"alt+enter", []string{"\x1b\r"}, "alt+enter"},
		{"TUI-15: ctrl+c in both protocols", []string{"\x1b[99;5u\x1b[27;5;99~"}, "ctrl+c ctrl+c"},
		{"ctrl+enter", []string{"\x1b[13;5u"}, "ctrl+enter"},
		{"words", []string{"\x1b[1;5D\x1b[1;3C"}, "ctrl+left alt+right"},
		{"a paste", []string{"\x1b[200~a\rb\x1b[201~c"}, "paste(a↵b) c"},
		{"a paste in pieces", []string{"x\x1b[20", "0~a\x1b[2", "01", "~y"}, "x paste(a) y"},
		{"a paste holds escapes", []string{"\x1b[200~\x1b[31m\x03\x1b[201~"}, "paste(\x1b[31m\x03)"},
		{"a paste without an end does not take the keys for ever", []string{"\x1b[200~abc", "·", "d"}, "paste(abc) d"},
		{"an empty paste without an end neither", []string{"\x1b[200~", "·", "d"}, "d"},
		{"focus", []string{"\x1b[I\x1b[O"}, "focus(1) focus(-1)"},
		{"answers", []string{"\x1b[?2026;2$y\x1b[?2004;0$y"}, "mode(2026 true) mode(2004 false)"},
		{"the background", []string{"\x1b]11;rgb:ffff/ffff/ffff\x1b\\"}, "ground(-1)"},
		{"answers in pieces", []string{"\x1b]11;rgb:0000/", "0000/0000\a"}, "ground(1)"},
		{"a sequence without an end", []string{"\x1b[12;", "·", "x"}, "x"},
		{"TUI-10: lines at once are a paste", []string{"first line\rsecond line\r"}, "paste(first line↵second line↵)"},
		{"TUI-10: a line and enter is a line and enter", []string{"hello how are you\r"}, "h e l l o space h o w space a r e space y o u enter"},
		{"TUI-10: not where pastes are marked", []string{"\x1b[?2004;1$y", "first line\rb\r"}, "mode(2004 true) f i r s t space l i n e enter b enter"},
		{"invalid bytes", []string{"a\xffb"}, "a b"},
		{"an emoji of several code points", []string{"👩‍👩‍👧"}, "👩‍👩‍👧"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var s scanner
			var list []input
			for _, read := range tt.reads {
				if read == "·" {
					list = append(list, s.expire()...)
					continue
				}
				list = append(list, s.feed([]byte(read))...)
			}
			if got := spell(list); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestLongPasteIsOneInput(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a line of a long text\n", 5<<20/22)
	var s scanner
	list := fed(&s, pasteStart+text+pasteEnd)
	if len(list) != 1 || list[0].paste != text {
		t.Fatalf("got %d inputs", len(list))
	}
	if s.waits() {
		t.Error("something waits")
	}
}

// BenchmarkLongPaste reads a paste of 5 MB as a terminal sends it.
func BenchmarkLongPaste(b *testing.B) {
	all := pasteStart + strings.Repeat("a line of a long text\n", 5<<20/22) + pasteEnd
	b.SetBytes(int64(len(all)))
	for b.Loop() {
		var s scanner
		fed(&s, all)
	}
}

// fed is what a scanner makes of a text that comes in pieces of 4 KB.
func fed(s *scanner, text string) (list []input) {
	for len(text) > 0 {
		n := min(len(text), 4096)
		list, text = append(list, s.feed([]byte(text[:n]))...), text[n:]
	}
	return list
}

func FuzzScanner(f *testing.F) {
	for _, s := range []string{"", "a\r", "\x1b[200~x\x1b[201~", "\x1b[", "\x1b]11;", "\x1b[13;2u", "\xff", "\x1bP", "\x1b[200~", "\x1b[M@", "\x9bM@@\x00"} {
		f.Add([]byte(s), 3)
	}
	f.Fuzz(func(t *testing.T, b []byte, size int) {
		var s scanner
		size = max(size%64, 1)
		for len(b) > 0 {
			n := min(size, len(b))
			s.feed(b[:n])
			b = b[n:]
		}
		s.expire()
		if s.waits() {
			t.Fatalf("%q waits for ever", s.buf)
		}
	})
}

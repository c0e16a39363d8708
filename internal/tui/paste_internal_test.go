package tui

import (
	"strings"
	"testing"
)

// FuzzPaste: a text that the terminal marks as pasted comes as one input,
// whatever it holds and in whatever pieces it is read; what is typed behind it
// is typed.
func FuzzPaste(f *testing.F) {
	f.Add("a\r\nb", 2)
	f.Add("\x1b[201", 3)
	f.Add("\x1b[200~\x03", 1)
	f.Add("\xe6\x97", 5)
	f.Add("", 4)
	f.Fuzz(func(t *testing.T, text string, size int) {
		if strings.Contains(text+pasteEnd[:len(pasteEnd)-1], pasteEnd) || len(text) > 10_000 {
			return
		}
		var s scanner
		var list []input
		for rest := pasteStart + text + pasteEnd + "x"; rest != ""; {
			n := min(1+int(uint(size)%16), len(rest))
			list = append(list, s.feed([]byte(rest[:n]))...)
			rest = rest[n:]
		}
		if len(list) != 2 || !list[0].pasted || list[0].paste != text || list[1].text != "x" || s.waits() {
			t.Fatalf("%q is %+v", text, list)
		}
	})
}

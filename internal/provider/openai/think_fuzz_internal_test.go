package openai

import (
	"strings"
	"testing"
)

// FuzzThought: a text is parted into thinking and answer alike in whatever
// pieces it comes, and nothing of either is lost or made up.
func FuzzThought(f *testing.F) {
	for _, s := range []string{"<think>a</think>b", " \n<think>a < b </thin", "<thin", "x<think>y</think>", "<think></think><think>", "<think>a</th</think>\n\nb"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, whole string, size int) {
		part := func(size int) (thought, text string) {
			var in inlineThought
			take := func(a, b string) { thought, text = thought+a, text+b }
			for rest := whole; rest != ""; {
				n := min(size, len(rest))
				take(in.add(rest[:n]))
				rest = rest[n:]
			}
			take(in.end())
			return thought, text
		}
		thought, text := part(len(whole))
		if a, b := part(1 + int(uint(size)%8)); a != thought || b != text {
			t.Fatalf("%q is %q and %q, in pieces %q and %q", whole, thought, text, a, b)
		}
		const blanks = " \t\r\n"
		if thought == "" && text == whole {
			return
		}
		rest, began := strings.CutPrefix(strings.TrimLeft(whole, blanks), thinkOpen)
		rest, found := strings.CutPrefix(rest, thought)
		if closed, ok := strings.CutPrefix(rest, thinkClose); ok {
			rest = strings.TrimLeft(closed, blanks)
		}
		if !began || !found || rest != text {
			t.Fatalf("%q is %q and %q", whole, thought, text)
		}
	})
}

package instruct

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzDecode: what is given of an instruction file is text within its bound, a
// beginning of what it says, and whole only if all of it is given.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("\xef\xbb\xbfa\r\nb"), 3)
	f.Add([]byte("a\xffb\xff"), 4)
	f.Add([]byte("aé\nbé"), 6)
	f.Add([]byte("é"), 1)
	f.Add([]byte("0é\n0\n0"), 6)
	f.Add([]byte("\x00"), 9)
	f.Fuzz(func(t *testing.T, data []byte, limit int) {
		if limit < 0 || limit > 1<<20 {
			return
		}
		text, whole, err := decode(data, limit)
		if err != nil {
			if text != "" || whole || !bytes.Contains(data, []byte{0}) {
				t.Fatalf("%q, %v, %v", text, whole, err)
			}
			return
		}
		all := strings.ReplaceAll(strings.ToValidUTF8(strings.TrimPrefix(string(data), byteOrder), "\uFFFD"), "\r\n", "\n")
		if len(text) > limit || !utf8.ValidString(text) || !strings.HasPrefix(all, text) || whole && text != all {
			t.Fatalf("%q of %q in %d, whole %v", text, data, limit, whole)
		}
		if !whole && strings.Contains(text, "\n") && !strings.HasSuffix(text, "\n") {
			t.Fatalf("%q ends within a line", text)
		}
	})
}

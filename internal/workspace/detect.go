package workspace

import (
	"bytes"
	"unicode/utf8"
)

// magic names the binary formats whose beginning could pass for text.
func magic(data []byte) string {
	for _, m := range []struct{ head, kind string }{
		{"%PDF-", "PDF"},
		{"PK\x03\x04", "zip archive"},
		{"PK\x05\x06", "zip archive"},
		{"\x89PNG\r\n", "PNG image"},
		{"\xff\xd8\xff", "JPEG image"},
		{"GIF87a", "GIF image"},
		{"GIF89a", "GIF image"},
		{"\x1f\x8b", "gzip archive"},
		{"\x7fELF", "ELF program"},
		{"BZh9", "bzip2 archive"},
		{"\xfd7zXZ", "xz archive"},
		{"7z\xbc\xaf\x27\x1c", "7-zip archive"},
		{"\x28\xb5\x2f\xfd", "zstd archive"},
	} {
		if bytes.HasPrefix(data, []byte(m.head)) {
			return m.kind
		}
	}
	if bytes.HasPrefix(data, []byte("\xff\xfe\x00\x00")) && len(data)%4 == 0 {
		return "UTF-32"
	}
	return ""
}

// isControl reports whether a byte is a control character that text does not
// hold. Escape, form feed, backspace and bell do occur in it.
func isControl(b byte) bool {
	return b < 0x07 || b == 0x0B || b >= 0x0E && b < 0x1A || b >= 0x1C && b < 0x20 || b == 0x7F
}

// looksBinary judges data that is no UTF-8 by its control characters.
func looksBinary(data []byte) bool {
	n := 0
	for _, b := range data {
		if isControl(b) {
			n++
		}
	}
	return n*100 > len(data)
}

// looksWide names the UTF-16 order of data that has no mark but whose zero
// bytes stand where the high halves of Latin text would, or is empty.
// Short data is not enough to tell by.
func looksWide(data []byte) string {
	if len(data) < 16 || len(data)%2 != 0 {
		return ""
	}
	var zero, control [2]int
	for i, b := range data {
		switch {
		case b == 0:
			zero[i%2]++
		case isControl(b):
			control[i%2]++
		}
	}
	half := len(data) / 2
	switch {
	case zero[0] == 0 && zero[1]*2 > half && control[0]*100 <= half:
		return UTF16LE
	case zero[1] == 0 && zero[0]*2 > half && control[1]*100 <= half:
		return UTF16BE
	default:
		return ""
	}
}

// broken counts the bytes that are part of no character.
func broken(data []byte) int {
	n := 0
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size == 1 {
			n++
		}
		data = data[size:]
	}
	return n
}

// mostlyUTF8 reports whether data has more multi-byte characters than bytes
// that are none: legacy encodings form such characters only by chance.
func mostlyUTF8(data []byte) bool {
	good := 0
	for rest := data; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if size > 1 && r != utf8.RuneError {
			good++
		}
		rest = rest[size:]
	}
	return good > broken(data)
}

// legacy lists the encodings to try for data that is no UTF-8, the likeliest
// first. The last ones take any byte, so the list never fails altogether.
func legacy(data []byte) []string {
	var list []string
	if looksShiftJIS(data) {
		list = append(list, ShiftJIS)
	}
	h := survey(data)
	switch {
	case h.pairs > 2 && h.odd == 0 && h.low == 0:
		switch {
		case h.kana*6 >= h.pairs:
			list = append(list, EUCJP)
		case h.beyond == 0 && h.hangul*2 > h.pairs:
			list = append(list, EUCKR)
		default:
			list = append(list, GB18030)
		}
	case h.letters > 0 && h.runs > 0 && h.letters >= 3*h.runs:
		if h.upperHalf*2 >= h.letters {
			list = append(list, Windows1251) // small letters are E0 to FF there
		} else {
			list = append(list, KOI8R) // and C0 to DF there
		}
	}
	if h.low == 0 {
		return append(list, Latin1)
	}
	return append(list, Windows1252, Latin1)
}

// highs counts what the bytes above ASCII look like.
type highs struct {
	low       int // 80 to 9F: control characters in ISO 8859, letters in Windows code pages
	runs      int // runs of high bytes
	odd       int // runs of odd length, or with a byte below A1: no EUC
	pairs     int // pairs in the even runs
	kana      int // pairs in the kana rows of EUC-JP
	hangul    int // pairs in the hangul rows of EUC-KR
	beyond    int // pairs after those rows, which Chinese text uses too
	letters   int // bytes from C0 on
	upperHalf int // bytes from E0 on
}

func survey(data []byte) highs {
	var h highs
	for i := 0; i < len(data); {
		if data[i] < 0x80 {
			i++
			continue
		}
		start := i
		for i < len(data) && data[i] >= 0x80 {
			h.count(data[i])
			i++
		}
		h.run(data[start:i])
	}
	return h
}

func (h *highs) count(b byte) {
	switch {
	case b < 0xA0:
		h.low++
	case b >= 0xE0:
		h.upperHalf++
		h.letters++
	case b >= 0xC0:
		h.letters++
	}
}

func (h *highs) run(run []byte) {
	h.runs++
	if len(run)%2 != 0 {
		h.odd++
		return
	}
	for i := 0; i < len(run); i += 2 {
		if run[i] < 0xA1 || run[i+1] < 0xA1 {
			h.odd++
		}
		h.pairs++
		switch b := run[i]; {
		case b == 0xA4 || b == 0xA5:
			h.kana++
		case b >= 0xB0 && b <= 0xC8:
			h.hangul++
		case b > 0xC8:
			h.beyond++
		}
	}
}

// looksShiftJIS tells Japanese text from Western text with accents or curly
// quotes, which can also be read as Shift JIS: most first bytes are 81 to 9F,
// and second bytes are high as often as not.
func looksShiftJIS(data []byte) bool {
	pairs, first, second := 0, 0, 0
	for i := 0; i < len(data); i++ {
		b := data[i]
		if b < 0x80 || b >= 0xA0 && b < 0xE0 {
			continue
		}
		if i+1 == len(data) || data[i+1] < 0x40 {
			return false
		}
		pairs++
		if b < 0xA0 {
			first++
		}
		if data[i+1] >= 0x80 {
			second++
		}
		i++
	}
	return pairs > 0 && first*2 > pairs && second*3 >= pairs
}

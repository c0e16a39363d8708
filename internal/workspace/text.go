package workspace

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// Names of encodings, as Text.Encoding has them.
const (
	UTF8        = "utf-8"
	UTF16LE     = "utf-16le"
	UTF16BE     = "utf-16be"
	Latin1      = "iso-8859-1"
	Windows1252 = "windows-1252"
	Windows1251 = "windows-1251"
	KOI8R       = "koi8-r"
	ShiftJIS    = "shift_jis"
	EUCJP       = "euc-jp"
	EUCKR       = "euc-kr"
	GB18030     = "gb18030"
)

// Text is file content as text.
type Text struct {
	// Content is UTF-8 without the byte order mark; line ends are as on disk.
	// A file that is UTF-8 but for a few broken bytes keeps those bytes here,
	// so that an edit elsewhere leaves them alone.
	Content string
	// Encoding is how the file stores it, one of the names above.
	Encoding string
	// BOM says that the file begins with a byte order mark.
	BOM bool
	// EOL is the dominant line end, "\n" or "\r\n"; "\n" when there is none.
	EOL string
	// Broken is the number of bytes that are no UTF-8 in a file that otherwise
	// is.
	Broken int
}

// BinaryError says that data is no text.
type BinaryError struct {
	// Kind names what it looks like ("PDF", "zip archive"); empty when unknown.
	Kind string
}

func (e *BinaryError) Error() string {
	if e.Kind == "" {
		return "binary data, not text"
	}
	return "binary data (" + e.Kind + "), not text"
}

// EncodeError says that text cannot be stored in a file's encoding.
type EncodeError struct {
	Encoding string
	// Rune is the first character that the encoding does not have.
	Rune rune
}

func (e *EncodeError) Error() string {
	return fmt.Sprintf("the file is stored as %s, which cannot hold %q (U+%04X)", e.Encoding, e.Rune, e.Rune)
}

// Byte order marks.
const (
	bom8  = "\xEF\xBB\xBF"
	bomLE = "\xFF\xFE"
	bomBE = "\xFE\xFF"
)

// codec is the converter of an encoding other than UTF-8.
func codec(name string) encoding.Encoding {
	switch name {
	case UTF16LE:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case UTF16BE:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	case Latin1:
		return charmap.ISO8859_1
	case Windows1252:
		return charmap.Windows1252
	case Windows1251:
		return charmap.Windows1251
	case KOI8R:
		return charmap.KOI8R
	case ShiftJIS:
		return japanese.ShiftJIS
	case EUCJP:
		return japanese.EUCJP
	case EUCKR:
		return korean.EUCKR
	case GB18030:
		return simplifiedchinese.GB18030
	default:
		return nil
	}
}

// Decode reads file content as text, or refuses with a *BinaryError. Whatever
// it guesses about the encoding, Encode of the unchanged content gives the
// same bytes.
func Decode(data []byte) (Text, error) {
	t, err := decode(data)
	if err != nil {
		return Text{}, err
	}
	t.EOL = dominant(t.Content)
	return t, nil
}

func decode(data []byte) (Text, error) {
	if kind := magic(data); kind != "" {
		return Text{}, &BinaryError{Kind: kind}
	}
	switch {
	case bytes.HasPrefix(data, []byte(bom8)):
		rest := data[len(bom8):]
		if bytes.IndexByte(rest, 0) >= 0 {
			return Text{}, &BinaryError{}
		}
		return Text{Content: string(rest), Encoding: UTF8, BOM: true, Broken: broken(rest)}, nil
	case bytes.HasPrefix(data, []byte(bomLE)):
		return wide(data[2:], UTF16LE, true)
	case bytes.HasPrefix(data, []byte(bomBE)):
		return wide(data[2:], UTF16BE, true)
	case bytes.IndexByte(data, 0) >= 0:
		name := looksWide(data)
		if name == "" {
			return Text{}, &BinaryError{}
		}
		return wide(data, name, false)
	case utf8.Valid(data):
		return Text{Content: string(data), Encoding: UTF8}, nil
	case looksBinary(data):
		return Text{}, &BinaryError{}
	case mostlyUTF8(data):
		return Text{Content: string(data), Encoding: UTF8, Broken: broken(data)}, nil
	}
	for _, name := range legacy(data) {
		if s, ok := roundTrip(data, name); ok {
			return Text{Content: s, Encoding: name}, nil
		}
	}
	return Text{}, &BinaryError{}
}

// wide decodes UTF-16, strictly.
func wide(data []byte, name string, bom bool) (Text, error) {
	s, ok := roundTrip(data, name)
	if !ok || strings.ContainsRune(s, 0) {
		return Text{}, &BinaryError{}
	}
	return Text{Content: s, Encoding: name, BOM: bom}, nil
}

// roundTrip decodes data if encoding the outcome gives data again.
func roundTrip(data []byte, name string) (string, bool) {
	c := codec(name)
	s, err := c.NewDecoder().Bytes(data)
	if err != nil {
		return "", false
	}
	back, err := c.NewEncoder().Bytes(s)
	if err != nil || !bytes.Equal(back, data) {
		return "", false
	}
	return string(s), true
}

// Encode stores content the way the file stores text: in its encoding, with
// its byte order mark. Line ends are taken as they are. It is an *EncodeError
// when the encoding cannot hold a character.
func (t Text) Encode(content string) ([]byte, error) {
	c := codec(t.Encoding)
	if c == nil {
		if t.BOM {
			return append([]byte(bom8), content...), nil
		}
		return []byte(content), nil
	}
	out, err := c.NewEncoder().Bytes([]byte(content))
	if err == nil {
		var back []byte
		if back, err = c.NewDecoder().Bytes(out); err == nil && string(back) != content {
			err = encoding.ErrInvalidUTF8
		}
	}
	if err != nil {
		return nil, &EncodeError{Encoding: t.Encoding, Rune: misfit(c, content)}
	}
	switch {
	case t.BOM && t.Encoding == UTF16LE:
		out = append([]byte(bomLE), out...)
	case t.BOM && t.Encoding == UTF16BE:
		out = append([]byte(bomBE), out...)
	}
	return out, nil
}

// misfit is the first character that an encoding cannot hold.
func misfit(c encoding.Encoding, content string) rune {
	for _, r := range content {
		out, err := c.NewEncoder().Bytes([]byte(string(r)))
		if err != nil {
			return r
		}
		if back, err := c.NewDecoder().Bytes(out); err != nil || string(back) != string(r) {
			return r
		}
	}
	return utf8.RuneError
}

// dominant is the line end that most lines of a text have.
func dominant(s string) string {
	crlf := strings.Count(s, "\r\n")
	if crlf > strings.Count(s, "\n")-crlf {
		return "\r\n"
	}
	return "\n"
}

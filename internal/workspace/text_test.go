package workspace_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"

	"assent/internal/workspace"
)

func encoded(t *testing.T, e encoding.Encoding, s string) []byte {
	t.Helper()
	out, err := e.NewEncoder().Bytes([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestDecode(t *testing.T) {
	t.Parallel()
	const (
		japan   = "// 設定を読み込む\nfunc load() {} // ﾃｽﾄ カタカナ\n"
		french  = "# café, déjà vu, l'été\nname = 'Zoë'\n"
		quotes  = "it\u2019s \u201cquoted\u201d and don\u2019t\n"
		russian = "# Привет, мир! Это настройки программы\nx = 1\n"
		korean0 = "# 설정 파일을 읽습니다\n"
		chinese = "# 读取配置文件并返回结果\n"
	)
	wide := func(order unicode.Endianness, bom unicode.BOMPolicy, s string) []byte {
		return encoded(t, unicode.UTF16(order, bom), s)
	}
	for _, c := range []struct {
		name, encoding, content string
		data                    []byte
		bom                     bool
		eol                     string
	}{
		{name: "empty", encoding: "utf-8"},
		{name: "ascii", encoding: "utf-8", content: "a\nb", data: []byte("a\nb")},
		{name: "utf-8", encoding: "utf-8", content: french + japan, data: []byte(french + japan)},
		{name: "EDIT-05 mark", encoding: "utf-8", content: "a\r\n", data: []byte("\xEF\xBB\xBFa\r\n"), bom: true, eol: "\r\n"},
		{name: "EDIT-09 replacement character", encoding: "utf-8", content: "a\uFFFDb", data: []byte("a\uFFFDb")},
		{name: "utf-16le", encoding: "utf-16le", content: french, data: wide(unicode.LittleEndian, unicode.UseBOM, french), bom: true},
		{name: "utf-16be", encoding: "utf-16be", content: japan, data: wide(unicode.BigEndian, unicode.UseBOM, japan), bom: true},
		{name: "utf-16le without mark", encoding: "utf-16le", content: french, data: wide(unicode.LittleEndian, unicode.IgnoreBOM, french)},
		{name: "utf-16be without mark", encoding: "utf-16be", content: french, data: wide(unicode.BigEndian, unicode.IgnoreBOM, french)},
		{name: "EDIT-07 latin-1", encoding: "iso-8859-1", content: french, data: encoded(t, charmap.ISO8859_1, french)},
		{name: "latin-1, one letter", encoding: "iso-8859-1", content: "x = 'é'\n", data: []byte("x = '\xE9'\n")},
		{name: "windows-1252", encoding: "windows-1252", content: quotes, data: encoded(t, charmap.Windows1252, quotes)},
		{name: "shift_jis", encoding: "shift_jis", content: japan, data: encoded(t, japanese.ShiftJIS, japan)},
		{name: "euc-jp", encoding: "euc-jp", content: "// 設定を読み込む\n", data: encoded(t, japanese.EUCJP, "// 設定を読み込む\n")},
		{name: "euc-kr", encoding: "euc-kr", content: korean0, data: encoded(t, korean.EUCKR, korean0)},
		{name: "gb18030", encoding: "gb18030", content: chinese, data: encoded(t, simplifiedchinese.GB18030, chinese)},
		{name: "windows-1251", encoding: "windows-1251", content: russian, data: encoded(t, charmap.Windows1251, russian)},
		{name: "koi8-r", encoding: "koi8-r", content: russian, data: encoded(t, charmap.KOI8R, russian)},
		{name: "broken utf-8", encoding: "utf-8", content: "日本\xFF語\n", data: []byte("日本\xFF語\n")},
		{name: "mixed line ends", encoding: "utf-8", content: "a\r\nb\r\nc\n", data: []byte("a\r\nb\r\nc\n"), eol: "\r\n"},
		{name: "escapes are text", encoding: "utf-8", content: "\x1b[31mred\x1b[0m\n", data: []byte("\x1b[31mred\x1b[0m\n")},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := workspace.Decode(c.data)
			if err != nil {
				t.Fatal(err)
			}
			if c.eol == "" {
				c.eol = "\n"
			}
			if got.Content != c.content || got.Encoding != c.encoding || got.BOM != c.bom || got.EOL != c.eol {
				t.Errorf("%+v", got)
			}
			back, err := got.Encode(got.Content)
			if err != nil || !bytes.Equal(back, c.data) {
				t.Errorf("written back as %q (%v), was %q", back, err, c.data)
			}
		})
	}
}

func TestDecodeRefusesBinary(t *testing.T) {
	t.Parallel()
	noise := make([]byte, 4096)
	for i := range noise {
		noise[i] = byte(i*i*31 + i>>3)
	}
	for name, data := range map[string][]byte{
		"zero byte": []byte("text\x00more"), "png": []byte("\x89PNG\r\n\x1a\n...."), "pdf": []byte("%PDF-1.7\n..."),
		"noise": noise, "gzip": {0x1f, 0x8b, 8, 0}, "odd utf-16": []byte("\xff\xfea\x00b"),
		"lone surrogate": []byte("\xff\xfe\x00\xd8a\x00"), "utf-32": []byte("\xff\xfe\x00\x00a\x00\x00\x00"),
	} {
		if got, err := workspace.Decode(data); err == nil {
			t.Errorf("%s was read as %s", name, got.Encoding)
		} else if _, ok := errors.AsType[*workspace.BinaryError](err); !ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEncodeRefusesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	text, err := workspace.Decode([]byte("caf\xE9\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = text.Encode("café → tea\n")
	if e, ok := errors.AsType[*workspace.EncodeError](err); !ok || e.Rune != '→' || !strings.Contains(err.Error(), "iso-8859-1") {
		t.Errorf("got %v", err)
	}
	if out, err := text.Encode("caf\u00E9 \u00FC\n"); err != nil || string(out) != "caf\xE9 \xFC\n" {
		t.Errorf("%q %v", out, err)
	}
}

// Whatever is decoded is written back byte for byte.
func TestDecodeLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.OneOf(
			rapid.SliceOf(rapid.Byte()),
			rapid.SliceOf(rapid.SampledFrom([]byte("ab \n\r\xE9\xE0\x82\xA0\x83\x41\xEF\xBB\xBF\xFF\xFE"))),
			rapid.Map(rapid.String(), func(s string) []byte { return []byte(s) }),
		).Draw(t, "data")
		check(t, data)
	})
}

func check(t interface{ Fatalf(string, ...any) }, data []byte) {
	text, err := workspace.Decode(data)
	if err != nil {
		return
	}
	if back, err := text.Encode(text.Content); err != nil || !bytes.Equal(back, data) {
		t.Fatalf("%s: %q came back as %q (%v)", text.Encoding, data, back, err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"", "a\r\n", "\xEF\xBB\xBFx", "\xFF\xFEa\x00", "caf\xE9", "\x83e\x83X\x83g", "a\x00b\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { check(t, data) })
}
